package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

type identified interface {
	InvocationID() string
	SessionID() string
}

// remote is a tool that lives elsewhere: it hands out its invocation and waits until told to end.
type remote struct {
	name string
	ids  chan string
	end  chan struct{}
	how  func() // how it ends
}

func newRemote(name string) *remote {
	return &remote{name: name, ids: make(chan string, 1), end: make(chan struct{}), how: func() {}}
}

func (m *remote) tool() tool.Tool {
	return custom(tool.Spec{Name: m.name, Kind: tool.Query}, func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		id, ok := env.(identified)
		if !ok {
			return nil, errors.New("env has no invocation id")
		}
		m.ids <- id.InvocationID()
		select {
		case <-m.end:
		case <-ctx.Done():
		}
		m.how()
		return tool.TextResult("over"), nil
	})
}

// R88, R90: an invocation exists exactly while its call runs, however it ends; after that its id is unknown, with the
// text and code of the protocol.
func TestR90UnknownInvocation(t *testing.T) {
	for _, tc := range []struct {
		name string
		how  func()
	}{
		{"success", func() {}},
		{"crash", func() { panic("crash") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := newRemote("demo_remote")
			m.how = tc.how
			r := setup(t, dispatch.Options{}, m.tool(), say("demo_say"))
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = r.d.Call(t.Context(), r.s, dispatch.CLI, call("demo_remote", `{}`))
			}()
			id := waittest.Await(t, m.ids, "the call begins")
			res, err := r.d.Resume(t.Context(), id, call("demo_say", `{}`))
			if err != nil || res.Text() != "demo_say {}" {
				t.Fatalf("resume while it runs: %+v, %v", res, err)
			}
			close(m.end)
			waittest.Await(t, done, "the call ends")
			checkUnknown(t, r, id)
			checkUnknown(t, r, "made-up")
		})
	}
	t.Run("timeout", func(t *testing.T) {
		m := newRemote("demo_remote")
		r := setup(t, dispatch.Options{Timeout: 20 * time.Millisecond}, m.tool(), say("demo_say"))
		if _, err := r.call("demo_remote", `{}`); err != nil {
			t.Fatal(err)
		}
		checkUnknown(t, r, waittest.Await(t, m.ids, "the call begins"))
	})
}

func checkUnknown(t *testing.T, r *rig, id string) {
	t.Helper()
	before := len(r.calls())
	_, err := r.d.Resume(t.Context(), id, call("demo_say", `{}`))
	want := "Unknown invocation ID: " + id + ". The tool call may have completed or timed out."
	var u *dispatch.UnknownInvocation
	if err == nil || err.Error() != want || !errors.As(err, &u) || u.Code() != -32602 {
		t.Errorf("err %v, want %q with code -32602", err, want)
	}
	if len(r.calls()) != before {
		t.Error("something was dispatched")
	}
}

// R91, R157: a callback belongs to the session, device and memory of its invocation and is logged as its child.
func TestR91CallbackBelongsToItsInvocation(t *testing.T) {
	m := newRemote("demo_remote")
	note := action("demo_note", func(_ context.Context, env tool.Env, args map[string]any) (*tool.Result, error) {
		env.Memory().Set("note", args["text"])
		return tool.TextResult("%s", env.Device().Info().ID), nil
	})
	r := setup(t, dispatch.Options{}, m.tool(), note)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.d.Call(t.Context(), r.s, dispatch.MCP, call("demo_remote", `{}`))
	}()
	id := waittest.Await(t, m.ids, "the call begins")
	res, err := r.d.ResumeIn(t.Context(), r.s.ID, id, call("demo_note", `{"text":"from outside"}`))
	if err != nil || res.Text() != "emulator-5554" {
		t.Fatalf("callback: %+v, %v", res, err)
	}
	if v, _ := r.mem.Get("note"); v != "from outside" {
		t.Errorf("R161: memory has %v", v)
	}
	if c := r.calls()[0]; c.Name != "demo_note" || c.Parent != id || c.Role != "nested" || c.Caller != "script" {
		t.Errorf("log %+v", c)
	}
	close(m.end)
	waittest.Await(t, done, "the call ends")
}

