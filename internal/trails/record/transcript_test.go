package record

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/memory/mask"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// book writes the events of a session as the dispatcher and the hub do.
type book struct {
	t    *testing.T
	log  *event.Log
	step int
	next int
}

func newBook(t *testing.T, dir string) *book {
	t.Helper()
	log, err := event.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	b := &book{t: t, log: log, step: event.NoStep}
	b.put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: "s", Title: "Buy a lamp", Platform: "web", Driver: "PLAYWRIGHT_NATIVE"}})
	return b
}

func (b *book) put(e event.Event) {
	b.t.Helper()
	if _, err := b.log.Append(e); err != nil {
		b.t.Fatal(err)
	}
}

// intent opens a step; "" goes on outside of any.
func (b *book) intent(text string) *book {
	b.step = event.NoStep
	if text != "" {
		b.step = b.next
		b.next++
		b.put(event.Event{Type: event.StepStarted, Step: &event.Step{Index: b.step, Kind: "step", Text: text}})
	}
	return b
}

var changed = &driver.Effect{Changes: driver.Changes{Tree: 1}}

func (b *book) call(kind tool.Kind, name, args string, change ...func(*event.Call)) *book {
	b.t.Helper()
	c := &event.Call{ID: name, Role: "top", Name: name, Kind: kind, Args: json.RawMessage(args), Step: b.step,
		Recorded: &tool.Call{Name: name, Args: json.RawMessage(args)}}
	if kind == tool.Action {
		c.Evidence = &tool.Evidence{Effect: changed}
	}
	for _, fn := range change {
		fn(c)
	}
	b.put(event.Event{Type: event.ToolCall, Call: c})
	return b
}

func (b *book) act(name, args string, change ...func(*event.Call)) *book {
	return b.call(tool.Action, name, args, change...)
}

func (b *book) check(text string) *book {
	return b.call(tool.Assertion, "web_verifyTextVisible", `{"text":"`+text+`"}`)
}

func failed(c *event.Call) { c.IsError, c.Recorded = true, nil }

func target(role, name string) func(*event.Call) {
	return called(identity.Fingerprint{Role: role, Name: name})
}

func called(f identity.Fingerprint) func(*event.Call) {
	return func(c *event.Call) {
		if c.Evidence == nil {
			c.Evidence = &tool.Evidence{}
		}
		c.Evidence.Target = &f
	}
}

func effect(e driver.Effect) func(*event.Call) {
	return func(c *event.Call) { c.Evidence = &tool.Evidence{Effect: &e, Target: c.Evidence.Target} }
}

