package yamltool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/makers/yamltool"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// load makes the tools of files, by name in the folder of tools.
func load(t testing.TB, files map[string]string) (map[string]tool.Tool, string) {
	t.Helper()
	src := folder(t, files)
	made, problems, err := src.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]tool.Tool{}
	for _, m := range made {
		out[m.Spec().Name] = m
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.Error())
	}
	return out, strings.Join(said, "\n")
}

func folder(t testing.TB, files map[string]string) tool.Source {
	t.Helper()
	root := t.TempDir()
	write(t, root, files)
	return sourceOf(t, root)
}

func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, "tools", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func sourceOf(t testing.TB, root string) tool.Source {
	t.Helper()
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	made := yamltool.New(source.Options{Root: root, Folders: []source.Folder{{Dir: "tools"}}, BuiltIn: reg})
	if len(made) != 1 {
		t.Fatalf("%d sources", len(made))
	}
	return made[0]
}

const login = `id: shop_login
description: |
  Logs a customer in.
  Begins at any page.
parameters:
  - name: user
    type: string
    required: true
    description: Name of the account
  - { name: attempts, type: integer, required: false, default: 3, description: How often }
  - { name: remember, type: boolean, required: false }
tools:
  - web_navigate: { url: "{{baseUrl}}/login" }
  - web_type: { ref: 'textbox "User"', text: "{{user}}" }
  - web_click: { ref: 'button "Sign in"' }
`

// R264, R252: what the file says of itself reaches whoever lists the tool.
func TestDescriptor(t *testing.T) {
	got, problems := load(t, map[string]string{"login.tool.yaml": login})
	if problems != "" {
		t.Fatal(problems)
	}
	s := got["shop_login"].Spec()
	if s.Description != "Logs a customer in.\nBegins at any page." || s.Kind != tool.Action || !s.Recordable || s.Delegating || !s.ExposedToLLM {
		t.Errorf("spec: %+v", s)
	}
	if s.Origin != "tools/login.tool.yaml:1" || len(s.Hash) != 16 || !s.Effects.CallsTools || s.Effects.RunsCode {
		t.Errorf("origin %q, hash %q, effects %+v", s.Origin, s.Hash, s.Effects)
	}
	raw, err := s.Input.Get().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"user":{"type":"string","description":"Name of the account"},` +
		`"attempts":{"type":"integer","description":"How often","default":3},"remember":{"type":"boolean"}},` +
		`"required":["user"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("schema (-want +got)\n%s", diff)
	}
}

// R171, R175: the example of the founding document loads, is described as the same tool in Go would be, and makes
// the call that it names; without its parameter it leaves the argument out.
func TestMigratedTool(t *testing.T) {
	got, problems := load(t, map[string]string{"erase.tool.yaml": `id: shop_eraseText
description: |
  Erases characters from the currently focused text field.
parameters:
  - name: charactersToErase
    type: integer
    required: false
    description: "Number of characters to erase from the end (omit to erase all)"
tools:
  - maestro:
      commands:
        - eraseText:
            charactersToErase: "{{charactersToErase}}"
`})
	if problems != "" {
		t.Fatal(problems)
	}
	type in struct {
		Count int `json:"charactersToErase,omitempty" jsonschema:"Number of characters to erase from the end (omit to erase all)"`
	}
	inGo := tool.Define(tool.Spec{Name: "shop_eraseText"}, func(context.Context, tool.Env, in) (string, error) { return "", nil })
	want, err1 := inGo.Spec().Input.Get().MarshalJSON()
	have, err2 := got["shop_eraseText"].Spec().Input.Get().MarshalJSON()
	if d := cmp.Diff(string(want), string(have)); err1 != nil || err2 != nil || d != "" {
		t.Errorf("schema (-Go +YAML) %v %v\n%s", err1, err2, d)
	}
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{`{"charactersToErase":3}`: `{"charactersToErase":3}`, `{}`: `{}`} {
		at := tool.Call{Name: "shop_eraseText", Args: json.RawMessage(args)}
		for _, made := range []tool.Tool{got["shop_eraseText"], must(reg.Get("maestro"))} {
			res, err := made.Run(t.Context(), nil, at.Args)
			if err != nil || len(res.Delegates) != 1 {
				t.Fatalf("%s: %v %v", at.Name, res, err)
			}
			at = res.Delegates[0]
		}
		if at.Name != "eraseText" || string(at.Args) != want {
			t.Errorf("%s makes %s %s, want %s", args, at.Name, at.Args, want)
		}
	}
}