// TestCallbackOnActor: a callback of id@actor runs on the device of that actor, and is a child of the invocation; an actor that
// there is not is an error that names it.
func TestCallbackOnActor(t *testing.T) {
	m := newRemote("demo_remote")
	where := action("demo_where", func(_ context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		return tool.TextResult("%s", env.Device().Info().ID), nil
	})
	r := setup(t, dispatch.Options{}, m.tool(), where)
	alice := r.s.Join("alice", r.s.Device)
	r.s.Join("bob", device{driver.Info{ID: "bobs", Platform: driver.AndroidPlatform}})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.d.Call(t.Context(), alice, dispatch.Replay, call("demo_remote", `{}`))
	}()
	id := waittest.Await(t, m.ids, "the call begins")
	res, err := r.d.ResumeIn(t.Context(), r.s.ID, id+"@bob", call("demo_where", `{}`))
	if err != nil || res.Text() != "bobs" {
		t.Errorf("on bob: %+v, %v", res, err)
	}
	if c := r.calls()[0]; c.Name != "demo_where" || c.Parent != id || c.Role != "nested" || c.Device != "bobs" {
		t.Errorf("log %+v", c)
	}
	if _, err := r.d.ResumeIn(t.Context(), r.s.ID, id+"@carol", call("demo_where", `{}`)); fault.KindOf(err) != fault.NotFound ||
		!strings.Contains(err.Error(), `no actor "carol"`) {
		t.Errorf("on carol: %v", err)
	}
	close(m.end)
	waittest.Await(t, done, "the call ends")
}

// R151: a callback that names another session is refused and nothing is dispatched.
func TestR151WrongSession(t *testing.T) {
	m := newRemote("demo_remote")
	r := setup(t, dispatch.Options{}, m.tool(), say("demo_say"))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.d.Call(t.Context(), r.s, dispatch.CLI, call("demo_remote", `{}`))
	}()
	_, err := r.d.ResumeIn(t.Context(), "some_other_session", waittest.Await(t, m.ids, "the call begins"), call("demo_say", `{}`))
	if fault.KindOf(err) != fault.Denied || len(r.calls()) != 0 {
		t.Errorf("err %v, calls %v", err, r.calls())
	}
	close(m.end)
	waittest.Await(t, done, "the call ends")
}

// R193: a call that an agent makes from behind a wire stands in the place of the one that it works for: it is logged as
// what that call delegated, policy is asked as for any other, and an id that is over, or of another session, makes nothing.
func TestR193CallInPlaceOfAnother(t *testing.T) {
	m := newRemote("demo_remote")
	refuse := func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			if inv.Spec().Name == "demo_forbidden" {
				return nil, fault.New(fault.Denied, "call demo_forbidden", "the policy does not allow it")
			}
			return next(ctx, inv)
		}
	}
	objective := m.tool()
	objective.Spec().Delegating = true
	r := setup(t, dispatch.Options{Middleware: []dispatch.Middleware{refuse}}, objective, say("demo_say"), say("demo_forbidden"))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.d.Call(t.Context(), r.s, dispatch.MCP, call("demo_remote", `{}`))
	}()
	id := waittest.Await(t, m.ids, "the call begins")
	if _, err := r.d.DelegateIn(t.Context(), "some_other_session", id, call("demo_say", `{}`)); fault.KindOf(err) != fault.Denied {
		t.Errorf("another session's call: %v", err)
	}
	if len(r.calls()) != 0 {
		t.Errorf("logged before anything was called: %v", r.calls())
	}
	res, err := r.d.DelegateIn(t.Context(), r.s.ID, id, call("demo_forbidden", `{}`))
	if fault.KindOf(err) != fault.Denied && (res == nil || !res.IsError) {
		t.Errorf("what the policy denies: %+v, %v", res, err)
	}
	if res, err := r.d.DelegateIn(t.Context(), r.s.ID, id, call("demo_say", `{}`)); err != nil || res.Text() != "demo_say {}" {
		t.Fatalf("call: %+v, %v", res, err)
	}
	logged := r.calls()
	if c := logged[len(logged)-1]; c.Name != "demo_say" || c.Parent != id || c.Role != "delegate" {
		t.Errorf("log %+v", c)
	}
	close(m.end)
	waittest.Await(t, done, "the call ends")
	_, err = r.d.DelegateIn(t.Context(), r.s.ID, id, call("demo_say", `{}`))
	if _, unknown := errors.AsType[*dispatch.UnknownInvocation](err); !unknown {
		t.Errorf("a call that is over: %v", err)
	}
}

