package dispatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func openSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }

// R221: a call gives the same result whoever makes it.
func TestR221SameResultForEveryCaller(t *testing.T) {
	type in struct {
		Who string `json:"who"`
	}
	type out struct {
		Greeting string `json:"greeting"`
	}
	hello := tool.Define(tool.Spec{Name: "demo_greet", Kind: tool.Query}, func(_ context.Context, _ tool.Env, in in) (out, error) {
		return out{"hello " + in.Who}, nil
	})
	outer := action("demo_outer", func(ctx context.Context, env tool.Env, args map[string]any) (*tool.Result, error) {
		raw, _ := json.Marshal(args)
		return env.Call(ctx, tool.Call{Name: "demo_greet", Args: raw})
	})
	r := setup(t, dispatch.Options{}, hello, outer)
	want := tool.Result{Value: json.RawMessage(`{"greeting":"hello Ann"}`), Content: []tool.Content{{Type: "text", Text: `{"greeting":"hello Ann"}`}}}
	for _, from := range []dispatch.Caller{dispatch.CLI, dispatch.Replay, dispatch.MCP, dispatch.Agent, dispatch.Script, dispatch.API} {
		for _, name := range []string{"demo_greet", "demo_outer"} {
			res, err := r.d.Call(t.Context(), r.s, from, call(name, `{"who":"Ann"}`))
			if err != nil {
				t.Fatalf("%s from %s: %v", name, from, err)
			}
			got := *res
			got.Record = nil
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s from %s (-want +got):\n%s", name, from, d)
			}
		}
	}
}

func TestUnknownToolNamesNearOnes(t *testing.T) {
	r := setup(t, dispatch.Options{}, say("web_click"), say("web_type"))
	_, err := r.call("web_clik", `{}`)
	if fault.KindOf(err) != fault.NotFound || !strings.Contains(fault.HintOf(err), "web_click") {
		t.Fatalf("err %v, hint %q: want not found and web_click named", err, fault.HintOf(err))
	}
	if c := r.calls(); len(c) != 1 || c[0].Name != "web_clik" || c[0].Error == nil {
		t.Errorf("log %+v: want the failed call of the unknown tool", c)
	}
}

// R126, R36: the error of a tool that is not for this device names the platform.
func TestR126PlatformGateNamesThePlatform(t *testing.T) {
	ran := false
	web := custom(tool.Spec{Name: "web_click", Kind: tool.Action, Platforms: []driver.Platform{driver.WebPlatform}},
		func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
			ran = true
			return nil, nil
		})
	r := setup(t, dispatch.Options{}, web)
	_, err := r.call("web_click", `{}`)
	if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), "android") || !strings.Contains(fault.HintOf(err), "web") || ran {
		t.Errorf("err %v, hint %q, ran %v", err, fault.HintOf(err), ran)
	}
}

// R116: recursion has a bound, and the report shows the path and the circle.
func TestR116DepthBoundReportsPathAndCycle(t *testing.T) {
	runs := 0
	pingpong := func(name, other string) tool.Tool {
		return action(name, func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
			runs++
			return env.Call(ctx, call(other, `{}`))
		})
	}
	r := setup(t, dispatch.Options{}, pingpong("demo_ping", "demo_pong"), pingpong("demo_pong", "demo_ping"), delegating("demo_loop", call("demo_loop", `{}`)))
	_, err := r.call("demo_ping", `{}`)
	if err == nil || runs != dispatch.DefaultMaxDepth {
		t.Fatalf("err %v after %d runs, want an error after %d", err, runs, dispatch.DefaultMaxDepth)
	}
	if !strings.Contains(err.Error(), "demo_ping → demo_pong → demo_ping") || !strings.Contains(fault.HintOf(err), "demo_ping → demo_pong → demo_ping.") {
		t.Errorf("err %v, hint %q: want path and circle", err, fault.HintOf(err))
	}
	if _, err := r.call("demo_loop", `{}`); fault.KindOf(err) != fault.Invalid {
		t.Errorf("delegating to itself: err %v", err)
	}
}