func must(t tool.Tool, _ bool) tool.Tool { return t }

// R56, R166–R168, R170, R173, R184, R185: what is wrong is told with file, line, column and field, before anything is called.
func TestMistakes(t *testing.T) {
	const head = "id: shop_x\ndescription: d\nparameters: [{name: n, type: integer}, {name: s, type: string}]\n"
	for _, tc := range []struct{ name, text, want string }{
		{"no body", "id: shop_x\ndescription: d\nparameters: []\n", "a.tool.yaml:1:1: a tool has exactly one of class, tools and script; this one has none"},
		{"two bodies", head + "tools: [web_click: {ref: a}]\nclass: web_click\n", "a.tool.yaml:5:1: class: a tool has exactly one"},
		{"a class with a description", "id: shop_x\ndescription: d\nclass: web_click\n", "a.tool.yaml:2:14: description: description comes from the class"},
		{"an unknown class", "id: shop_x\nclass: web_clik\n", "a.tool.yaml:2:8: class: there is no registered tool \"web_clik\" (Did you mean web_click"},
		{"a class as upstream writes it", "id: shop_x\nclass: xyz.block.trailblaze.toolcalls.commands.EraseTextTrailblazeTool\n", "Did you mean eraseText"},
		{"no description", "id: shop_x\nparameters: []\ntools: [web_click: {ref: a}]\n", "description: the tool has no description"},
		{"no parameters", "id: shop_x\ndescription: d\ntools: [web_click: {ref: a}]\n", "parameters: the tool has no parameters"},
		{"no id", "description: d\nparameters: []\ntools: [web_click: {ref: a}]\n", "id: the tool has no id"},
		{"a name without namespace", "id: login\ndescription: d\nparameters: []\ntools: [web_click: {ref: a}]\n", `a.tool.yaml:1:5: id: "login" has no namespace`},
		{"a name with a dot", "id: shop.login\ndescription: d\nparameters: []\ntools: [web_click: {ref: a}]\n", `Use underscores: "shop_login"`},
		{"the name of a built-in tool", "id: eraseText\ndescription: d\nparameters: []\ntools: [web_click: {ref: a}]\n",
			`the id "eraseText" is that of a built-in tool`},
		{"an unknown field", head + "tols: []\ntools: [web_click: {ref: a}]\n", `a.tool.yaml:4:1: tols: unknown key "tols" (Did you mean "tools"?)`},
		{"an unknown type", "id: shop_x\ndescription: d\nparameters: [{name: n, type: int}]\ntools: [web_click: {ref: a}]\n",
			`parameters[0].type: "int" is not the type of a parameter`},
		{"a default of another type", "id: shop_x\ndescription: d\nparameters: [{name: n, type: integer, default: a}]\ntools: " +
			"[web_click: {ref: a}]\n", "parameters[0].default: the default of n is the string"},
		{"two parameters of one name", "id: shop_x\ndescription: d\nparameters: [{name: n}, {name: n}]\ntools: [web_click: {ref: a}]\n",
			`two parameters are named "n"`},
		{"an unknown tool", head + "tools:\n  - web_clik: {ref: a}\n", `a.tool.yaml:5:5: tools[0].web_clik: there is no tool "web_clik" (Did you mean web_click`},
		{"an unknown argument", head + "tools:\n  - web_click: {reff: a}\n", "a.tool.yaml:5:23: tools[0].web_click.reff: web_click: unknown parameter reff"},
		{"an argument of another type", head + "tools:\n  - web_type: {ref: a, text: 5}\n",
			"tools[0].web_type.text: web_type: parameter text: want string, got number"},
		{"an integer for a truth value", head + "tools:\n  - web_type: {ref: a, text: a, submit: \"{{n}}\"}\n",
			"a.tool.yaml:5:41: tools[0].web_type.submit: parameter n is of type integer, but tools[0].web_type.submit takes boolean"},
		{"a text for an integer", head + "tools:\n  - eraseText: {charactersToErase: \"{{params.s}}\"}\n", "parameter s is of type string"},
		{"a longer text for an integer", head + "tools:\n  - eraseText: {charactersToErase: \"1{{n}}\"}\n", "a token inside a longer text makes a text"},
		{"an undeclared parameter", head + "tools:\n  - web_type: {ref: a, text: \"{{params.m}}\"}\n", `token {{params.m}}: no parameter "m" is declared`},
		{"a field of a parameter", head + "tools:\n  - web_type: {ref: a, text: \"{{s.x}}\"}\n", "parameter s is of type string, which has no fields"},
		{"a value that is computed", head + "tools:\n  - web_type: {ref: a, text: \".*{{ s | escape }}.*\"}\n",
			"a.tool.yaml:5:30: tools[0].web_type.text: {{ s | escape }} is no token"},
		{"a coercion", head + "tools:\n  - web_type: {ref: a, text: \"{{string:n}}\"}\n", "{{string:n}} is no token"},
		{"no calls", head + "tools: []\n", "tools: tools has no calls"},
		{"a script", head + "script: {source: \"return 1\"}\n", "script: source is not run here"},
		{"broken YAML", "id: [\n", "a.tool.yaml:1:5: "},
		{"an empty file", "", "the file is empty"},
		{"no mapping", "- a\n", "a tool file must be a mapping"},
		{"a command of Maestro without a meaning", head + "tools:\n  - maestro: {commands: [runFlow: {file: x}]}\n", "the command runFlow has no meaning here"},
		{"an argument in a loop", head + "tools:\n  - repeat:\n      times: 2\n      tools:\n        - web_type: {ref: a, txt: a}\n",
			"a.tool.yaml:8:35: tools[0].repeat.tools[0].web_type.txt: web_type: unknown parameter txt"},
		{"a tool in an else", head + "tools:\n  - when:\n      visible: a\n      tools: [pressBack: {}]\n      else:\n        - " +
			"web_clik: {ref: a}\n", "a.tool.yaml:9:21: tools[0].when.else[0].web_clik: there is no tool \"web_clik\""},
		{"a parameter in a condition", head + "tools:\n  - repeat: {until: {query: {web_waitx: {}}}, tools: [pressBack: {}]}\n", "there is no tool \"web_waitx\""},
		{"an action that decides", head + "tools:\n  - when: {query: {web_click: {ref: a}}, tools: [pressBack: {}]}\n",
			"a.tool.yaml:5:31: tools[0].when.query.web_click: web_click acts, so it cannot decide"},
		{"a loop without an end", head + "tools:\n  - repeat: {tools: [pressBack: {}]}\n", "repeat does not say how often"},
		{"a token in a loop", head + "tools:\n  - repeat: {times: 2, tools: [web_type: {ref: a, text: \"{{params.m}}\"}]}\n",
			`token {{params.m}}: no parameter "m" is declared`},
		{"a sum of a text", head + "tools:\n  - web_type: {ref: a, text: \"{{s + 1}}\"}\n", "nothing can be computed of parameter s, which is of type string"},
		{"a sum for a truth value", head + "tools:\n  - web_type: {ref: a, text: a, submit: \"{{n + 1}}\"}\n",
			"a sum is a number, but tools[0].web_type.submit takes boolean"},
		{"a key of such a command", head + "tools:\n  - maestro: {commands: [tapOn: {point: 1}]}\n", "tapOn with point has no meaning here"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			made, got := load(t, map[string]string{"a.tool.yaml": tc.text})
			if !strings.Contains(got, tc.want) || len(made) > 0 {
				t.Errorf("%d tools, problems\n%s\nwant %s", len(made), got, tc.want)
			}
		})
	}
}