// R85, R86: without an id the only call in flight is meant, even from inside a nested one; with several it is an error
// that explains itself.
func TestR86CallbackWithoutID(t *testing.T) {
	a, b := newRemote("demo_a"), newRemote("demo_b")
	outer := custom(tool.Spec{Name: "demo_outer", Kind: tool.Query}, func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		return env.Call(ctx, call("demo_a", `{}`))
	})
	r := setup(t, dispatch.Options{}, a.tool(), b.tool(), outer, say("demo_say"))
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = r.d.Call(t.Context(), r.s, dispatch.CLI, call("demo_outer", `{}`)) })
	id := waittest.Await(t, a.ids, "the first call begins")
	if _, err := r.d.Resume(t.Context(), "", call("demo_say", `{}`)); err != nil {
		t.Errorf("one call in flight: %v", err)
	}
	if c := r.calls()[0]; c.Parent != id {
		t.Errorf("the callback went to %s, want the innermost call %s", c.Parent, id)
	}
	wg.Go(func() { _, _ = r.d.Call(t.Context(), r.s, dispatch.CLI, call("demo_b", `{}`)) })
	waittest.Await(t, b.ids, "the second call begins")
	_, err := r.d.Resume(t.Context(), "", call("demo_say", `{}`))
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "invocation id is needed") {
		t.Errorf("two calls in flight: %v", err)
	}
	if n := len(r.d.Live()); n != 3 {
		t.Errorf("%d live calls, want 3", n)
	}
	close(a.end)
	close(b.end)
	waittest.Join(t, wg.Wait, "all calls are answered")
	if _, err := r.d.Resume(t.Context(), "", call("demo_say", `{}`)); err == nil {
		t.Error("no call in flight: no error")
	}
}

// A callback ends with the call it belongs to, also while it waits.
func TestCallbackEndsWithItsCall(t *testing.T) {
	m := newRemote("demo_remote")
	wait := custom(tool.Spec{Name: "demo_wait", Kind: tool.Query}, func(ctx context.Context, _ tool.Env, _ map[string]any) (*tool.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	r := setup(t, dispatch.Options{}, m.tool(), wait)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { _, _ = r.d.Call(ctx, r.s, dispatch.CLI, call("demo_remote", `{}`)) }()
	id := waittest.Await(t, m.ids, "the call begins")
	got := make(chan error)
	go func() {
		_, err := r.d.Resume(t.Context(), id, call("demo_wait", `{}`))
		got <- err
	}()
	waittest.Until(t, func() bool { return len(r.d.Live()) == 2 }, "the callback begins")
	cancel()
	if err := waittest.Await(t, got, "the callback ends with its call"); err == nil {
		t.Error("the callback outlived its call")
	}
}

// R158: callbacks count against the same bound on depth.
func TestR158CallbackDepth(t *testing.T) {
	deep := action("demo_deep", nil)
	var d *dispatch.Dispatcher
	raw, ok := deep.(rawTool)
	if !ok {
		t.Fatal("not a raw tool")
	}
	raw.run = func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		id, _ := env.(identified)
		return d.Resume(ctx, id.InvocationID(), call("demo_deep", `{}`))
	}
	r := setup(t, dispatch.Options{}, raw)
	d = r.d
	if _, err := r.call("demo_deep", `{}`); err == nil || !strings.Contains(err.Error(), "nested 16 deep") {
		t.Errorf("err %v", err)
	}
}

// R77–R79, R162: three sessions at once with interleaved callbacks; every call lands on its own device and in its own
// log.
func TestR79InterleavedSessionsDoNotMix(t *testing.T) {
	where := action("demo_where", func(_ context.Context, env tool.Env, args map[string]any) (*tool.Result, error) {
		return tool.TextResult("%s:%v", env.Device().Info().ID, args["n"]), nil
	})
	var d *dispatch.Dispatcher
	many := custom(tool.Spec{Name: "demo_many", Kind: tool.Action}, func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		id, _ := env.(identified)
		var wg sync.WaitGroup
		var bad atomic.Pointer[string]
		for n := range 20 {
			wg.Go(func() {
				res, err := d.Resume(ctx, id.InvocationID(), call("demo_where", fmt.Sprintf(`{"n":%d}`, n)))
				want := fmt.Sprintf("%s:%d", env.Device().Info().ID, n)
				if err != nil || res.Text() != want {
					msg := fmt.Sprintf("got %v, %v; want %s", res, err, want)
					bad.Store(&msg)
				}
			})
		}
		wg.Wait()
		if p := bad.Load(); p != nil {
			return nil, errors.New(*p)
		}
		return tool.TextResult("ok"), nil
	})
	r := setup(t, dispatch.Options{}, where, many)
	d = r.d
	var wg sync.WaitGroup
	for i := range 3 {
		dev := phone
		dev.info.ID = fmt.Sprintf("phone-%d", i)
		s, err := session.Open(t.Context(), session.Options{Memory: memory.New(), Device: dev})
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if _, err := d.Call(t.Context(), s, dispatch.Agent, call("demo_many", `{}`)); err != nil {
				t.Error(err)
			}
			events, _ := s.Log.Events()
			n := 0
			for _, e := range events {
				if e.Type == event.ToolCall {
					n++
					if e.Call.Device != dev.info.ID {
						t.Errorf("call of %s in the log of %s", e.Call.Device, dev.info.ID)
					}
				}
			}
			if n != 21 {
				t.Errorf("%d calls in the log, want 21", n)
			}
		})
	}
	waittest.Join(t, wg.Wait, "all calls are answered")
}

