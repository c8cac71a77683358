package replay

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

func TestMain(m *testing.M) {
	// Cases on a browser mostly wait; more of them than there are cores do so side by side.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(webtest.Closing(m))
}

type none struct{}

// demo is a workbench of tools with the outcomes a player has to tell apart. flaky fails on its first call only.
func demo(t *testing.T) (*tool.Registry, *atomic.Int32) {
	t.Helper()
	var flaky atomic.Int32
	acted := &tool.Evidence{Effect: &driver.Effect{Changes: driver.Changes{Tree: 1}}}
	make := func(name string, kind tool.Kind, run func() (*tool.Result, error)) tool.Tool {
		return tool.Define(tool.Spec{Name: name, Title: name, Description: "Does what the test needs.", Kind: kind, Recordable: true},
			func(context.Context, tool.Env, none) (*tool.Result, error) { return run() })
	}
	ok := func(ev *tool.Evidence) (*tool.Result, error) {
		r := tool.TextResult("done")
		r.Evidence = ev
		return r, nil
	}
	reg, err := tool.NewRegistry(
		make("demo_act", tool.Action, func() (*tool.Result, error) { return ok(acted) }),
		make("demo_idle", tool.Action, func() (*tool.Result, error) { return ok(&tool.Evidence{Effect: &driver.Effect{}}) }),
		make("demo_see", tool.Assertion, func() (*tool.Result, error) { return ok(&tool.Evidence{Checked: "it is there"}) }),
		make("demo_miss", tool.Assertion, func() (*tool.Result, error) {
			return tool.Fail(fault.New(fault.Assertion, "find text", "no text \"Paid\"").WithDetail(fault.Detail{Looked: `text "Paid"`})), nil
		}),
		make("demo_blind", tool.Assertion, func() (*tool.Result, error) {
			return tool.Fail(fault.New(fault.Degraded, "capture", "a frame did not answer")), nil
		}),
		make("demo_crash", tool.Action, func() (*tool.Result, error) {
			return nil, fault.New(fault.Unavailable, "talk to browser", "it is gone")
		}),
		make("demo_flaky", tool.Assertion, func() (*tool.Result, error) {
			if flaky.Add(1) == 1 {
				return tool.Fail(fault.New(fault.Assertion, "look", "not yet")), nil
			}
			return ok(&tool.Evidence{Checked: "now"})
		}),
		tool.Define(tool.Spec{Name: "demo_wedged", Title: "Wedged", Description: "Waits for its end.", Kind: tool.Action, Recordable: true},
			func(ctx context.Context, _ tool.Env, _ none) (*tool.Result, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}),
		tool.Define(tool.Spec{Name: "demo_say", Title: "Say", Description: "Takes a text.", Kind: tool.Action, Recordable: true},
			func(_ context.Context, _ tool.Env, _ struct {
				Text string `json:"text"`
			}) (*tool.Result, error) {
				return ok(acted)
			}),
		tool.Define(tool.Spec{Name: "demo_think", Title: "Think", Description: "Asks a model.", Kind: tool.Assertion, Recordable: true, NeedsModel: true},
			func(context.Context, tool.Env, none) (*tool.Result, error) { return nil, errors.New("no model") }),
	)
	if err != nil {
		t.Fatal(err)
	}
	return reg, &flaky
}

