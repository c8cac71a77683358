package record

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/session"
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
	Leaves leaves `json:"leaves,omitempty" jsonschema:"the effect to report"`
	Status int    `json:"expectStatus,omitempty" jsonschema:"as the tools of the product have it"`
	Origin string `json:"expectOrigin,omitempty" jsonschema:"as the tools of the product have it"`
}

func act(name string, recordable, delegating bool, delegates ...tool.Call) tool.Tool {
	return tool.Define(tool.Spec{Name: name, Title: name, Description: "Leaves what it is told to.", Kind: tool.Action, Recordable: recordable, Delegating: delegating},
		func(_ context.Context, env tool.Env, in input) (*tool.Result, error) {
			r := tool.TextResult("done")
			r.Evidence = &tool.Evidence{Effect: &driver.Effect{Changes: in.Leaves.Changes, Status: in.Leaves.Status, URL: in.Leaves.URL}}
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

func run(t *testing.T, rec *Recorder, calls ...tool.Call) {
	t.Helper()
	reg, err := tool.NewRegistry(act("demo_act", true, false), act("demo_help", false, false), nests(),
		act("demo_pair", true, true, tool.Call{Name: "demo_act", Args: json.RawMessage(`{"url":"a","leaves":{"changes":{"tree":1}}}`)},
			tool.Call{Name: "demo_act", Args: json.RawMessage(`{"url":"b","leaves":{"changes":{"tree":1}}}`)}))
	if err != nil {
		t.Fatal(err)
	}
	d := dispatch.New(dispatch.Options{Registry: reg, Middleware: []dispatch.Middleware{rec.Middleware()}})
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
		{"a navigation to another origin than asked for is expected", call("demo_act", `{"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://login.test/x"}}`),
			[]string{`demo_act {"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://login.test/x"},"expectOrigin":"https://login.test"}`}},
		{"a navigation to where it was asked for needs no word", call("demo_act", `{"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://a.test/in"}}`),
			[]string{`demo_act {"url":"https://a.test/in","leaves":{"changes":{"navigation":true},"url":"https://a.test/in"}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := New()
			run(t, rec, tt.call)
			var got []string
			for _, e := range rec.Entries() {
				got = append(got, e.Call.Name+" "+string(e.Call.Args))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOriginIsFollowed proves that a click which leads elsewhere is held against where the device was before it.
func TestOriginIsFollowed(t *testing.T) {
	rec := New()
	run(t, rec,
		call("demo_act", `{"url":"https://a.test/","leaves":{"changes":{"navigation":true},"url":"https://a.test/"}}`),
		call("demo_act", `{"leaves":{"changes":{"navigation":true},"url":"https://pay.test/"}}`))
	want := `{"leaves":{"changes":{"navigation":true},"url":"https://pay.test/"},"expectOrigin":"https://pay.test"}`
	if got := string(rec.Entries()[1].Call.Args); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTrail proves that a recording keeps what it does not know: steps without a call keep their slot, other classifiers
// theirs, and a v1 file's only slot becomes the device's.
func TestTrail(t *testing.T) {
	rec := New()
	run(t, rec, call("demo_act", `{"url":"new","leaves":{"changes":{"tree":1}}}`))
	old := []trail.Recorded{{Call: call("demo_old", `{}`)}}
	src := &trail.Trail{Format: trail.V1, Steps: []trail.Step{
		{Kind: trail.ActionStep, Text: "One", Recordable: true, Recordings: map[string][]trail.Recorded{trail.V1Classifier: old}},
		{Kind: trail.ActionStep, Text: "Two", Recordable: true, Recordings: map[string][]trail.Recorded{"web": {}, "android": old}},
	}}
	got := rec.Trail(src, "web")
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

// TestRecorderNamesWhatCounts: each recorded call whose element is told by a number is named, and no other.
func TestRecorderNamesWhatCounts(t *testing.T) {
	rec := New()
	for _, sel := range []string{`{"web":{"ariaRole":"button","nthIndex":2}}`, `{"web":{"ariaRole":"button","ariaNameRegex":"Save"}}`, `{"web":{"cssSelector":"#row-b2"}}`} {
		rec.entries = append(rec.entries, Entry{Call: tool.Call{Name: "web_click", Args: json.RawMessage(`{"nodeSelector":` + sel + `}`)}})
	}
	if got := rec.ByPosition(); len(got) != 2 {
		t.Errorf("named are %q, want the first and the third", got)
	}
}