// R184, R116: tools of one source know each other: names that are taken, circles, tools that are broken.
func TestNested(t *testing.T) {
	calling := func(id string, calls ...string) string {
		return "id: " + id + "\ndescription: d\nparameters: []\ntools:\n  - " + strings.Join(calls, ": {}\n  - ") + ": {}\n"
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		made  []string
		want  string
	}{
		{"one calls the other", map[string]string{"a.tool.yaml": calling("shop_a", "shop_b"), "b.tool.yaml": calling("shop_b", "hideKeyboard")},
			[]string{"shop_a", "shop_b"}, ""},
		{"two of one name", map[string]string{"a.tool.yaml": calling("shop_a", "hideKeyboard"),
			"b/a.tool.yaml": calling("shop_a", "hideKeyboard")}, []string{"shop_a"},
			`tools/b/a.tool.yaml:1:5: id: the id "shop_a" is taken by tools/a.tool.yaml:1`},
		{"itself", map[string]string{"a.tool.yaml": calling("shop_a", "shop_a")}, nil, "shop_a calls itself: shop_a → shop_a"},
		{"a circle", map[string]string{"a.tool.yaml": calling("shop_a", "shop_b"), "b.tool.yaml": calling("shop_b", "shop_c"),
			"c.tool.yaml": calling("shop_c", "shop_a"), "d.tool.yaml": calling("shop_d", "hideKeyboard")},
			[]string{"shop_d"}, "tools/c.tool.yaml:5:5: tools[0].shop_a: shop_a calls itself: shop_a → shop_b → shop_c → shop_a"},
		{"a broken one", map[string]string{"a.tool.yaml": calling("shop_a", "shop_b"), "b.tool.yaml": calling("shop_b", "nope")}, nil,
			"shop_b cannot be called: its file tools/b.tool.yaml has mistakes"},
		{"a TypeScript tool", map[string]string{"a.tool.yaml": calling("shop_a", "shop_ts"), "ts.ts": ""}, []string{"shop_a"}, ""},
		{"another name for a tool", map[string]string{"a.tool.yaml": "id: shop_a\nclass: web_click\n"}, []string{"shop_a"}, ""},
		{"a tool that the product has", map[string]string{"a.tool.yaml": "id: web_click\nclass: web_click\n"}, nil, ""},
		{"one under the name of a class of upstream",
			map[string]string{"a.tool.yaml": "id: web_click\nclass: xyz.block.trailblaze.playwright.tools.PlaywrightClickTool\n"}, nil, ""},
		{"files that are no tools", map[string]string{"a.trail.yaml": "trail: []", "b.yaml": "x: 1", "c.txt": "id: a"}, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			made, got := load(t, tc.files)
			var names []string
			for name := range made {
				names = append(names, name)
			}
			slices.Sort(names)
			if !slices.Equal(names, tc.made) || tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("made %q, problems\n%s\nwant %q and %s", names, got, tc.made, tc.want)
			}
		})
	}
	deep := map[string]string{}
	for i := range 20 {
		next := "hideKeyboard"
		if i < 19 {
			next = "shop_t" + string(rune('a'+i+1))
		}
		deep["t"+string(rune('a'+i))+".tool.yaml"] = calling("shop_t"+string(rune('a'+i)), next)
	}
	if _, got := load(t, deep); !strings.Contains(got, "nested 17 deep, and at most 16") {
		t.Errorf("a chain of 20: %s", got)
	}
}

