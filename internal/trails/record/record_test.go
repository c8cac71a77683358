package record

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// leaves is the effect a call is to report.
type leaves struct {
	Changes driver.Changes `json:"changes"`
	Status  int            `json:"status,omitempty"`
	URL     string         `json:"url,omitempty"`
}

// input lets a test say what the tool's evidence is to be.
type input struct {
	URL    string `json:"url,omitempty" jsonschema:"where to go"`
	Effect string `json:"effect,omitempty" jsonschema:"none when nothing changes"`
	Leaves leaves `json:"leaves,omitzero" jsonschema:"the effect to report"`
	Status int    `json:"expectStatus,omitempty" jsonschema:"as the tools of the product have it"`
	Origin string `json:"expectOrigin,omitempty" jsonschema:"as the tools of the product have it"`
}

func act(name string, recordable, delegating bool, delegates ...tool.Call) tool.Tool {
	return tool.Define(tool.Spec{Name: name, Title: name, Description: "Leaves what it is told to.", Kind: tool.Action, Recordable: recordable,
		Delegating: delegating},
		func(_ context.Context, env tool.Env, in input) (*tool.Result, error) {
			r := tool.TextResult("done")
			r.Evidence = &tool.Evidence{Expect: &tool.Expectation{URL: in.URL},
				Effect: &driver.Effect{Changes: in.Leaves.Changes, Status: in.Leaves.Status, URL: in.Leaves.URL}}
			r.Delegates = delegates
			return r, nil
		})
}

// nests calls demo_act from inside, which must not be recorded (R114).
func nests() tool.Tool {
	return tool.Define(tool.Spec{Name: "demo_nests", Title: "Nest", Description: "Calls another tool.", Kind: tool.Action, Recordable: true},
		func(ctx context.Context, env tool.Env, _ input) (*tool.Result, error) {
			return env.Call(ctx, tool.Call{Name: "demo_act", Args: json.RawMessage(`{"leaves":{"changes":{"tree":1}}}`)})
		})
}

// asks is a query of a server, which has the session remember a one-time code under a name.
func asks(name, keeps string) tool.Tool {
	return tool.Define(tool.Spec{Name: name, Title: name, Description: "Asks.", Kind: tool.Query, Recordable: true, Origin: "MCP server acme"},
		func(_ context.Context, env tool.Env, _ input) (*tool.Result, error) {
			if keeps != "" {
				env.Memory().Set(keeps, "482913")
			}
			return tool.TextResult("482913"), nil
		})
}

// A query that has the session remember something is recorded, so that a replay asks again; its value is not declared, and stands in
// no later call. A query that only looks is not.
func TestQueryThatKeepsAValue(t *testing.T) {
	const tree = `"leaves":{"changes":{"tree":1}}`
	tr, reg := run(t, call("acme_look", `{}`), call("demo_act", `{"url":"482913",`+tree+`}`), call("acme_code", `{}`),
		call("demo_act", `{"url":"code 482913",`+tree+`}`), call("demo_act", `{"url":"{{code}}",`+tree+`}`))
	c, err := tr.Compose(Plan{Classifier: "web", Tools: reg})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range c.Trail.Steps {
		for _, r := range s.Recordings["web"] {
			got = append(got, r.Name+string(r.Args))
		}
	}
	want := []string{`demo_act{"url":"482913",` + tree + `}`, `acme_code{}`, `demo_act{"url":"code {{code}}",` + tree + `}`,
		`demo_act{"url":"{{code}}",` + tree + `}`}
	if diff := cmp.Diff(want, got); diff != "" || len(c.Trail.Config.Memory) > 0 {
		t.Errorf("memory %v, calls (-want +got):\n%s", c.Trail.Config.Memory, diff)
	}
}

// idles is an action of a server that forgets to wait for its own calls.
func idles() tool.Tool {
	return tool.Define(tool.Spec{Name: "acme_pay", Title: "Pay", Description: "Pays.", Kind: tool.Action, Recordable: true, Origin: "MCP server acme"},
		func(context.Context, tool.Env, input) (*tool.Result, error) { return tool.TextResult("paid"), nil })
}

// What is known to be inconclusive in a replay is told when it is saved: an action without a sign that it did anything.
func TestActionWithoutASignIsTold(t *testing.T) {
	tr, reg := run(t, call("demo_act", `{"leaves":{"changes":{"tree":1}}}`), call("demo_nests", `{}`), call("acme_pay", `{}`))
	c, err := tr.Compose(Plan{Classifier: "web", Tools: reg})
	if err != nil {
		t.Fatal(err)
	}
	told := strings.Join(c.Warnings, "\n")
	if strings.Count(told, "inconclusive") != 1 || !strings.Contains(told, "acme_pay made no call and kept no value") {
		t.Errorf("told %s", told)
	}
}

