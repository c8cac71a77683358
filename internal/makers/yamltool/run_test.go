package yamltool_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/internal/makers/yamltool"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// bench is a dispatcher with tools that note their arguments, and the YAML tools of some files.
type bench struct {
	t    testing.TB
	disp *dispatch.Dispatcher
	sess *session.Session
	seen []string // arguments of app_note, as they were executed
}

type noteIn struct {
	Ref   string   `json:"ref,omitempty"`
	Text  string   `json:"text,omitempty"`
	Count *int     `json:"count,omitempty"`
	On    *bool    `json:"on,omitempty"`
	Ratio *float64 `json:"ratio,omitempty"`
	Any   any      `json:"any,omitempty"`
	List  []any    `json:"list,omitempty"`
	URL   string   `json:"url,omitempty"`
}

func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	b := &bench{t: t}
	note := tool.Define(tool.Spec{Name: "noteDown", Title: "Note", Description: "Notes its arguments.", Kind: tool.Action, Recordable: true,
		Facts: tool.Facts{Effects: &tool.Effects{Types: []string{"text", "who"}}}},
		func(_ context.Context, _ tool.Env, in noteIn) (*tool.Result, error) {
			raw, err := json.Marshal(in)
			b.seen = append(b.seen, string(raw))
			r := tool.TextResult("noted")
			r.Evidence = &tool.Evidence{Effect: &driver.Effect{Changes: driver.Changes{Value: in.Text != "nothing"}, URL: "https://shop.test/" + in.Text}}
			if in.Ref != "" {
				r.Record = &tool.Call{Name: "noteDown", Args: json.RawMessage(`{"text":"durable"}`)}
			}
			return r, err
		})
	refuse := tool.Define(tool.Spec{Name: "refuse", Title: "Refuse", Description: "Fails.", Kind: tool.Assertion, Recordable: true},
		func(context.Context, tool.Env, struct{}) (string, error) {
			return "", fault.New(fault.Assertion, "", "it is not so")
		})
	builtIn, err := tool.NewRegistry(note, refuse)
	if err != nil {
		t.Fatal(err)
	}
	made, problems := loadWith(t, files, builtIn)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	reg, err := builtIn.With(made...)
	if err != nil {
		t.Fatal(err)
	}
	b.disp = dispatch.New(dispatch.Options{Registry: reg})
	t.Cleanup(func() { _ = b.disp.Close(context.WithoutCancel(t.Context())) })
	b.sess, err = session.Open(t.Context(), session.Options{Memory: memory.New()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.sess.Close(event.Passed) })
	return b
}

func loadWith(t testing.TB, files map[string]string, builtIn *tool.Registry) ([]tool.Tool, []tool.Problem) {
	t.Helper()
	root := t.TempDir()
	write(t, root, files)
	src := yamltool.New(source.Options{Root: root, Folders: []source.Folder{{Dir: "tools"}}, BuiltIn: builtIn})[0]
	made, problems, err := src.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return made, problems
}

func (b *bench) call(name, args string) (*tool.Result, error) {
	b.t.Helper()
	b.seen = nil
	res, err := b.disp.Call(b.t.Context(), b.sess, dispatch.CLI, tool.Call{Name: name, Args: json.RawMessage(args)})
	if err == nil {
		err = res.Err()
	}
	return res, err
}

const notes = `id: app_notes
description: Notes things.
parameters:
  - { name: who, type: string }
  - { name: n, type: integer, required: false }
  - { name: on, type: boolean, required: false }
  - { name: ratio, type: number, required: false }
  - { name: any, type: string, required: false }
tools:
  - noteDown:
      text: "{{who}}"
      count: "{{params.n}}"
      on: "{{on}}"
      ratio: "{{ratio}}"
      any: { a: "{{any}}", b: "{{?any}}", c: ["{{?any}}", "n={{n}} {{any}}"] }
      url: "${city} {{city}} {{memory.who}}"
`