// What follows from the called tools: kind, platforms, what a policy must know.
func TestFacts(t *testing.T) {
	const head = "description: d\nparameters: [{name: url}, {name: code}]\ntools:\n"
	made, problems := load(t, map[string]string{
		"a.tool.yaml": "id: shop_look\n" + head + "  - web_snapshot: {}\n",
		"b.tool.yaml": "id: shop_check\n" + head + "  - web_snapshot: {}\n  - web_verifyTextVisible: {text: a}\n",
		"c.tool.yaml": "id: shop_open\n" + head + "  - web_navigate: {url: \"{{url}}\"}\n",
		"d.tool.yaml": "id: shop_run\ncategory: verification\nsurface_to_llm: false\n" + head +
			"  - web_evaluate: {script: \"{{code}}\"}\n  - shop_open: {url: \"{{params.url}}\", code: x}\n",
	})
	if problems != "" {
		t.Fatal(problems)
	}
	for name, kind := range map[string]tool.Kind{"shop_look": tool.Query, "shop_check": tool.Assertion, "shop_open": tool.Action} {
		if s := made[name].Spec(); s.Kind != kind || !s.RunsOn("web", "") || s.RunsOn("ios", "") {
			t.Errorf("%s: kind %s, platforms %v", name, s.Kind, s.Platforms)
		}
	}
	s := made["shop_run"].Spec()
	if !s.Effects.RunsCode || !slices.Equal(s.Effects.Opens, []string{"url"}) || s.ExposedToLLM || s.Categories[0] != "VERIFICATION" {
		t.Errorf("%+v %+v", s, s.Effects)
	}
}

// R186: a tool is another one when a tool that it calls is; a load without a change makes nothing anew.
func TestHash(t *testing.T) {
	files := map[string]string{
		"a.tool.yaml": "id: shop_a\ndescription: d\nparameters: []\ntools: [shop_b: {}]\n",
		"b.tool.yaml": "id: shop_b\ndescription: d\nparameters: []\ntools: [hideKeyboard: {}]\n",
	}
	src := folder(t, files)
	first, _, err := src.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := src.Load(t.Context())
	if err != nil || &again[0] != &first[0] {
		t.Errorf("made anew without a change, %v", err)
	}
	files["b.tool.yaml"] += "# changed\n"
	other, _ := load(t, files)
	for _, f := range first {
		if s := f.Spec(); other[s.Name].Spec().Hash == s.Hash {
			t.Errorf("%s: the hash is the same after a change", s.Name)
		}
	}
}
