package app_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/app"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api/contract"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var updateContract = flag.Bool("contract", false, "write commands.proto and its field numbers anew")

// TestContract (R38): commands.proto is what the specs of the tools say, and no field has changed its number and no
// method or message its name. Run with -contract to write it, then `make proto`.
func TestContract(t *testing.T) {
	specs, lock := catalog(t)
	text, err := contract.Proto(specs, lock)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]any{"methods": lock.Methods, "messages": lock.Messages}
	for name, want := range map[string]string{
		"commands.proto": text, "fields.json": document(t, lock.Fields), "names.json": document(t, names),
	} {
		path := filepath.Join(protoDir, name)
		if *updateContract {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is not what the tools are; run make proto (-want +got):\n%s", name, diff)
		}
	}
}

// TestContractOfOneTool: what a tool gains changes its own messages alone, and a tool that comes renames no method.
func TestContractOfOneTool(t *testing.T) {
	specs, lock := catalog(t)
	before, err := contract.Proto(specs, lock)
	if err != nil {
		t.Fatal(err)
	}
	was := parts(before)
	for i, old := range specs {
		more := *old
		// Fields that hold an object and are called as nested messages are, or as a message of another tool.
		more.Input = tool.Fixed(gaining(old.Input.Get(), "fingerprint", "usage", "web_clickRequest"))
		more.Output = tool.Fixed(gaining(old.Output.Get(), "usage", "bounds", "devices"))
		changed := slices.Clone(specs)
		changed[i] = &more
		now := proto(t, changed)
		own := strings.ReplaceAll(strings.ToLower(old.Name), "_", "")
		for name, text := range was {
			mine := name == own+"request" || name == own+"response"
			if mine && text == now[name] && (name == own+"request" || old.Output != nil) {
				t.Errorf("%s gains fields, and %s stays as it was", old.Name, name)
			}
			if !mine && text != now[name] && !strings.HasPrefix(name, "service ") {
				t.Errorf("%s gains fields, and %s changes:\n%s", old.Name, name, cmp.Diff(text, now[name]))
			}
		}
	}
	added := append(slices.Clone(specs), &tool.Spec{Name: "web_evaluateJs"},
		&tool.Spec{Name: "web_fingerprint", Output: tool.Fixed(gaining(nil, "usage", "settings"))})
	now := proto(t, added)
	for name, text := range was {
		for line := range strings.Lines(text) {
			if !strings.Contains(now[name], line) {
				t.Errorf("two more tools, and %s lacks %q", name, line)
			}
		}
	}
	if web := now["service webcommands"]; !strings.Contains(web, "rpc WebEvaluateJs(WebEvaluateJsRequest)") {
		t.Errorf("a tool whose short name another one has: %s", web)
	}
}

// TestContractOfSharedMessage: when one of the tools that share a message gains a field in it, the message gains it, and no
// name changes; a field with two types is refused.
func TestContractOfSharedMessage(t *testing.T) {
	of := func(props map[string]*jsonschema.Schema) tool.Schema {
		usage := &jsonschema.Schema{Type: "object", Properties: props}
		return tool.Fixed(&jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"usage": usage}})
	}
	text := &jsonschema.Schema{Type: "string"}
	lock := empty()
	lock.Messages["AResponse.usage"], lock.Messages["BResponse.usage"] = "Usage", "Usage"
	a := &tool.Spec{Name: "a", Output: of(map[string]*jsonschema.Schema{"x": text})}
	b := &tool.Spec{Name: "b", Output: of(map[string]*jsonschema.Schema{"x": text, "y": text})}
	got, err := contract.Proto([]*tool.Spec{a, b}, lock)
	usage := parts(got)["usage"]
	if err != nil || !strings.Contains(usage, "x = 1;") || !strings.Contains(usage, "y = 2;") {
		t.Errorf("%v: %s", err, got)
	}
	b.Output = of(map[string]*jsonschema.Schema{"x": {Type: "integer"}})
	if _, err = contract.Proto([]*tool.Spec{a, b}, lock); err == nil || !strings.Contains(err.Error(), "Usage") {
		t.Errorf("a field with two types: %v", err)
	}
}

var protoDir = filepath.Join("..", "..", "proto", "trailblaze", "v1")

func empty() contract.Lock {
	return contract.Lock{Fields: map[string]map[string]int{}, Methods: map[string]string{}, Messages: map[string]string{}}
}

// catalog are the specs of all tools, and what their contract has given already.
func catalog(t *testing.T) ([]*tool.Spec, contract.Lock) {
	t.Helper()
	reg, err := app.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	var specs []*tool.Spec
	for _, x := range reg.All() {
		specs = append(specs, x.Spec())
	}
	lock := empty()
	for name, into := range map[string]any{"fields.json": &lock.Fields, "names.json": &lock} {
		if data, err := os.ReadFile(filepath.Join(protoDir, name)); err == nil {
			if err := json.Unmarshal(data, into); err != nil {
				t.Fatal(err)
			}
		}
	}
	return specs, lock
}

func document(t *testing.T, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + "\n"
}

// proto is the contract of specs in its parts, by what was given until today.
func proto(t *testing.T, specs []*tool.Spec) map[string]string {
	t.Helper()
	_, lock := catalog(t)
	text, err := contract.Proto(specs, lock)
	if err != nil {
		t.Fatal(err)
	}
	return parts(text)
}

var part = regexp.MustCompile(`(?ms)^(?:message|(service)) (\w+) \{.*?^\}`)

// parts are the messages of a contract by their names, and its services, in small letters.
func parts(text string) map[string]string {
	out := map[string]string{}
	for _, m := range part.FindAllStringSubmatch(text, -1) {
		out[strings.ToLower(strings.TrimSpace(m[1]+" "+m[2]))] = m[0]
	}
	return out
}

// gaining is a schema with more properties, each an object with one field that no other has.
func gaining(s *jsonschema.Schema, names ...string) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	if s != nil {
		*out = *s
		out.Properties, out.PropertyOrder = maps.Clone(s.Properties), nil
	}
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	for _, name := range names {
		if out.Properties[name] == nil {
			of := map[string]*jsonschema.Schema{"gained": {Type: "string"}}
			out.Properties[name] = &jsonschema.Schema{Type: "object", Properties: of}
		}
	}
	return out
}