// R176–R180, R265: whole-value tokens keep their type, embedded ones are spliced, omitted ones are null or drop their key,
// parameters shadow memory, and what a value holds is no token.
func TestInterpolation(t *testing.T) {
	b := newBench(t, map[string]string{"notes.tool.yaml": notes})
	b.sess.Memory.Set("city", "Bern")
	b.sess.Memory.Set("who", "memory's")
	for _, tc := range []struct{ name, args, want string }{
		{"all", `{"who":"Ann","n":3,"on":false,"ratio":1.5,"any":"x"}`,
			`{"text":"Ann","count":3,"on":false,"ratio":1.5,"any":{"a":"x","b":"x","c":["x","n=3 x"]},"url":"Bern Bern memory's"}`},
		{"omitted", `{"who":"Ann"}`, `{"text":"Ann","any":{"a":null,"c":["n= "]},"url":"Bern Bern memory's"}`},
		{"tokens in values", `{"who":"{{{}}{city}} {{$}}{city} {{{}}","any":"{{{}}{?city}}"}`,
			`{"text":"{{city}} ${city} {","any":{"a":"{{?city}}","b":"{{?city}}","c":["{{?city}}","n= {{?city}}"]},"url":"Bern Bern memory's"}`},
		{"a token of the caller", `{"who":"{{city}}"}`, `{"text":"Bern","any":{"a":null,"c":["n= "]},"url":"Bern Bern memory's"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := b.call("app_notes", tc.args); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{tc.want}, b.seen); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if _, err := b.call("app_notes", `{"who":5,"nn":1}`); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "nn") {
		t.Errorf("wrong arguments: %v", err)
	}
}

// R176, R177: a number and a truth value are typed into a field as they are printed, of a parameter and of memory alike,
// with their digits; a list and a mapping are no text.
func TestScalarsBecomeTexts(t *testing.T) {
	b := newBench(t, map[string]string{"type.tool.yaml": `id: app_type
description: Types things.
parameters:
  - { name: n, type: integer }
  - { name: on, type: boolean }
  - { name: ratio, type: number }
tools:
  - noteDown: { text: "{{n}}" }
  - noteDown: { text: "{{params.on}}" }
  - noteDown: { text: "{{ratio}}", count: "{{n}}" }
  - noteDown: { text: "{{memory.total}}" }
  - noteDown: { text: "{{memory.paid}}" }
`})
	b.sess.Memory.Set("total", 12)
	b.sess.Memory.Set("paid", true)
	if _, err := b.call("app_type", `{"n":9007199254740991,"on":false,"ratio":1.50}`); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"text":"9007199254740991"}`, `{"text":"false"}`, `{"text":"1.50","count":9007199254740991}`, `{"text":"12"}`,
		`{"text":"true"}`}
	if diff := cmp.Diff(want, b.seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	b.sess.Memory.Set("total", []string{"a"})
	if _, err := b.call("app_type", `{"n":1,"on":true,"ratio":1}`); err == nil || !strings.Contains(err.Error(), "want string, got array") {
		t.Errorf("a list: %v", err)
	}
}

// R174, R183, R105, R111: the call is recorded once and its expansion is in the log; a call with a snapshot's ref is recorded as
// what it expands to.
func TestRecording(t *testing.T) {
	b := newBench(t, map[string]string{
		"a.tool.yaml": "id: app_twice\ndescription: d\nparameters: [{name: el}]\ntools: [noteDown: {ref: \"{{el}}\"}, app_once: {}]\n",
		"b.tool.yaml": "id: app_once\ndescription: d\nparameters: []\ntools: [noteDown: {text: x}]\n",
	})
	recorded := func() (out []string) {
		tr, err := record.OfLog(b.sess.Log)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range tr.Groups {
			for _, a := range g.Actions {
				out = append(out, a.Call.Name+" "+string(a.Call.Args)+" "+a.Hash[:min(1, len(a.Hash))])
			}
		}
		return out
	}
	if _, err := b.call("app_twice", `{"el":"button \"Buy\""}`); err != nil {
		t.Fatal(err)
	}
	got := recorded()
	if len(got) != 1 || !strings.HasPrefix(got[0], `app_twice {"el":"button \"Buy\""} `) || strings.HasSuffix(got[0], " ") {
		t.Errorf("recorded %q", got)
	}
	if _, err := b.call("app_twice", `{"el":"e7"}`); err != nil {
		t.Fatal(err)
	}
	if got := recorded()[1:]; len(got) != 2 || !strings.HasPrefix(got[0], `noteDown {"text":"durable"}`) || !strings.HasPrefix(got[1], "app_once {}") {
		t.Errorf("recorded %q", got)
	}
	events, err := b.sess.Log.Events()
	if err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, e := range events {
		if e.Type == event.ToolCall {
			roles = append(roles, e.Call.Name+":"+e.Call.Role)
		}
	}
	want := []string{"noteDown:nested", "noteDown:nested", "app_once:nested", "app_twice:top",
		"noteDown:delegate", "noteDown:nested", "app_once:delegate", "app_twice:top"}
	if !slices.Equal(roles, want) {
		t.Errorf("logged %q", roles)
	}
}

// A composite is as good as the worst of its calls, also where nobody judges it; a failing call ends it and is named (R119).
func TestEvidenceFolds(t *testing.T) {
	b := newBench(t, map[string]string{
		"a.tool.yaml": "id: app_three\ndescription: d\nparameters: []\ntools: [noteDown: {text: a}, noteDown: {text: nothing}, noteDown: {text: c}]\n",
		"b.tool.yaml": "id: app_bad\ndescription: d\nparameters: []\ntools: [noteDown: {text: a}, refuse: {}, noteDown: {text: c}]\n",
	})
	res, err := b.call("app_three", `{}`)
	if err != nil || len(res.Made) != 3 || !res.Evidence.InVain() || res.Evidence.Effect.URL != "https://shop.test/c" {
		t.Errorf("%v, evidence %+v", err, res.Evidence)
	}
	judge := evidence.New(nil, b.disp.Registry())
	if err := judge.Call(t.Context(), trail.Recorded{Call: tool.Call{Name: "app_three"}}, res, nil); fault.KindOf(err) != fault.NotActed {
		t.Errorf("2 of 3 effects: %v", err)
	}
	res, err = b.call("app_bad", `{}`)
	if fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "delegate 2 of 3, refuse") || len(b.seen) != 1 {
		t.Errorf("%v, made %q", err, b.seen)
	}
	if res.Evidence == nil || res.Evidence.None == "" {
		t.Errorf("the failure does not say that something was done: %+v", res.Evidence)
	}
}

// R166, R182: another name for a registered tool is called, described and recorded under that name.
func TestClass(t *testing.T) {
	b := newBench(t, map[string]string{"a.tool.yaml": "id: app_write\nclass: noteDown\ncategory: NAVIGATION\nis_recordable: true\n"})
	res, err := b.call("app_write", `{"text":"a","ref":"x"}`)
	if err != nil || !slices.Equal(b.seen, []string{`{"ref":"x","text":"a"}`}) || res.Record == nil || string(res.Record.Args) != `{"text":"durable"}` {
		t.Fatalf("%v, %q, recorded %+v", err, b.seen, res)
	}
	own, _ := b.disp.Registry().Get("app_write")
	class, _ := b.disp.Registry().Get("noteDown")
	if s, c := own.Spec(), class.Spec(); res.Record.Name != "app_write" || s.Description != c.Description || s.Input() != c.Input() ||
		s.Categories[0] != "NAVIGATION" || s.Hash == "" {
		t.Errorf("recorded %s, spec %+v", res.Record.Name, s)
	}
}

// R181, R266, R267: the log of a YAML tool is read where nobody knows the tool.
func TestLogWithoutTheTool(t *testing.T) {
	b := newBench(t, map[string]string{"notes.tool.yaml": notes})
	if _, err := b.call("app_notes", `{"who":"Ann","n":3}`); err != nil {
		t.Fatal(err)
	}
	events, err := b.sess.Log.Events()
	if err != nil {
		t.Fatal(err)
	}
	last := events[len(events)-1]
	raw, err := json.Marshal(last)
	if err != nil {
		t.Fatal(err)
	}
	var again event.Event
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	if c := again.Call; c == nil || c.Name != "app_notes" || string(c.Authored) != `{"who":"Ann","n":3}` || c.Hash == "" {
		t.Errorf("read %s", raw)
	}
}

// A bound secret that a parameter carries is still known as one inside the calls, however it is spelled there.
func TestSecretInParameter(t *testing.T) {
	b := newBench(t, map[string]string{"notes.tool.yaml": notes})
	const secret = "p{{w}}$pass" //nolint:gosec // of a test
	b.sess.Memory.SetSecret("pw", secret)
	if got := b.sess.Memory.SecretsIn(json.RawMessage(`{"a":"x` + memory.Escape(secret) + `"}`)); !slices.Equal(got, []string{"pw"}) {
		t.Errorf("secrets in an escaped text: %q", got)
	}
	if _, err := b.call("app_notes", `{"who":"{{pw}}"}`); err != nil {
		t.Fatal(err)
	}
	events, err := b.sess.Log.Events()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{secret, memory.Escape(secret)} {
		if strings.Contains(string(raw), form) {
			t.Errorf("the log holds %q", form)
		}
	}
}

// BenchmarkCall is what a YAML tool costs beside the built-in tool that it calls. The bar is 50 µs.
func BenchmarkCall(b *testing.B) {
	for _, name := range []string{"noteDown", "app_one"} {
		b.Run(name, func(b *testing.B) {
			w := newBench(b, map[string]string{"a.tool.yaml": "id: app_one\ndescription: d\nparameters: [{name: text}]\ntools: [noteDown: {text: \"{{text}}\"}]\n"})
			c := tool.Call{Name: name, Args: json.RawMessage(`{"text":"some text"}`)}
			for b.Loop() {
				if _, err := w.disp.Call(b.Context(), w.sess, dispatch.CLI, c); err != nil {
					b.Fatal(err)
				}
				w.seen = nil
			}
		})
	}
}

// FuzzFile: no file makes the reader of tools panic, and what it makes of it can be called.
func FuzzFile(f *testing.F) {
	for _, s := range []string{login, notes, "id: [\n", "id: a_b\nclass: web_click\n", "- a", "id: a_b\ntools: [a_b: {}]\nparameters: []\ndescription: d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, problems := yamltool.Parse("a.tool.yaml", []byte(text))
		if d == nil && len(problems) == 0 {
			t.Error("nothing was made of it, and nothing is wrong with it")
		}
		if d != nil {
			_ = d.Schema()
		}
	})
}