// An action that is not recordable and asks for no calls in its place is in no trail: saving says so. One that did nothing, one that
// delegates and a call within another are none of these.
func TestUnrecordableActionIsTold(t *testing.T) {
	const tree = `{"leaves":{"changes":{"tree":1}}}`
	tr, reg := run(t, call("demo_act", tree), call("demo_help", tree), call("demo_help", `{}`), call("demo_pair", `{}`), call("demo_nests", `{}`))
	c, err := tr.Compose(Plan{Classifier: "web", Tools: reg})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, w := range c.Warnings {
		if name, _, ok := strings.Cut(w, " acted, and what it did is not in the trail"); ok {
			told = append(told, name)
		}
	}
	if diff := cmp.Diff([]string{"demo_help"}, told); diff != "" || len(tr.Unkept) != 1 {
		t.Errorf("%v, told (-want +got):\n%s", tr.Unkept, diff)
	}
}

// run makes each call in a step of its own, and returns what the log tells of them.
func run(t *testing.T, calls ...tool.Call) (*Transcript, *tool.Registry) {
	t.Helper()
	reg, err := tool.NewRegistry(act("demo_act", true, false), act("demo_help", false, false), nests(), asks("acme_code", "code"), asks("acme_look", ""), idles(),
		act("demo_pair", true, true, tool.Call{Name: "demo_act", Args: json.RawMessage(`{"url":"a","leaves":{"changes":{"tree":1}}}`)},
			tool.Call{Name: "demo_act", Args: json.RawMessage(`{"url":"b","leaves":{"changes":{"tree":1}}}`)}))
	if err != nil {
		t.Fatal(err)
	}
	d := dispatch.New(dispatch.Options{Registry: reg})
	s, err := session.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		s.Close(event.Passed)
	})
	for i, c := range calls {
		s.SetStep(i)
		if res, err := d.Call(t.Context(), s, dispatch.CLI, c); err != nil || res.IsError {
			t.Fatalf("%s: %v %v", c.Name, err, res.Text())
		}
	}
	tr, err := OfLog(s.Log)
	if err != nil {
		t.Fatal(err)
	}
	return tr, reg
}

// recorded are the calls that a trail of as many empty steps gets.
func recorded(t *testing.T, calls ...tool.Call) (out []string) {
	t.Helper()
	tr, reg := run(t, calls...)
	source := &trail.Trail{}
	for range calls {
		source.Steps = append(source.Steps, trail.Step{Kind: trail.ActionStep, Text: "Do", Recordable: true})
	}
	got, _ := tr.Rerecord(source, Plan{Classifier: "web", Tools: reg})
	for _, s := range got.Steps {
		for _, c := range s.Recordings["web"] {
			out = append(out, c.Name+" "+string(c.Args))
		}
	}
	return out
}

func call(name, args string) tool.Call { return tool.Call{Name: name, Args: json.RawMessage(args)} }