func compose(t *testing.T, b *book, p Plan) *Composed {
	t.Helper()
	tr, err := OfLog(b.log)
	if err != nil {
		t.Fatal(err)
	}
	if p.Tools == nil {
		p.Tools = builtin()
	}
	c, err := tr.Compose(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// builtin are the tools that are told by their sentences; others may be called as well.
var builtin = sync.OnceValue(func() *tool.Registry {
	reg, err := tool.NewRegistry(tools.Builtin()...)
	if err != nil {
		panic(err)
	}
	return reg
})

// story is a trail in a few words: kind, text, and the calls with what the recorder added.
func story(c *Composed) []string {
	var out []string
	for _, s := range c.Trail.Steps {
		line := string(s.Kind) + " " + s.Text + ":"
		for _, r := range s.Recordings[c.Classifier] {
			line += " " + r.Name + string(r.Args)
		}
		out = append(out, line)
	}
	return out
}

func TestStepsOfASession(t *testing.T) {
	tests := []struct {
		name string
		book func(b *book)
		want []string
	}{
		{"calls of one purpose are one step (R10)", func(b *book) {
			b.intent("Fill in").act("web_type", `{"text":"a"}`).act("web_click", `{}`)
		}, []string{`step Fill in: web_type{"text":"a"} web_click{}`}},
		{"a purpose that is tried again goes on", func(b *book) {
			b.intent("Log in").act("web_click", `{"n":1}`, failed).intent("Log in").act("web_click", `{"n":2}`).intent("Log in").check("Hi")
		}, []string{`step Log in: web_click{"n":2} web_verifyTextVisible{"text":"Hi"}`}},
		{"failed calls are never in a trail, nor a step that has only those", func(b *book) {
			b.intent("Guess").act("web_click", `{}`, failed).intent("Know").act("web_click", `{}`)
		}, []string{`step Know: web_click{}`}},
		{"looks are not in a trail", func(b *book) {
			b.intent("Look").call(tool.Query, "web_snapshot", `{}`).intent("").act("web_pressKey", `{"key":"Enter"}`).call(tool.Query, "isVisible", `{}`)
		}, []string{`step Press Enter: web_pressKey{"key":"Enter"}`}},
		{"a purpose that only checks is a verification", func(b *book) {
			b.intent("Click").act("web_click", `{}`).intent("She is welcome").check("Welcome").check("Ada")
		}, []string{`step Click: web_click{}`, `verify She is welcome: web_verifyTextVisible{"text":"Welcome"} web_verifyTextVisible{"text":"Ada"}`}},
		{"the same check twice is one, unless something was done between", func(b *book) {
			b.intent("Look twice").check("A").check("A").act("web_click", `{}`).check("A")
		}, []string{`step Look twice: web_verifyTextVisible{"text":"A"} web_click{} web_verifyTextVisible{"text":"A"}`}},
		{"what happened between two halves of a purpose stays between them", func(b *book) {
			b.intent("A").act("web_click", `{"n":1}`)
			a := b.step
			b.intent("B").act("web_click", `{"n":2}`)
			b.step = a
			b.act("web_click", `{"n":3}`)
		}, []string{`step A: web_click{"n":1}`, `step B: web_click{"n":2}`, `step A: web_click{"n":3}`}},
		{"an action without effect says so, so that it replays", func(b *book) {
			b.intent("A").act("web_click", `{}`, effect(driver.Effect{Changes: driver.Changes{Received: true}}))
		}, []string{`step A: web_click{"effect":"none"}`}},
		{"a purpose is written so that a file can hold it", func(b *book) {
			b.intent("Log\x00 in\r\nas Ada\x1b ").act("web_click", `{}`)
		}, []string{"step Log in\nas Ada: web_click{}"}},
		{"a way to another site says so", func(b *book) {
			b.intent("A").act("web_navigate", `{"url":"https://a.test/"}`, effect(driver.Effect{URL: "https://a.test/", Changes: driver.Changes{Navigation: true}})).
				act("web_click", `{}`, effect(driver.Effect{URL: "https://b.test/", Changes: driver.Changes{Navigation: true}}))
		}, []string{`step A: web_navigate{"url":"https://a.test/"} web_click{"expectOrigin":"https://b.test"}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t, "")
			tt.book(b)
			if diff := cmp.Diff(tt.want, story(compose(t, b, Plan{}))); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSupersededText proves that a text that was typed over is left out, and only when nothing can have come of it.
func TestSupersededText(t *testing.T) {
	const field = `"nodeSelector":{"web":{"ariaRole":"textbox","ariaNameRegex":"Name"}}`
	quiet := effect(driver.Effect{Changes: driver.Changes{Value: true, Verified: true}})
	loud := effect(driver.Effect{Changes: driver.Changes{Value: true, Requests: 1}})
	name, other := target("textbox", "Name"), target("textbox", "Other")
	tests := []struct {
		name  string
		first string
		how   []func(*event.Call)
		then  string
		whom  func(*event.Call)
		calls int
	}{
		{"typed over", `{"text":"Ad",` + field + `}`, []func(*event.Call){name, quiet}, `{"text":"Ada",` + field + `}`, name, 1},
		{"the form answered", `{"text":"Ad",` + field + `}`, []func(*event.Call){name, loud}, `{"text":"Ada",` + field + `}`, name, 2},
		{"another field", `{"text":"Ad",` + field + `}`, []func(*event.Call){name, quiet},
			`{"text":"Ada","nodeSelector":{"web":{"ariaNameRegex":"Other"}}}`, other, 2},
		{"submitted", `{"text":"Ad","submit":true,` + field + `}`, []func(*event.Call){name, quiet}, `{"text":"Ada",` + field + `}`, name, 2},
		{"typed at the caret", `{"text":"Ad",` + field + `}`, []func(*event.Call){name, quiet}, `{"text":"a","clearFirst":false,` + field + `}`, name, 2},
		{"emptied again", `{"text":"Ad",` + field + `}`, []func(*event.Call){name, quiet}, `{"text":"",` + field + `}`, name, 2},
		{"nobody knows which field", `{"text":"Ad"}`, []func(*event.Call){name, quiet}, `{"text":"Ada"}`, name, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t, "").intent("Type").act("web_type", tt.first, tt.how...).act("web_type", tt.then, tt.whom, quiet)
			got := compose(t, b, Plan{})
			if got.Actions != tt.calls || !strings.Contains(story(got)[0], tt.then) {
				t.Errorf("%d actions, want %d: %v", got.Actions, tt.calls, story(got))
			}
		})
	}
}

func TestSentences(t *testing.T) {
	tests := []struct {
		want, name, args string
		kind             tool.Kind
		target           func(*event.Call)
	}{
		{"Click the button “Continue”", "web_click", `{"nodeSelector":{}}`, tool.Action, target("button", "Continue")},
		{"Type “Ada” into “First name”", "web_type", `{"text":"Ada"}`, tool.Action, target("textbox", "First name")},
		{"Type {{password}} into “Password” and press Enter", "web_type", `{"text":"{{password}}","submit":true}`, tool.Action, target("textbox", "Password")},
		{"Open https://a.test/", "web_navigate", `{"url":"https://a.test/"}`, tool.Action, nil},
		{"Go back", "web_navigate", `{"action":"BACK"}`, tool.Action, nil},
		{"Choose “Peru” in “Country”", "web_selectOption", `{"values":["Peru"]}`, tool.Action, target("combobox", "Country")},
		{"Uncheck the checkbox “Newsletter”", "web_setChecked", `{"checked":false}`, tool.Action, target("checkbox", "Newsletter")},
		{"Click the element", "web_click", `{}`, tool.Action, target("", "")},
		{"Click the item “Write”", "web_click", `{}`, tool.Action, called(identity.Fingerprint{Role: "listitem", Text: "Write"})},
		{"Click the button “Remove” of “A \"small\" mug”", "web_click", `{}`, tool.Action, called(identity.Fingerprint{
			Role: "button", Name: "Remove", Item: "listitem", Near: []string{`heading "A \"small\" mug"`}, Alike: 2})},
		{"Click the button “Remove”", "web_click", `{}`, tool.Action, called(identity.Fingerprint{
			Role: "button", Name: "Remove", Item: "listitem", Near: []string{`heading "Mug"`}})},
		{"Drag the item “Map” before the item “Tent”", "web_drag", `{"place":"before","toFingerprint":{"role":"listitem","text":"Tent"}}`,
			tool.Action, called(identity.Fingerprint{Role: "listitem", Text: "Map"})},
		{"Type “a” into the editor", "web_type", `{"text":"a"}`, tool.Action, called(identity.Fingerprint{Role: "generic", Editor: true})},
		{"“Welcome” is visible", "web_verifyTextVisible", `{"text":"Welcome"}`, tool.Assertion, nil},
		{"Shop sign in", "shop_signIn", `{}`, tool.Action, nil},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			b := newBook(t, "")
			var with []func(*event.Call)
			if tt.target != nil {
				with = append(with, tt.target)
			}
			b.call(tt.kind, tt.name, tt.args, with...)
			got := compose(t, b, Plan{}).Trail.Steps[0]
			if got.Text != tt.want || (got.Kind == trail.VerifyStep) != (tt.kind == tool.Assertion) {
				t.Errorf("%s %q, want %q", got.Kind, got.Text, tt.want)
			}
		})
	}
}

// TestTokensAreDeclared proves that a trail says what it needs from outside, and that a secret's value is in no byte.
func TestTokensAreDeclared(t *testing.T) {
	m := memory.New()
	m.Set("shop", "https://shop.test")
	m.SetSecret("password", "hunter2-canary")
	b := newBook(t, "").intent("Sign in").
		act("web_navigate", `{"url":"{{memory.shop}}/account"}`).act("web_type", `{"text":"{{password}}"}`).
		act("web_type", `{"text":"{{args.sku}}"}`).act("remember", `{"variable":"total"}`).act("web_type", `{"text":"${total} {{nowhere}}"}`)
	c := compose(t, b, Plan{Memory: m})
	if diff := cmp.Diff(map[string]string{"shop": "https://shop.test"}, c.Trail.Config.Memory); diff != "" {
		t.Errorf("memory (-want +got):\n%s", diff)
	}
	if len(c.Trail.Config.Args) != 1 || c.Trail.Config.Args[0].Name != "sku" {
		t.Errorf("args %v, want sku", c.Trail.Config.Args)
	}
	text, err := Preview(c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "canary") || !strings.Contains(text, "{{password}}") {
		t.Errorf("the secret stands in the file, or its token does not:\n%s", text)
	}
	if strings.Contains(text, "total:") {
		t.Errorf("what the trail itself remembers is declared:\n%s", text)
	}
	all := strings.Join(c.Warnings, "\n")
	for _, want := range []string{"password", "sku", "{{nowhere}}"} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning names %s:\n%s", want, all)
		}
	}
}

// TestValuesAreLearnt proves that a session whose memory is gone still makes a trail that runs: what its tokens stood
// for is read off its calls, secrets apart.
func TestValuesAreLearnt(t *testing.T) {
	as := func(executed string) func(*event.Call) {
		return func(c *event.Call) { c.Authored, c.Args = c.Args, json.RawMessage(executed) }
	}
	b := newBook(t, "").intent("Sign in").
		act("web_navigate", `{"url":"{{memory.shop}}/account"}`, as(`{"url":"https://shop.test/account"}`)).
		act("web_type", `{"text":"{{password}}"}`, as(`{"text":"`+mask.Masked+`"}`)).
		act("web_type", `{"text":"{{args.sku}}"}`, as(`{"text":"lamp"}`)).
		act("web_type", `{"text":"{{shop}}"}`, as(`{"text":"https://changed.test"}`))
	cfg := compose(t, b, Plan{}).Trail.Config
	if diff := cmp.Diff(map[string]string{"shop": "https://shop.test"}, cfg.Memory); diff != "" {
		t.Errorf("memory (-want +got):\n%s", diff)
	}
	if len(cfg.Args) != 1 || string(cfg.Args[0].Default) != `"lamp"` {
		t.Errorf("args %+v, want sku with what it was", cfg.Args)
	}
}

func TestDoubtsAreTold(t *testing.T) {
	b := newBook(t, "").intent("A").
		act("web_click", `{"nodeSelector":{"web":{"ariaRole":"button","nthIndex":2}}}`, target("button", "Add")).
		act("web_click", `{"ref":"e12"}`).act("web_type", `{"text":"`+mask.Masked+`"}`)
	got := strings.Join(compose(t, b, Plan{}).Warnings, "\n")
	for _, want := range []string{"position only", "ref e12", "secret was spelled out", "does not begin by opening a page"} {
		if !strings.Contains(got, want) {
			t.Errorf("no warning says %q:\n%s", want, got)
		}
	}
}

// TestToolsThatCannotSay proves that a trail never holds an argument that its tool would refuse.
func TestToolsThatCannotSay(t *testing.T) {
	reg, err := tool.NewRegistry(act("demo_act", true, false), tool.Define(tool.Spec{Name: "demo_plain", Description: "Knows nothing.",
		Kind: tool.Action, Recordable: true},
		func(context.Context, tool.Env, struct{}) (struct{}, error) { return struct{}{}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	quiet := effect(driver.Effect{Changes: driver.Changes{Received: true}})
	b := newBook(t, "").intent("A").act("demo_act", `{}`, quiet).act("demo_plain", `{}`, quiet).act("demo_gone", `{}`, quiet)
	c := compose(t, b, Plan{Tools: reg})
	if want := `step A: demo_act{"effect":"none"} demo_plain{} demo_gone{}`; story(c)[0] != want {
		t.Errorf("got %s, want %s", story(c)[0], want)
	}
	got := strings.Join(c.Warnings, "\n")
	for _, want := range []string{"demo_plain does not know the argument effect", "no tool demo_gone",
		"it changed nothing that could be seen, and is saved as `effect: none`"} {
		if !strings.Contains(got, want) {
			t.Errorf("no warning says %q:\n%s", want, got)
		}
	}
}

// TestBeginsWhereTheSessionBegan proves that a session on a page that was open already replays from that page.
func TestBeginsWhereTheSessionBegan(t *testing.T) {
	b := newBook(t, "")
	b.put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: "s", Labels: map[string]string{LabelURL: "https://a.test/cart"}}})
	b.intent("Pay").act("web_click", `{}`)
	want := []string{`step Open https://a.test/cart: web_navigate{"url":"https://a.test/cart"}`, `step Pay: web_click{}`}
	if diff := cmp.Diff(want, story(compose(t, b, Plan{}))); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// TestBeginsWithAToolThatOpensThePage proves that a trail whose first call opens a page by another call begins with that
// call, without a warning.
func TestBeginsWithAToolThatOpensThePage(t *testing.T) {
	inner := func(parent string, nested ...func(*event.Call)) []func(*event.Call) {
		return append(nested, func(c *event.Call) { c.Parent, c.Role, c.Recorded = parent, "nested", nil })
	}
	for _, label := range []string{"", "https://a.test/cart"} {
		b := newBook(t, "")
		b.put(event.Event{Type: event.SessionStarted, Session: &event.Session{ID: "s", Labels: map[string]string{LabelURL: label}}})
		b.intent("Sign in").call(tool.Query, "web_snapshot", `{}`, inner("mid")...).
			act("web_navigate", `{"url":"https://a.test/"}`, inner("mid", func(c *event.Call) { c.ID = "deep" })...).
			act("web_type", `{}`, inner("top", func(c *event.Call) { c.ID = "mid" })...).
			act("demo_login", `{}`, func(c *event.Call) { c.ID = "top" })
		got := compose(t, b, Plan{})
		if diff := cmp.Diff([]string{`step Sign in: demo_login{}`}, story(got)); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		if text := strings.Join(got.Warnings, "\n"); strings.Contains(text, "opening a page") {
			t.Errorf("warnings: %s", text)
		}
	}
}

// TestAfterACrash proves that the log alone is enough, torn at any byte: what was recorded before is there.
func TestAfterACrash(t *testing.T) {
	dir := t.TempDir()
	b := newBook(t, dir)
	b.intent("One").act("web_click", `{"n":1}`).intent("Two").act("web_click", `{"n":2}`)
	if err := b.log.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, event.File)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data[:len(data)-5], 0o644); err != nil {
		t.Fatal(err)
	}
	tr, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := tr.Actions(); n != 1 || tr.Closed {
		t.Errorf("%d actions, closed %t; want the one before the torn line", n, tr.Closed)
	}
	if got := tr.Groups[0].Intent; got != "One" {
		t.Errorf("intent %q", got)
	}
}

// TestSinceARun proves that a trail that was played and mended is told apart from what was done before it, even when
// that had the same purpose.
func TestSinceARun(t *testing.T) {
	b := newBook(t, "").intent("Buy").act("web_click", `{"n":1}`)
	b.put(event.Event{Type: event.TrailStarted, Trail: &event.Trail{Path: "trails/buy.trail.yaml"}})
	b.intent("Buy").act("web_click", `{"n":2}`).intent("Pay").act("web_click", `{}`, failed).intent("Pay").act("web_click", `{"n":3}`)
	tr, err := OfLog(b.log)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Since("trails/other.trail.yaml") || !tr.Since("trails/buy.trail.yaml") {
		t.Fatal("the wrong trail was found")
	}
	c, err := tr.Compose(Plan{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`step Buy: web_click{"n":2}`, `step Pay: web_click{"n":3}`}, story(c)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestNothingToSave(t *testing.T) {
	b := newBook(t, "").intent("Look").call(tool.Query, "web_snapshot", `{}`)
	tr, err := OfLog(b.log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Compose(Plan{}); fault.KindOf(err) != fault.NotFound || fault.HintOf(err) == "" {
		t.Errorf("Compose = %v, want a fault that says what to do", err)
	}
	if slices.ContainsFunc(tr.Groups, func(g Group) bool { return g.Intent != "Look" }) {
		t.Errorf("groups %+v", tr.Groups)
	}
}

// What the agent tried and what came to nothing is in no recording; of everybody else it is.
func TestAgentsGropingIsLeftOut(t *testing.T) {
	for _, caller := range []string{"agent", "cli"} {
		dir := t.TempDir()
		b := newBook(t, dir).intent("Buy it")
		call := func(id, name string, kind tool.Kind, changes driver.Changes) {
			b.put(event.Event{Type: event.ToolCall, Call: &event.Call{ID: id, Caller: caller, Role: "delegate", Name: name, Kind: kind, Step: b.step,
				Recorded: &tool.Call{Name: name, Args: json.RawMessage(`{}`)}, Evidence: &tool.Evidence{Effect: &driver.Effect{Changes: changes}}}})
		}
		call("1", "press", tool.Action, driver.Changes{})
		call("2", "look", tool.Query, driver.Changes{})
		call("3", "focus", tool.Action, driver.Changes{Focused: true})
		call("4", "press", tool.Action, driver.Changes{Tree: 1})
		tr, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"agent": 2, "cli": 4}[caller]; tr.Actions() != want {
			t.Errorf("%s: %d actions, want %d", caller, tr.Actions(), want)
		}
	}
}

// What was done for a step or a check with which the judge does not agree is no part of a recording, and the trail says so
// of what acted. Which models made the rest, and what the judge said, stands in the metadata.
func TestJudgeDeclines(t *testing.T) {
	b := newBook(t, t.TempDir())
	part := func(of string) func(*event.Call) { return func(c *event.Call) { c.Role, c.Parent = "delegate", of } }
	ruling := func(says string) {
		b.put(event.Event{Type: event.McpSampling, Sampling: &event.Sampling{Judge: true, Ruling: says, Asked: "lab/judge"}})
	}
	b.act("web_navigate", `{"url":"https://shop.example/"}`) // by a person
	b.intent("Put the mug into the cart").act("web_click", `{"ref":"delete"}`, part("step1"))
	ruling("does not")
	b.act("step1", `{}`, failed)
	b.intent("Open the list").put(event.Event{Type: event.McpSampling, Sampling: &event.Sampling{Model: "actor-1", Asked: "lab/actor"}})
	b.act("web_click", `{"ref":"list"}`, part("step2"))
	ruling("") // no ruling, and then one
	ruling("holds")
	b.act("step2", `{}`, failed) // for another reason: what was done stays
	b.intent("It is empty").call(tool.Assertion, "web_verifyTextVisible", `{"text":"Empty"}`, part("verify1"))
	ruling("cannot tell")
	b.call(tool.Assertion, "verify1", `{}`, failed)
	c := compose(t, b, Plan{})
	if got := story(c); len(got) != 2 || !strings.Contains(got[1], "Open the list") {
		t.Errorf("%q", got)
	}
	want := map[string]string{"blazed: Open the list": "lab/actor and lab/judge; the judge says holds"}
	if d := cmp.Diff(want, c.Trail.Config.Metadata); d != "" {
		t.Error(d)
	}
	if all := strings.Join(c.Warnings, "\n"); !strings.Contains(all, `"Put the mug into the cart": the judge did not agree`) {
		t.Errorf("%q", c.Warnings)
	}
}