func newPlayer(t *testing.T, reg *tool.Registry, mw ...dispatch.Middleware) *Player {
	t.Helper()
	d := dispatch.New(dispatch.Options{Registry: reg, Middleware: mw})
	t.Cleanup(func() {
		if err := d.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return &Player{Dispatcher: d, Registry: reg}
}

func open(t *testing.T) *session.Session {
	t.Helper()
	s, err := session.Open(t.Context(), session.Options{Root: t.TempDir(), Title: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(event.Passed) })
	return s
}

// write makes a trail of steps given as "step: tool tool" or "verify: tool"; "step: []" is a no-op, "step: -"
// undeclared.
func write(t *testing.T, steps ...string) *trail.Trail {
	t.Helper()
	var b strings.Builder
	b.WriteString("config:\n  title: Test\ntrail:\n")
	for i, s := range steps {
		kind, tools, _ := strings.Cut(s, ": ")
		fmt.Fprintf(&b, "  - %s: Step %d\n", kind, i)
		switch tools {
		case "-":
			continue
		case "[]":
			b.WriteString("    recording:\n      web: []\n")
			continue
		}
		b.WriteString("    recording:\n      web:\n")
		for name := range strings.FieldsSeq(tools) {
			args := "{}"
			if name == "demo_say" {
				args = "{text: '{{password}}'}"
			}
			fmt.Fprintf(&b, "        - %s: %s\n", name, args)
		}
	}
	tr, problems := trail.Parse("test.trail.yaml", []byte(b.String()), trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return tr
}

func TestPlay(t *testing.T) {
	tests := []struct {
		name    string
		steps   []string
		outcome event.Outcome
		says    string
		calls   int
	}{
		{"all steps hold", []string{"step: demo_act", "verify: demo_see"}, event.Passed, "", 2},
		{"a no-op step passes beside a real one (R110)", []string{"step: []", "verify: demo_see"}, event.Passed, "", 1},
		{"a trail of no-ops proves nothing", []string{"step: []"}, event.Failed, "no tool call was carried out", 0},
		{"stops at the first step that does not hold", []string{"verify: demo_miss", "step: demo_act"}, event.Failed, `no text "Paid"`, 1},
		{"an action that did nothing is not a pass", []string{"step: demo_idle"}, event.Failed, "nothing changed", 1},
		{"a poor capture decides nothing", []string{"verify: demo_blind"}, event.Undecided, "a frame did not answer", 1},
		{"a browser that went away is not the app's failure", []string{"step: demo_crash"}, event.Broken, "it is gone", 1},
		{"an undeclared step stops at preflight (R108, R232)", []string{"step: demo_act", "step: -"}, event.Broken,
			`line 8: step "Step 1" has no recording for web`, 0},
		{"a tool that asks a model stops at preflight (R109)", []string{"verify: demo_think"}, event.Broken, "demo_think, which asks a model", 0},
		{"an unknown tool stops at preflight", []string{"step: demo_nope"}, event.Broken, `test.trail.yaml:7:11: error: there is no tool "demo_nope"`, 0},
		{"a verify step must check something", []string{"verify: demo_act"}, event.Broken, "checks nothing", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reg, _ := demo(t)
			out := newPlayer(t, reg).Play(t.Context(), open(t), write(t, tt.steps...), Attempt{Number: 1})
			if out.Outcome != tt.outcome || out.Calls != tt.calls {
				t.Errorf("outcome %s after %d calls, want %s after %d; failure %+v", out.Outcome, out.Calls, tt.outcome, tt.calls, out.Failure)
			}
			if tt.says != "" && (out.Failure == nil || !strings.Contains(out.Failure.Message, tt.says)) {
				t.Errorf("failure = %+v, want it to say %q", out.Failure, tt.says)
			}
		})
	}
}

// TestPlayPart proves that steps alone are played, with what the memory has from the steps before them, and that their
// outcome stands for no run of the trail: the log names no file.
func TestPlayPart(t *testing.T) {
	reg, _ := demo(t)
	tr := write(t, "step: []", "verify: demo_miss", "step: demo_act", "verify: demo_see")
	for _, tt := range []struct {
		name              string
		from, to          int
		outcome           event.Outcome
		title             string
		steps, calls, bad int
	}{
		{"one that has nothing to do", 1, 1, event.Passed, "Test, steps 1 to 1", 1, 0, -1},
		{"up to one that does not hold", 0, 2, event.Failed, "Test, steps 1 to 2", 2, 1, 1},
		{"behind it", 3, 0, event.Passed, "Test, steps 3 to 4", 2, 2, -1},
		{"one in the middle", 3, 3, event.Passed, "Test, steps 3 to 3", 1, 1, -1},
	} {
		s := open(t)
		var head *event.Trail
		unwatch := s.Log.Observe(func(e event.Event) {
			if e.Type == event.TrailStarted {
				head = e.Trail
			}
		})
		out := newPlayer(t, reg).Play(t.Context(), s, tr, Attempt{Number: 1, File: "/x/test.trail.yaml", From: tt.from, To: tt.to})
		unwatch()
		if out.Outcome != tt.outcome || len(out.Steps) != tt.steps || out.Calls != tt.calls || (out.Failed != nil) != (tt.bad >= 0) {
			t.Errorf("%s: %+v", tt.name, out)
		}
		if out.Failed != nil && out.Failed.Index != tt.bad {
			t.Errorf("%s: step %d failed", tt.name, out.Failed.Index)
		}
		if head == nil || head.Title != tt.title || head.File+head.Path+head.ID != "" {
			t.Errorf("%s: %+v", tt.name, head)
		}
	}
	s := open(t)
	s.Memory.Set("cart", "two")
	Values{Memory: map[string]string{"cart": "none", "user": "eve"}, Keep: true}.Seed(s.Memory, nil)
	if cart, _ := s.Memory.Get("cart"); cart != "two" {
		t.Errorf("the cart of the steps before is %v", cart)
	}
	if user, _ := s.Memory.Get("user"); user != "eve" {
		t.Errorf("the user is %v", user)
	}
}

// TestPlayLog proves that a reader of the log alone sees what ran: the steps in order, each with its outcome.
// TestStepTimeoutIsSaidOnce proves that a step's deadline is no verdict on the app, and is not told twice.
func TestStepTimeoutIsSaidOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg, _ := demo(t)
		p := newPlayer(t, reg)
		p.StepTimeout = 3 * time.Second
		out := p.Play(t.Context(), open(t), write(t, "step: demo_act", "step: demo_act demo_wedged"), Attempt{Number: 1})
		if out.Outcome != event.Broken || out.Failed == nil {
			t.Fatalf("outcome %s, failed step %+v, want an error in a step", out.Outcome, out.Failed)
		}
		if n := strings.Count(out.Failure.Message, "longer than 3s"); n != 1 {
			t.Errorf("the deadline is told %d times: %s", n, out.Failure.Message)
		}
		if f := out.Failed; f.Index != 1 || f.Call != "demo_wedged" || f.CallLine != 12 {
			t.Errorf("failed at step %d, %s in line %d, want step 1, demo_wedged in line 12", f.Index, f.Call, f.CallLine)
		}
	})
}

