package memory

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

func shop(t *testing.T) *Store {
	t.Helper()
	m := New()
	m.Set("email", "qa@example.com")
	m.Set("count", int64(3))
	m.Set("price", json.Number("1.50"))
	m.Set("ready", true)
	m.Set("nothing", nil)
	m.Set("user", map[string]any{"name": "Ann", "tags": []any{"a", "b"}})
	m.Set("tricky", "{{email}} ${email}")
	m.SetSecret("password", "hunter2!")
	m.SetArgs(map[string]any{"sku": "mug", "qty": int64(2), "box": map[string]any{"size": map[string]any{"w": 1.5}}, "list": []any{1, "x"}})
	return m
}

// R176, R177, upstream's token grammar.
func TestExpand(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"nothing to do keeps every byte", ` { "b" : 1.50 , "a":[ 1e3 ] } `, ` { "b" : 1.50 , "a":[ 1e3 ] } `},
		{"whole string", `{"x":"{{email}}"}`, `{"x":"qa@example.com"}`},
		{"dollar form", `{"x":"${email}"}`, `{"x":"qa@example.com"}`},
		{"memory form", `{"x":"{{memory.email}}"}`, `{"x":"qa@example.com"}`},
		{"spaces inside", `{"x":"{{ email }}"}`, `{"x":"qa@example.com"}`},
		{"whole integer keeps its type", `{"x":"{{count}}"}`, `{"x":3}`},
		{"whole decimal keeps its spelling", `{"x":"{{price}}"}`, `{"x":1.50}`},
		{"whole boolean", `{"x":"{{ready}}"}`, `{"x":true}`},
		{"whole null", `{"x":"{{nothing}}"}`, `{"x":null}`},
		{"whole object", `{"x":"{{memory.user}}"}`, `{"x":{"name":"Ann","tags":["a","b"]}}`},
		{"embedded", `{"x":"{{count}} of {{email}}!"}`, `{"x":"3 of qa@example.com!"}`},
		{"embedded null is nothing", `{"x":"a{{nothing}}b"}`, `{"x":"ab"}`},
		{"space around a token makes it embedded", `{"x":" {{count}}"}`, `{"x":" 3"}`},
		{"path into a value", `{"x":"{{user.name}} {{memory.user.tags.1}}"}`, `{"x":"Ann b"}`},
		{"argument", `{"x":"{{args.qty}}","y":"{{args.sku}}s"}`, `{"x":2,"y":"mugs"}`},
		{"argument path", `{"x":"{{args.box.size.w}}"}`, `{"x":1.5}`},
		{"nested leaves, order and numbers kept", `{"z":{"b":["{{count}}",1.0,{"c":"{{email}}"}]},"a":123456789012345678901}`,
			`{"z":{"b":[3,1.0,{"c":"qa@example.com"}]},"a":123456789012345678901}`},
		{"single pass", `{"x":"{{tricky}}"}`, `{"x":"{{email}} ${email}"}`},
		{"keys are not expanded", `{"{{email}}":1,"b":"{{count}}"}`, `{"{{email}}":1,"b":3}`},
		{"unknown stays", `{"x":"{{nobody}} ${none} {{params.x}}"}`, `{"x":"{{nobody}} ${none} {{params.x}}"}`},
		{"no tokens", `{"x":"{{a b}} {{ }} {{}} ${} ${x.y} $ {{ {x} }} {{1}} {{a|b}}"}`, `{"x":"{{a b}} {{ }} {{}} ${} ${x.y} $ {{ {x} }} {{1}} {{a|b}}"}`},
		{"braces before a token", `{"x":"{{{email}}}"}`, `{"x":"{qa@example.com}"}`},
		{"unclosed", `{"x":"{{email ${email"}`, `{"x":"{{email ${email"}`},
		{"unicode and quotes", `{"x":"é\"{{email}}\\\n\u00e9"}`, `{"x":"é\"qa@example.com\\\né"}`},
		{"optional known", `{"x":"{{?count}}"}`, `{"x":3}`},
		{"optional unknown drops the key", `{"a":1,"x":"{{?nobody}}","b":2}`, `{"a":1,"b":2}`},
		{"optional first and only", `{"x":"{{?nobody}}"}`, `{}`},
		{"optional first", `{"x":"{{?nobody}}","b":2}`, `{"b":2}`},
		{"optional in a list", `["{{?nobody}}",1,"{{?nobody}}"]`, `[1]`},
		{"optional alone", `"{{?nobody}}"`, `null`},
		{"escapes", `{"x":"{{{}}{{{}}email}} {{$}}{email} {{email}}"}`, `{"x":"{{email}} ${email} qa@example.com"}`},
		{"secret", `{"x":"{{password}}"}`, `{"x":"hunter2!"}`},
		{"empty", ``, ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := shop(t).Expand(json.RawMessage(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("Expand(%s) (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

// A token computes sums of numbers that are remembered, exactly, and of nothing else.
func TestArithmetic(t *testing.T) {
	m := New()
	m.Set("count", "3")
	m.Set("price", json.Number("0.1"))
	m.Set("user", map[string]any{"age": 41})
	m.Set("word", "three")
	m.SetSecret("pin", "4711")
	m.SetArgs(map[string]any{"qty": 2})
	for in, want := range map[string]string{
		`"{{count + 1}}"`:                    `4`,
		`"{{count+1}} of {{ count * 2 }}"`:   `"4 of 6"`,
		`"{{price * 3}}"`:                    `0.3`,
		`"{{1 + memory.count * 2 - 4 / 2}}"`: `5`,
		`"{{user.age % 7}}"`:                 `6`,
		`"{{args.qty - 3}}"`:                 `-1`,
		`"{{count / 7}}"`:                    `0.428571428571429`,
		`{"a":"{{?nobody + 1}}"}`:            `{}`,
		`"{{nobody + 1}}"`:                   `"{{nobody + 1}}"`,
		`"{{1 + 2}} {{ a | b }} {{-1}}"`:     `"{{1 + 2}} {{ a | b }} {{-1}}"`,
	} {
		if got, _, err := m.Expand(json.RawMessage(in)); err != nil || string(got) != want {
			t.Errorf("Expand(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
	m.Set("n", strings.Repeat("9", 99))
	for in, want := range map[string]string{
		`"{{word + 1}}"`: `word is "three", which is no number`, `"{{count / 0}}"`: "division by zero", `"x{{pin + 0}}"`: "secret pin",
		`"{{` + strings.Repeat("n * ", 30) + `n}}"`: "too long",
	} {
		if _, _, err := m.Expand(json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Expand(%s): %v, want %s", in, err, want)
		}
	}
	p := Params{Declared: []string{"n"}, Values: map[string]any{"n": json.Number("5")}}
	if got, err := p.Expand(json.RawMessage(`["{{n + 1}}","{{n + count}}","{{count + 1}}","x{{count - n}}"]`)); err != nil ||
		string(got) != `[6,"{{5 + count}}","{{count + 1}}","x{{count - 5}}"]` {
		t.Errorf("parameters: %s, %v", got, err)
	}
	if got := ArgsIn(json.RawMessage(`"{{args.qty + args.more}}"`)); strings.Join(got, " ") != "more qty" {
		t.Errorf("arguments read: %v", got)
	}
}

// Nothing but sums is evaluated: after "args." only a path may stand.
func TestExpandRefusesExpressions(t *testing.T) {
	for _, in := range []string{`{{args.a ? 1}}`, `{{args.}}`, `{{args.a()}}`, `{{ args.a | upper }}`, `x {{args.a..b}}`, `{{args.__proto__[0]}}`} {
		t.Run(in, func(t *testing.T) {
			raw, _ := json.Marshal(map[string]string{"x": in})
			_, _, err := shop(t).Expand(raw)
			if fault.KindOf(err) != fault.Invalid || fault.HintOf(err) == "" || !strings.Contains(err.Error(), "args.") {
				t.Errorf("error %v (hint %q)", err, fault.HintOf(err))
			}
			if _, _, err := shop(t).ExpandString(in); err == nil {
				t.Error("ExpandString took it")
			}
		})
	}
	if _, _, err := shop(t).Expand(json.RawMessage(`{"x":`)); fault.KindOf(err) != fault.Invalid {
		t.Errorf("broken JSON gave %v", err)
	}
}

// An unknown token warns once per session and stays; the switch blanks it.
func TestUnknownTokens(t *testing.T) {
	m := shop(t)
	raw := json.RawMessage(`{"a":"{{nobody}}","b":"x {{nobody}} ${none}","c":"n: {{args.list}}"}`)
	_, first, err := m.Expand(raw)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"token {{nobody}} names nothing that is remembered; it is left as it is",
		"token ${none} names nothing that is remembered; it is left as it is",
		"token {{args.list}} names a list or an object, which a text cannot hold; it is left as it is",
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if _, again, _ := m.Expand(raw); len(again) != 0 {
		t.Errorf("warned again: %v", again)
	}
	t.Setenv(BlankUnknownEnv, "1")
	got, warnings, err := shop(t).Expand(raw)
	if err != nil || string(got) != `{"a":"","b":"x  ","c":"n: {{args.list}}"}` || len(warnings) != 3 {
		t.Errorf("blanked: %s, %v, %v", got, warnings, err)
	}
}

// TestWarningsAreBounded: what is kept of tokens that name nothing does not grow with what clients send.
func TestWarningsAreBounded(t *testing.T) {
	m := New()
	for i := range 10 * maxWarned {
		_, warnings, err := m.ExpandString("{{nobody" + strconv.Itoa(i) + "}}")
		if err != nil || len(warnings) != 1 || len(m.warned) > maxWarned {
			t.Fatalf("%d: %v %v, %d kept", i, warnings, err, len(m.warned))
		}
	}
}

// R176–R180, R185: parameters of YAML tools.
func TestParams(t *testing.T) {
	p := Params{Declared: []string{"email", "times", "text", "opt"}, Values: map[string]any{"email": "p@x", "times": 4, "text": "{{password}} ${count}"}}
	for _, test := range []struct{ name, in, later, once string }{
		{"both spellings shadow memory", `{"a":"{{email}}","b":"{{params.email}}","c":"${email}"}`,
			`{"a":"p@x","b":"p@x","c":"p@x"}`, `{"a":"p@x","b":"p@x","c":"p@x"}`},
		{"type kept, text spliced", `{"a":"{{times}}","b":"x{{params.times}}"}`, `{"a":4,"b":"x4"}`, `{"a":4,"b":"x4"}`},
		{"omitted is null, nothing in a text, and {{?}} drops", `{"a":"{{opt}}","b":"x{{opt}}y","c":"{{?opt}}","d":"{{?params.opt}}"}`,
			`{"a":null,"b":"xy"}`, `{"a":null,"b":"xy"}`},
		{"memory waits for dispatch", `{"a":"{{count}} {{memory.email}}","b":"{{args.sku}}"}`,
			`{"a":"{{count}} {{memory.email}}","b":"{{args.sku}}"}`, `{"a":"3 qa@example.com","b":"mug"}`},
		{"what a caller passed is never a token", `{"a":"{{text}}","b":"<{{text}}>"}`,
			`{"a":"{{{}}{{{}}password}} {{$}}{{{}}count}","b":"<{{{}}{{{}}password}} {{$}}{{{}}count}>"}`,
			`{"a":"{{password}} ${count}","b":"<{{password}} ${count}>"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			later, err := p.Expand(json.RawMessage(test.in))
			if err != nil || string(later) != test.later {
				t.Errorf("parameters only: %s, %v; want %s", later, err, test.later)
			}
			once, _, err := shop(t).ExpandWith(p, json.RawMessage(test.in))
			if err != nil || string(once) != test.once {
				t.Errorf("in one pass: %s, %v; want %s", once, err, test.once)
			}
		})
	}
	dispatched, err := p.Expand(json.RawMessage(`{"a":"{{text}}"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := shop(t).Expand(dispatched); string(got) != `{"a":"{{password}} ${count}"}` {
		t.Errorf("a parameter's text was expanded at dispatch: %s", got)
	}
	brace := Params{Declared: []string{"v"}, Values: map[string]any{"v": "{email}"}}
	if dispatched, err = brace.Expand(json.RawMessage(`{"a":"{{{v}}}","b":"${{v}}"}`)); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := shop(t).Expand(dispatched); string(got) != `{"a":"{{email}}","b":"${email}"}` {
		t.Errorf("a parameter made a token with the text around it: %s", got)
	}
	_, err = p.Expand(json.RawMessage(`{"a":"{{params.nope}}"}`))
	if err == nil || !strings.Contains(err.Error(), `"nope"`) || !strings.Contains(fault.HintOf(err), "times") {
		t.Errorf("undeclared parameter: %v (%s)", err, fault.HintOf(err))
	}
}

func TestEscape(t *testing.T) {
	m := shop(t)
	for _, s := range []string{"{{email}}", "${email}", "{{{email}}}", "$${email}", "{{args.a + 1}}", "{{{}}", "{{$}}", "{{{{", "plain", "$", "{"} {
		got, _, err := m.ExpandString("<" + Escape(s) + "> {{email}}")
		if err != nil || got != "<"+s+"> qa@example.com" {
			t.Errorf("Escape(%q) expands to %q, %v", s, got, err)
		}
	}
}

func TestStore(t *testing.T) {
	m := New()
	list := []any{"a"}
	m.Set("list", list)
	list[0] = "changed"
	got, ok := m.Get("list")
	if !ok || got.([]any)[0] != "a" {
		t.Errorf("the store shares memory with its caller: %v", got)
	}
	m.Set("struct", struct{ A int }{1})
	m.SetSecret("pw", "s3cret-value")
	m.Set("copy", "contains s3cret-value inside")
	m.SetArgs(map[string]any{"a": "x", "b": map[string]any{"deep": "s3cret-value"}})
	if diff := cmp.Diff([]string{"copy", "list", "pw", "struct"}, m.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"list": []any{"a"}, "struct": map[string]any{"A": int64(1)}}, m.Public()); diff != "" {
		t.Errorf("public (-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{"pw": true, "copy": true, "list": false, "args.a": false, "args.b": true, "nobody": false} {
		if m.IsSecret(name) != want {
			t.Errorf("IsSecret(%s) is not %v", name, want)
		}
	}
	m.Delete("pw")
	m.Set("pw", "another-value")
	if !m.IsSecret("pw") || m.Mask("another-value s3cret-value") != mask.Masked+" "+mask.Masked {
		t.Errorf("the marker is not sticky: %q", m.Mask("another-value s3cret-value"))
	}
}

func TestOrigin(t *testing.T) {
	m := New()
	m.SetSecret("pw", "abcdef")
	m.SetSecret("free", "ghijkl")
	m.BindOrigin("pw", "https://shop.example")
	if got := m.SecretOrigin("pw"); got != "https://shop.example" {
		t.Errorf("origin %q", got)
	}
	if got := m.BoundIn(json.RawMessage(`["{{pw}}","ghijkl"]`)); !maps.Equal(got, map[string]string{"pw": "https://shop.example"}) {
		t.Errorf("bound: %v", got)
	}
	m.BindOrigin("pw", "")
	if got := m.SecretOrigin("pw"); got != "" || m.BoundIn(json.RawMessage(`["{{pw}}"]`)) != nil {
		t.Errorf("still tied to %q", got)
	}
}

func TestConcurrent(t *testing.T) {
	m := New()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				m.Set("a", i)
				m.SetSecret("b", "secret-"+string(rune('a'+i)))
				m.Mask("secret-a")
				_, _, _ = m.Expand(json.RawMessage(`{"x":"{{a}} {{c}}"}`))
				m.Public()
			}
		})
	}
	wg.Wait()
}

func TestNamed(t *testing.T) {
	m := New()
	m.SetSecret("password", `hunter2"horse`)
	m.SetSecret("old", "former-value")
	m.SetSecret("old", "present-value")
	m.SetSecret("empty", "")
	for in, want := range map[string]string{
		`{"text":"hunter2\"horse","n":1}`:  `{"text":"{{password}}","n":1}`,
		`{"deep":[{"v":"present-value"}]}`: `{"deep":[{"v":"{{old}}"}]}`,
		`{"text":"former-value","e":""}`:   `{"text":"former-value","e":""}`, // the token would type another value
		`{"text":"not hunter2\"horse"}`:    `{"text":"not hunter2\"horse"}`,
		`{"text":"{{password}}"}`:          `{"text":"{{password}}"}`,
		`not JSON`:                         `not JSON`,
	} {
		if got := string(m.Named(json.RawMessage(in))); got != want {
			t.Errorf("Named(%s) = %s, want %s", in, got, want)
		}
	}
}