func TestBreadthIsBounded(t *testing.T) {
	r := setup(t, dispatch.Options{MaxCalls: 20}, say("demo_leaf"),
		delegating("demo_double", call("demo_double", `{"a":1}`), call("demo_double", `{"a":2}`)),
		delegating("demo_wide", slices.Repeat([]tool.Call{call("demo_leaf", `{}`)}, 20)...),
		delegating("demo_fits", slices.Repeat([]tool.Call{call("demo_leaf", `{}`)}, 19)...))
	r.must("demo_fits", `{}`)
	res, err := r.call("demo_wide", `{}`) // 19 calls were made, so it is a result that tells of them
	if err != nil || len(res.Made) != 19 || !strings.Contains(fmt.Sprint(res.Err()), "demo_wide set off more than 20 calls") {
		t.Errorf("err %v, result %+v, want 19 calls and a bound on their number", err, res)
	}
}

// R123: a panic of a tool is a failure that names it, never a crash.
func TestR123PanicBecomesAFault(t *testing.T) {
	bad := action("demo_bad", func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		panic("boom")
	})
	r := setup(t, dispatch.Options{}, bad)
	_, err := r.call("demo_bad", `{}`)
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Internal || f.Tool != "demo_bad" || fault.DetailOf(err) == nil {
		t.Fatalf("err %#v: want an internal fault of demo_bad with its stack", err)
	}
	if c := r.calls(); len(c) != 1 || c[0].Error == nil || len(c[0].Error.Log) == 0 {
		t.Errorf("log %+v: want the stack", c)
	}
}

// R179: both events are kept before the call returns, with what was written and what was executed.
func TestEventsAreKeptBeforeTheCallReturns(t *testing.T) {
	r := setup(t, dispatch.Options{}, say("demo_say"))
	r.mem.Set("name", "Ann")
	r.s.SetStep(3)
	r.must("demo_say", `{"who":"{{name}}"}`)
	events, _ := r.s.Log.Events()
	var types []event.Type
	for _, e := range events {
		types = append(types, e.Type)
	}
	if d := cmp.Diff([]event.Type{event.SessionStarted, event.ToolStarted, event.ToolCall}, types); d != "" {
		t.Fatalf("events (-want +got):\n%s", d)
	}
	c := events[2].Call
	if string(c.Args) != `{"who":"Ann"}` || string(c.Authored) != `{"who":"{{name}}"}` || c.Step != 3 || c.Device != "emulator-5554" ||
		c.Role != "top" || c.Caller != "cli" {
		t.Errorf("call %+v", c)
	}
	if c.Recorded == nil || string(c.Recorded.Args) != `{"who":"{{name}}"}` {
		t.Errorf("recorded %+v: want the authored token (R179)", c.Recorded)
	}
}