// FuzzSubstitution: whatever a parameter holds arrives as it is.
func FuzzSubstitution(f *testing.F) {
	b := newBench(f, map[string]string{"a.tool.yaml": "id: app_one\ndescription: d\nparameters: [{name: text}]\ntools: [noteDown: " +
		"{text: \"{{text}}\", url: \"<{{text}}>\"}]\n"})
	b.sess.Memory.Set("text", "memory's")
	for _, s := range []string{"", "a", "{{text}}", "${text}", "{{{}}", "}}{{", "$", "{{?text}}", "{", "{{args.x}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		raw, err := json.Marshal(map[string]string{"text": memory.Escape(text)})
		if err != nil {
			t.Fatal(err)
		}
		b.seen = nil
		res, err := b.disp.Call(t.Context(), b.sess, dispatch.CLI, tool.Call{Name: "app_one", Args: raw})
		if err != nil || res.IsError {
			t.Fatal(err, res)
		}
		want, _ := json.Marshal(noteIn{Text: text, URL: "<" + text + ">"})
		if len(b.seen) != 1 || b.seen[0] != string(want) {
			t.Errorf("got %q, want %s", b.seen, want)
		}
	})
}

// phone is a device of another platform than the web.
type phone struct {
	*tooltest.Device
	platform driver.Platform
}