func TestPlayLog(t *testing.T) {
	reg, _ := demo(t)
	s := open(t)
	newPlayer(t, reg).Play(t.Context(), s, write(t, "step: demo_act demo_act", "verify: demo_miss"), Attempt{Number: 2})
	var got []string
	for e, err := range event.Read(s.Dir) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Type == event.TrailStarted:
			got = append(got, fmt.Sprintf("trail attempt %d of %d steps", e.Trail.Attempt, e.Trail.Steps))
		case e.Type == event.StepEnded:
			got = append(got, fmt.Sprintf("step %d %s %s, %d calls", e.Step.Index, e.Step.Kind, e.Step.Outcome, e.Step.Calls))
		case e.Type == event.ToolCall:
			got = append(got, fmt.Sprintf("  %s in step %d by %s", e.Call.Name, e.Call.Step, e.Call.Caller))
		case e.Type == event.TrailEnded:
			got = append(got, fmt.Sprintf("trail %s: %s", e.Trail.Outcome, e.Trail.Error.Looked))
		}
	}
	want := []string{
		"trail attempt 2 of 2 steps",
		"  demo_act in step 0 by replay", "  demo_act in step 0 by replay", "step 0 step passed, 2 calls",
		"  demo_miss in step 1 by replay", "step 1 verify failed, 1 calls",
		`trail failed: text "Paid"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// TestRecord proves that what ran comes back as a trail that plays again, with what a replay must be told (R110, R117).
func TestRecord(t *testing.T) {
	reg, _ := demo(t)
	p, s := newPlayer(t, reg), open(t)
	source := write(t, "step: demo_act", "step: []", "verify: demo_see")
	if out := p.Play(t.Context(), s, source, Attempt{}); out.Outcome != event.Passed {
		t.Fatalf("source does not play: %+v", out.Failure)
	}
	done, err := record.OfLog(s.Log)
	if err != nil {
		t.Fatal(err)
	}
	recorded, _ := done.Rerecord(source, record.Plan{Classifier: "web", Tools: reg})
	data, err := trail.Encode(recorded)
	if err != nil {
		t.Fatal(err)
	}
	again, problems := trail.Parse("again.trail.yaml", data, trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	steps := again.Resolve([]string{"web"})
	if len(steps) != 3 || steps[1].State != trail.StateNoop {
		t.Fatalf("the no-op step is not one any more:\n%s", data)
	}
	if out := p.Play(t.Context(), open(t), again, Attempt{}); out.Outcome != event.Passed || out.Calls != 2 {
		t.Errorf("the recording does not play: %+v\n%s", out.Failure, data)
	}
}

// TestCancel proves that a stopped run says so at once, and that what ran stays in the log.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	reg, _ := demo(t)
	started := make(chan struct{})
	hang := tool.Define(tool.Spec{Name: "demo_hang", Title: "Hang", Description: "Waits for the end.", Kind: tool.Action, Recordable: true},
		func(ctx context.Context, _ tool.Env, _ none) (*tool.Result, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		})
	reg, err := reg.With(hang)
	if err != nil {
		t.Fatal(err)
	}
	go func() { <-started; cancel() }()
	out := newPlayer(t, reg).Play(ctx, open(t), write(t, "step: demo_act", "step: demo_hang", "step: demo_act"), Attempt{})
	if out.Outcome != event.Canceled || len(out.Steps) != 2 || out.Steps[0].Outcome != event.Passed {
		t.Errorf("outcome %s after %d steps, want canceled in the second", out.Outcome, len(out.Steps))
	}
}