// One action at a time per session, queries at any time, nested actions included; no deadlock.
func TestActionsTakeTurns(t *testing.T) {
	var acting, most atomic.Int32
	touch := action("demo_touch", func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		most.Store(max(most.Load(), acting.Add(1)))
		for range 100 {
			runtime.Gosched()
		}
		acting.Add(-1)
		return nil, nil
	})
	look := custom(tool.Spec{Name: "demo_look", Kind: tool.Query}, func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		return env.Call(ctx, call("demo_touch", `{}`)) // a query that acts after all waits like everybody
	})
	outer := action("demo_outer", func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { _, _ = env.Call(ctx, call("demo_touch", `{}`)) })
			wg.Go(func() { _, _ = env.Call(ctx, call("demo_look", `{}`)) })
		}
		wg.Wait()
		return nil, nil
	})
	r := setup(t, dispatch.Options{}, touch, look, outer)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { r.must("demo_outer", `{}`) })
		wg.Go(func() { r.must("demo_look", `{}`) })
	}
	waittest.Join(t, wg.Wait, "all calls are answered")
	if most.Load() != 1 {
		t.Errorf("%d actions at once", most.Load())
	}
}

// A query answers while an action runs, and an action behind a stuck one fails in time and names it.
func TestQueriesDoNotQueue(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	stuck := action("demo_stuck", func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		close(begun)
		waittest.Hold(t, end)
		return nil, nil
	})
	look := custom(tool.Spec{Name: "demo_look", Kind: tool.Query}, func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		return tool.TextResult("seen"), nil
	})
	r := setup(t, dispatch.Options{Timeout: 50 * time.Millisecond}, stuck, look, say("demo_say"))
	go func() { _, _ = r.d.Call(t.Context(), r.s, dispatch.CLI, call("demo_stuck", `{}`)) }()
	waittest.Await(t, begun, "the action begins")
	r.must("demo_look", `{}`)
	_, err := r.call("demo_say", `{}`)
	if fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "demo_stuck") {
		t.Errorf("err %v: want a timeout that names the stuck action", err)
	}
	close(end)
	r.must("demo_say", `{}`)
}

// painted shows a new screen after every action.
type painted struct {
	device
	screen *atomic.Uint64
}

func (p painted) Snapshot(context.Context, driver.SnapshotOptions) (*screen.Snapshot, error) {
	return &screen.Snapshot{Seq: p.screen.Load()}, nil
}

func (p painted) Perform(context.Context, driver.Action) (*driver.Effect, error) {
	p.screen.Add(1)
	return &driver.Effect{}, nil
}

// R160: a callback sees what a direct call would see, also right after an action made by a callback before it.
func TestR160CallbackSeesTheScreenAsItIs(t *testing.T) {
	dev := painted{phone, new(atomic.Uint64)}
	look := custom(tool.Spec{Name: "demo_look", Kind: tool.Query}, func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		s, err := env.Device().Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			return nil, err
		}
		return tool.TextResult("screen %d", s.Seq), nil
	})
	tap := action("demo_tap", func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		_, err := env.Device().Perform(ctx, driver.Tap{})
		return nil, err
	})
	m := newRemote("demo_remote")
	r := setup(t, dispatch.Options{}, look, tap, m.tool())
	s, err := session.Open(t.Context(), session.Options{Device: dev})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.d.Call(t.Context(), s, dispatch.CLI, call("demo_remote", `{}`))
	}()
	id := waittest.Await(t, m.ids, "the call begins")
	for n := range 3 {
		direct, err1 := r.d.Call(t.Context(), s, dispatch.CLI, call("demo_look", `{}`))
		back, err2 := r.d.Resume(t.Context(), id, call("demo_look", `{}`))
		want := fmt.Sprintf("screen %d", n)
		if err1 != nil || err2 != nil || direct.Text() != want || back.Text() != want {
			t.Errorf("direct %v %v, callback %v %v; want %s", direct, err1, back, err2, want)
		}
		if _, err := r.d.Resume(t.Context(), id, call("demo_tap", `{}`)); err != nil {
			t.Fatal(err)
		}
	}
	close(m.end)
	waittest.Await(t, done, "the call ends")
}