func (p phone) Info() driver.Info {
	return driver.Info{ID: string(p.platform), Platform: p.platform, Driver: "PHONE", Width: 400, Height: 800}
}

// R6: one definition runs on Android, iOS and the web where its calls do; one that calls a tool of a single platform
// says which that is.
func TestOneDefinitionOnEachPlatform(t *testing.T) {
	builtIn, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	made, problems := loadWith(t, map[string]string{
		"buy.tool.yaml": "id: shop_buy\ndescription: Buys.\nparameters: [{name: what, type: string}]\ntools:\n" +
			"  - isVisible: {text: \"{{what}}\"}\n  - tap: {text: \"{{what}}\"}\n",
		"web.tool.yaml": "id: shop_open\ndescription: Opens.\nparameters: []\ntools:\n  - web_navigate: {url: \"https://shop.test/\"}\n",
	}, builtIn)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	reg, err := builtIn.With(made...)
	if err != nil {
		t.Fatal(err)
	}
	d := dispatch.New(dispatch.Options{Registry: reg})
	t.Cleanup(func() { _ = d.Close(context.WithoutCancel(t.Context())) })
	for _, platform := range []driver.Platform{driver.AndroidPlatform, driver.IOSPlatform, driver.WebPlatform} {
		dev := phone{tooltest.NewDevice(tooltest.Page(&screen.Node{
			Role: "button", Name: "Mug", Ref: "e1", Bounds: screen.Rect{X: 1, Y: 1, W: 50, H: 20},
		})), platform}
		s, err := session.Open(t.Context(), session.Options{Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close(event.Passed) })
		res, err := d.Call(t.Context(), s, dispatch.CLI, tool.Call{Name: "shop_buy", Args: json.RawMessage(`{"what":"Mug"}`)})
		if err == nil {
			err = res.Err()
		}
		if err != nil || len(dev.Actions()) != 1 {
			t.Errorf("%s: %v, did %v", platform, err, dev.Actions())
		}
		_, err = d.Call(t.Context(), s, dispatch.CLI, tool.Call{Name: "shop_open", Args: json.RawMessage(`{}`)})
		if isWeb := platform == driver.WebPlatform; !isWeb &&
			(fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), string(platform))) {
			t.Errorf("a tool of the web on %s: %v", platform, err)
		}
	}
}
