package setup

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

var update = flag.Bool("update", false, "write the schemas of docs")

// TestSchemasAreCurrent proves that the schemas in docs are those of the types and tools of the product.
func TestSchemasAreCurrent(t *testing.T) {
	for _, kind := range fileKinds() {
		name := filepath.Join("../../../docs", kind+".schema.json")
		want, err := schemaOf(kind, app.BuiltInTools(), true)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s is out of date, run go test ./internal/cli/setup -run SchemasAreCurrent -update (-want +got):\n%s", name, d)
		}
	}
}

// compiled are the schemas that were compiled, by kind and whether they are open.
var compiled sync.Map

func compile(t *testing.T, kind string, open bool) *jsonschema.Schema {
	t.Helper()
	key := fmt.Sprint(kind, open)
	if s, ok := compiled.Load(key); ok {
		return s.(*jsonschema.Schema)
	}
	raw, err := schemaOf(kind, app.BuiltInTools(), open)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///"+kind, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("file:///" + kind)
	if err != nil {
		t.Fatal(err)
	}
	compiled.Store(key, schema)
	return schema
}

// mistakes are those that a schema finds in a file.
func mistakes(t *testing.T, kind, text string, open bool) string {
	t.Helper()
	schema := compile(t, kind, open)
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if v, err = jsonschema.UnmarshalJSON(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		return err.Error()
	}
	return ""
}

// TestSchemasFitFiles proves that the trails, tools, settings and policies of this repository have no mistake in the
// eyes of an editor: what check takes must not be marked.
func TestSchemasFitFiles(t *testing.T) {
	t.Parallel()
	root, seen := "../../..", map[string]int{}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != root) {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		kind := ""
		switch base := filepath.Base(name); {
		case strings.HasSuffix(base, ".trail.yaml"), base == "trail.yaml":
			kind = trailFiles
		case strings.HasSuffix(base, ".tool.yaml"):
			kind = toolFiles
		case base == "trailblaze.yaml":
			kind = settingsFiles
		case base == "policy.yaml":
			kind = policyFiles
		default:
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		seen[kind]++
		if wrong := mistakes(t, kind, string(text), true); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(seen)
	for _, kind := range []string{trailFiles, toolFiles, settingsFiles} {
		if seen[kind] == 0 {
			t.Errorf("there are no files of the kind %s", kind)
		}
	}
}

// TestSchemasFindMistakes proves that an editor marks what check refuses, and takes what it takes.
func TestSchemasFindMistakes(t *testing.T) {
	t.Parallel()
	step := "trail: [{step: Do it, recording: {web: ["
	for _, c := range []struct {
		name, kind, text, wrong string
		closed                  bool
	}{
		{name: "a token for a number", kind: "trail", text: step + `{web_resize: {width: "{{args.w}}", height: 300}}]}}]`},
		{name: "a word in another case", kind: "trail", text: step + `{web_scroll: {direction: down}}]}}]`},
		{name: "a word that there is not", kind: "trail", text: step + `{web_scroll: {direction: around}}]}}]`, wrong: "direction"},
		{name: "a text for a number", kind: "trail", text: step + `{web_resize: {width: wide, height: 300}}]}}]`, wrong: "width"},
		{name: "an argument that there is not", kind: "trail", text: step + `{web_click: {rf: e1}}]}}]`, wrong: "'rf' not allowed"},
		{name: "an argument that is missing", kind: "trail", text: step + `{web_selectOption: {ref: e1}}]}}]`, wrong: "missing property 'values'"},
		{name: "no arguments", kind: "trail", text: step + `{pressBack: }]}}]`},
		{name: "a nested selector", kind: "trail", text: step + `{web_click: {nodeSelector: {childOf: {web: {ariaRol: row}}}}}]}}]`, wrong: "ariaRol"},
		{name: "a number as a name", kind: "trail", text: step + `{web_click: {nodeSelector: {web: {ariaNameRegex: 5}}}}]}}]`},
		{name: "a call in a call", kind: "trail", text: step + `{repeat: {times: 2, tools: [{web_click: {rf: e1}}]}}]}}]`, wrong: "'rf' not allowed"},
		{name: "a tool of a project", kind: "trail", text: step + `{shop_login: {user: me}}]}}]`},
		{name: "a tool that there is not", kind: "trail", text: step + `{web_clik: {ref: e1}}]}}]`, wrong: "web_clik", closed: true},
		{name: "a step without a sentence", kind: "trail", text: "trail: [{recording: {web: []}}]", wrong: "missing property 'step'"},
		{name: "a key of a step", kind: "trail", text: "trail: [{step: x, recordng: {web: []}}]", wrong: "recordng"},
		{name: "the type of an argument", kind: "trail", text: "config: {args: {n: int}}\ntrail: [{step: x}]", wrong: "args/n"},
		{name: "a scalar as a text", kind: "trail", text: "config: {title: 5, memory: {a: true}, args: {n: integer}}\ntrail: [{step: x}]"},
		{name: "the list form", kind: "trail", text: "- prompts: [{step: x}]"},
		{name: "two bodies", kind: "tools", text: "id: a_b\ndescription: d\nparameters: []\ntools: [{pressBack: }]\nclass: tap", wrong: "oneOf"},
		{name: "a call of a tool", kind: "tools", text: "id: a_b\ndescription: d\nparameters: []\ntools: [{web_click: {rf: x}}]", wrong: "'rf' not allowed"},
		{name: "a setting", kind: "settings", text: "defaults: {headless: maybe}", wrong: "headless"},
		{name: "a setting that there is not", kind: "settings", text: "defaults: {headles: true}", wrong: "headles"},
		{name: "a server", kind: "settings", text: "mcpServers: {a: {comand: x}}", wrong: "comand"},
		{name: "a verdict", kind: "policy", text: "evaluate: yes", wrong: "evaluate"},
		{name: "the kinds of sources", kind: "policy", text: "sources: {server: allow, scripts: deny}", wrong: "scripts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			switch got := mistakes(t, c.kind, c.text, !c.closed); {
			case c.wrong == "" && got != "":
				t.Errorf("it marks %s: %s", c.text, got)
			case !strings.Contains(got, c.wrong):
				t.Errorf("of %s it says %q, want %s", c.text, got, c.wrong)
			}
		})
	}
}