func TestWhatIsRecorded(t *testing.T) {
	const tree = `"leaves":{"changes":{"tree":1}}`
	tests := []struct {
		name string
		call tool.Call
		want []string
	}{
		{"a recordable call (R110)", call("demo_act", `{`+tree+`}`), []string{`demo_act {` + tree + `}`}},
		{"a helper is not (R107)", call("demo_help", `{`+tree+`}`), nil},
		{"a delegating call is replaced by what it expands to (R105)", call("demo_pair", `{}`),
			[]string{`demo_act {"url":"a",` + tree + `}`, `demo_act {"url":"b",` + tree + `}`}},
		{"a nested call is the outer call's business (R114)", call("demo_nests", `{}`), []string{`demo_nests {}`}},
		{"an action without effect says so, so that it replays", call("demo_act", `{"leaves":{"changes":{"received":true}}}`),
			[]string{`demo_act {"leaves":{"changes":{"received":true}},"effect":"none"}`}},
		{"an HTTP error that was accepted is expected", call("demo_act", `{"leaves":{"changes":{"navigation":true},"status":404}}`),
			[]string{`demo_act {"leaves":{"changes":{"navigation":true},"status":404},"expectStatus":404}`}},
		{"a navigation to another origin than asked for is expected",
			call("demo_act", `{"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://login.test/x"}}`),
			[]string{`demo_act {"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://login.test/x"},"expectOrigin":"https://login.test"}`}},
		{"a navigation to where it was asked for needs no word", call("demo_act",
			`{"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://a.test/in"}}`),
			[]string{`demo_act {"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://a.test/in"}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, recorded(t, tt.call)); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOriginIsFollowed proves that a click which leads elsewhere is held against where the device was before it.
func TestOriginIsFollowed(t *testing.T) {
	got := recorded(t,
		call("demo_act", `{"url":"https://a.test/","leaves":{"changes":{"navigation":true},"url":"https://a.test/"}}`),
		call("demo_act", `{"leaves":{"changes":{"navigation":true},"url":"https://pay.test/"}}`))
	want := `demo_act {"leaves":{"changes":{"navigation":true},"url":"https://pay.test/"},"expectOrigin":"https://pay.test"}`
	if len(got) != 2 || got[1] != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// TestTrail proves that a recording keeps what it does not know: steps without a call keep their slot, other
// classifiers theirs, and a v1 file's only slot becomes the device's.
func TestTrail(t *testing.T) {
	tr, reg := run(t, call("demo_act", `{"url":"new","leaves":{"changes":{"tree":1}}}`))
	old := []trail.Recorded{{Call: call("demo_old", `{}`)}}
	src := &trail.Trail{Format: trail.V1, Steps: []trail.Step{
		{Kind: trail.ActionStep, Text: "One", Recordable: true, Recordings: map[string][]trail.Recorded{trail.V1Classifier: old}},
		{Kind: trail.ActionStep, Text: "Two", Recordable: true, Recordings: map[string][]trail.Recorded{"web": {}, "android": old}},
	}}
	got, _ := tr.Rerecord(src, Plan{Classifier: "web", Tools: reg})
	if c := got.Steps[0].Recordings["web"]; len(c) != 1 || c[0].Name != "demo_act" {
		t.Errorf("step 0 has %v, want what was recorded", c)
	}
	if c, ok := got.Steps[1].Recordings["web"]; !ok || len(c) != 0 {
		t.Errorf("step 1 has %v, want its explicit no-op", c)
	}
	if c := got.Steps[1].Recordings["android"]; len(c) != 1 {
		t.Errorf("step 1 lost android's recording: %v", c)
	}
	if _, kept := got.Steps[0].Recordings[trail.V1Classifier]; kept || got.Format != trail.Unified {
		t.Error("the result is still a v1 file")
	}
	if len(src.Steps[0].Recordings[trail.V1Classifier]) != 1 {
		t.Error("the source was changed")
	}
}

// TestRerecordNamesWhatCounts proves that each recorded call whose element is told by a number is named, and no other.
func TestRerecordNamesWhatCounts(t *testing.T) {
	var g Group
	for name, sel := range map[string]string{"One": `{"ariaRole":"button","nthIndex":2}`, "Two": `{"ariaRole":"button","ariaNameRegex":"Two"}`,
		"Three": `{"cssSelector":"#row-b2"}`} {
		g.Actions = append(g.Actions, Action{Call: call("web_click", `{"nodeSelector":{"web":`+sel+`}}`), Kind: tool.Action,
			Target: &identity.Fingerprint{Role: "button", Name: name}})
	}
	tr := &Transcript{Groups: []Group{g}}
	if _, got := tr.Rerecord(&trail.Trail{}, Plan{Classifier: "web", Tools: builtin()}); len(got) != 2 || strings.Contains(strings.Join(got, " "), "Two") {
		t.Errorf("named are %q, want One and Three", got)
	}
}

// TestLastPlayingCounts proves that a trail which was played twice in a session is recorded once, and that two steps
// which say the same keep their calls apart.
func TestLastPlayingCounts(t *testing.T) {
	b := newBook(t, "")
	for _, url := range []string{"https://a.test/", "https://b.test/"} {
		b.put(event.Event{Type: event.TrailStarted, Trail: &event.Trail{Path: "x.trail.yaml"}})
		b.next = 0
		b.intent("Again").act("web_navigate", `{"url":"`+url+`"}`)
		b.intent("Again").act("web_click", `{"ref":"button"}`)
	}
	tr, err := OfLog(b.log)
	if err != nil {
		t.Fatal(err)
	}
	step := trail.Step{Kind: trail.ActionStep, Text: "Again", Recordable: true}
	got, _ := tr.Rerecord(&trail.Trail{Path: "x.trail.yaml", Steps: []trail.Step{step, step}}, Plan{Classifier: "web", Tools: builtin()})
	want := []string{`web_navigate {"url":"https://b.test/"}`, `web_click {"ref":"button"}`}
	for i, s := range got.Steps {
		if c := s.Recordings["web"]; len(c) != 1 || c[0].Name+" "+string(c[0].Args) != want[i] {
			t.Errorf("step %d has %+v, want %s", i, c, want[i])
		}
	}
	if len(tr.Runs) != 2 {
		t.Error("the transcript was changed")
	}
}

// TestLateOrigin proves that a page which went to another origin by itself is declared on the action before, also
// where only an assertion saw it.
func TestLateOrigin(t *testing.T) {
	b := newBook(t, "")
	at := func(url string) func(*event.Call) { return func(c *event.Call) { c.Page = url } }
	b.intent("Pay").act("web_navigate", `{"url":"https://a.test/"}`,
		effect(driver.Effect{URL: "https://a.test/", Changes: driver.Changes{Navigation: true}}))
	b.act("web_click", `{}`, effect(driver.Effect{URL: "https://a.test/", Changes: driver.Changes{Tree: 1}}), at("https://a.test/"))
	b.call(tool.Assertion, "web_verifyTextVisible", `{"text":"Paid"}`, at("https://b.test/paid"))
	b.call(tool.Assertion, "web_verifyTextVisible", `{"text":"Thanks"}`, at("https://b.test/paid"))
	want := `web_click{"expectOrigin":"https://b.test"}`
	if got := strings.Join(story(compose(t, b, Plan{})), "\n"); !strings.Contains(got, want) || strings.Count(got, "expectOrigin") != 1 {
		t.Errorf("the trail is\n%s\nwant %s, and nothing else declared", got, want)
	}
}