// Rule 8: cancelling answers at once, even when the tool does not listen; the tool can do no more harm, and Close
// joins it.
func TestCancelAnswersAtOnceWhenTheToolIgnoresIt(t *testing.T) {
	started, letGo, after := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	stuck := action("demo_stuck", func(_ context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		close(started)
		waittest.Hold(t, letGo)
		_, err := env.Call(context.Background(), call("demo_say", `{}`))
		after <- err
		return nil, nil
	})
	r := setup(t, dispatch.Options{}, stuck, say("demo_say"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	begun := time.Now()
	_, err := r.d.Call(ctx, r.s, dispatch.CLI, call("demo_stuck", `{}`))
	if took := time.Since(begun); took > testtime.Within(500*time.Millisecond) || fault.KindOf(err) != fault.Canceled {
		t.Fatalf("answered after %v with %v", took, err)
	}
	short, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := r.d.Close(short); err == nil || !strings.Contains(err.Error(), "demo_stuck") {
		t.Errorf("close while it runs: %v, want the tool named", err)
	}
	close(letGo)
	if err := waittest.Await(t, after, "the tool goes on"); err == nil {
		t.Error("a tool whose call is over could still call another")
	}
}

// Rule 8: every call has a deadline, the spec's, the call's own, or the default.
func TestEveryCallHasADeadline(t *testing.T) {
	wait := func(ctx context.Context, _ tool.Env, _ map[string]any) (*tool.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	own := tool.Define(tool.Spec{Name: "demo_own", Kind: tool.Query}, func(ctx context.Context, _ tool.Env, _ timed) (struct{}, error) {
		<-ctx.Done()
		return struct{}{}, ctx.Err()
	})
	r := setup(t, dispatch.Options{Timeout: 30 * time.Millisecond}, action("demo_default", wait),
		custom(tool.Spec{Name: "demo_spec", Kind: tool.Query, Timeout: 20 * time.Millisecond}, wait),
		custom(tool.Spec{Name: "demo_phone", Kind: tool.Query, Timeout: time.Hour, PhoneTimeout: 25 * time.Millisecond}, wait), own)
	for name, limit := range map[string]string{
		"demo_default": "30ms", "demo_spec": "20ms", "demo_phone": "25ms", "demo_own": "10ms",
	} {
		_, err := r.call(name, `{"ms":10}`)
		if fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), limit) {
			t.Errorf("%s: err %v, want a timeout that says %s", name, err, limit)
		}
	}
}

type timed struct {
	MS int `json:"ms"`
}

func (t timed) CallTimeout() time.Duration { return time.Duration(t.MS) * time.Millisecond }

// A tool that has something to say about its cancellation is heard.
func TestCancelledToolIsHeard(t *testing.T) {
	slow := action("demo_slow", func(ctx context.Context, _ tool.Env, _ map[string]any) (*tool.Result, error) {
		<-ctx.Done()
		return nil, fault.New(fault.Timeout, "wait for text", `"Paid" did not appear; last seen: "Paying"`)
	})
	r := setup(t, dispatch.Options{Timeout: 100 * time.Millisecond}, slow)
	_, err := r.call("demo_slow", `{}`)
	if err == nil || !strings.Contains(err.Error(), "Paying") {
		t.Errorf("err %v", err)
	}
}

func TestEndedSessionTakesNoCalls(t *testing.T) {
	r := setup(t, dispatch.Options{}, say("demo_say"))
	if err := r.s.Close(event.Passed); err != nil {
		t.Fatal(err)
	}
	if _, err := r.call("demo_say", `{}`); fault.KindOf(err) != fault.Conflict {
		t.Errorf("err %v", err)
	}
	if err := r.d.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.call("demo_say", `{}`); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("closed dispatcher: err %v", err)
	}
}

// A call whose caller has already gone is not made.
func TestCancelledBeforeItBegan(t *testing.T) {
	ran := false
	touch := action("demo_touch", func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		ran = true
		return nil, nil
	})
	r := setup(t, dispatch.Options{}, touch)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the user pressed Ctrl-C"))
	_, err := r.d.Call(ctx, r.s, dispatch.CLI, call("demo_touch", `{}`))
	if fault.KindOf(err) != fault.Canceled || !strings.Contains(err.Error(), "Ctrl-C") || ran {
		t.Errorf("err %v (%s), ran %v", err, fault.KindOf(err), ran)
	}
}

// Close cancels what runs and says so.
func TestCloseCancelsCalls(t *testing.T) {
	begun := make(chan struct{})
	wait := action("demo_wait", func(ctx context.Context, _ tool.Env, _ map[string]any) (*tool.Result, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	r := setup(t, dispatch.Options{}, wait)
	got := make(chan error)
	go func() {
		_, err := r.d.Call(t.Context(), r.s, dispatch.CLI, call("demo_wait", `{}`))
		got <- err
	}()
	waittest.Await(t, begun, "the call begins")
	if err := r.d.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := waittest.Await(t, got, "the call is answered"); fault.KindOf(err) != fault.Canceled || !strings.Contains(err.Error(), "the dispatcher is closing") {
		t.Errorf("err %v", err)
	}
}

// A tool that answers with something that is not JSON is logged all the same.
func TestBrokenResultIsLogged(t *testing.T) {
	bad := json.RawMessage(`{"half`)
	broken := action("demo_broken", func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		return &tool.Result{Value: bad, Record: &tool.Call{Name: "demo_broken", Args: bad}}, nil
	})
	for _, secrets := range []bool{false, true} {
		r := setup(t, dispatch.Options{}, broken)
		if secrets {
			r.mem.SetSecret("password", secret)
		}
		s, err := session.Open(t.Context(), session.Options{Root: t.TempDir(), Memory: r.mem})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.d.Call(t.Context(), s, dispatch.CLI, call("demo_broken", "{\n}")); err != nil {
			t.Errorf("err %v", err)
		}
		events, err := s.Log.Events()
		if err != nil || len(events) != 3 || events[2].Type != event.ToolCall {
			t.Errorf("events %+v, %v", events, err)
		}
	}
}
