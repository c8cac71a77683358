package dispatch_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// tape is a recorder: it keeps what dispatch says belongs into a recording.
type tape struct {
	mu    sync.Mutex
	names []string
}

func (p *tape) middleware(next dispatch.Handler) dispatch.Handler {
	return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
		res, err := next(ctx, inv)
		if err == nil && !res.IsError && dispatch.Records(inv, res) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.names = append(p.names, res.Record.Name+string(res.Record.Args))
		}
		return res, err
	}
}

// R106: the truth table of the flags, for a tool that returns delegates and for one that does not.
func TestR106FlagsTruthTable(t *testing.T) {
	leaf := call("demo_leaf", `{"n":1}`)
	for _, tc := range []struct {
		name                   string
		recordable, delegating bool
		delegates              []tool.Call
		want                   []string
	}{
		{"R104 executable", true, false, nil, []string{`demo_tool{}`}},
		{"R107 internal helper", false, false, nil, nil},
		{"R105 delegating", false, true, []tool.Call{leaf}, []string{`demo_leaf{"n":1}`}},
		{"R113 delegates without the flag", false, false, []tool.Call{leaf}, []string{`demo_leaf{"n":1}`}},
		{"R117 delegating and recordable, nothing delegated", true, true, nil, []string{`demo_tool{}`}},
		{"R118 delegating and recordable, delegated", true, true, []tool.Call{leaf}, []string{`demo_leaf{"n":1}`}},
		{"R183 recordable expansion stands for itself", true, false, []tool.Call{leaf}, []string{`demo_tool{}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := &tape{}
			tt := custom(tool.Spec{Name: "demo_tool", Kind: tool.Action, Recordable: tc.recordable, Delegating: tc.delegating},
				func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
					return &tool.Result{Delegates: tc.delegates}, nil
				})
			r := setup(t, dispatch.Options{Middleware: []dispatch.Middleware{p.middleware}}, tt, say("demo_leaf"))
			r.must("demo_tool", `{}`)
			if d := cmp.Diff(tc.want, p.names); d != "" {
				t.Errorf("recording (-want +got):\n%s", d)
			}
		})
	}
}

// R115: nested delegation recurses to the recordable tools, and the recording has the order of execution. R114: queries
// made on the way are in the log and not in the recording.
func TestR115CheckoutRecordsInExecutionOrder(t *testing.T) {
	p := &tape{}
	query := custom(tool.Spec{Name: "shop_isVisible", Kind: tool.Query, Recordable: true}, func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		return tool.TextResult("yes"), nil
	})
	checkout := custom(tool.Spec{Name: "shop_checkout", Kind: tool.Action, Delegating: true},
		func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
			if _, err := env.Call(ctx, call("shop_isVisible", `{}`)); err != nil {
				return nil, err
			}
			return &tool.Result{Delegates: []tool.Call{call("shop_login", `{}`), call("demo_tap", `{"on":"Pay"}`)}}, nil
		})
	login := delegating("shop_login", call("demo_type", `{"text":"ann"}`), call("demo_tap", `{"on":"Log in"}`))
	r := setup(t, dispatch.Options{Middleware: []dispatch.Middleware{p.middleware}}, query, checkout, login, say("demo_type"), say("demo_tap"))
	res := r.must("shop_checkout", `{}`)
	want := []string{`demo_type{"text":"ann"}`, `demo_tap{"on":"Log in"}`, `demo_tap{"on":"Pay"}`}
	if d := cmp.Diff(want, p.names); d != "" {
		t.Errorf("recording (-want +got):\n%s", d)
	}
	if want := "demo_type {\"text\":\"ann\"}\ndemo_tap {\"on\":\"Log in\"}\ndemo_tap {\"on\":\"Pay\"}"; res.Text() != want {
		t.Errorf("text %q, want %q", res.Text(), want)
	}
	roles := map[string]string{}
	ids := map[string]string{}
	for _, c := range r.calls() {
		roles[c.Name], ids[c.Name] = c.Role, c.ID
	}
	wantRoles := map[string]string{"shop_isVisible": "nested", "shop_login": "delegate", "demo_type": "delegate", "demo_tap": "delegate", "shop_checkout": "top"}
	if d := cmp.Diff(wantRoles, roles); d != "" {
		t.Errorf("roles in the log (-want +got):\n%s", d)
	}
	for _, c := range r.calls() {
		if c.Name == "demo_type" && c.Parent != ids["shop_login"] {
			t.Errorf("parent of demo_type is %q, want shop_login's id", c.Parent)
		}
	}
}

// R119: a failing delegate stops the sequence and is named.
func TestR119FailingDelegateStopsAndIsNamed(t *testing.T) {
	fails := action("demo_fail", func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		return tool.Fail(fault.New(fault.NotFound, "find element", "no button \"Pay\"").WithHint("take a snapshot")), nil
	})
	p := &tape{}
	r := setup(t, dispatch.Options{Middleware: []dispatch.Middleware{p.middleware}}, fails, say("demo_say"),
		delegating("demo_three", call("demo_say", `{"n":1}`), call("demo_fail", `{}`), call("demo_say", `{"n":3}`)),
		delegating("demo_missing", call("demo_gone", `{}`)))
	res, err := r.call("demo_three", `{}`)
	if err != nil || !res.IsError || fault.KindOf(res.Fault) != fault.NotFound {
		t.Fatalf("result %+v, err %v", res, err)
	}
	for _, part := range []string{"delegate 2 of 3", "demo_fail", "no button", "take a snapshot"} {
		if !strings.Contains(res.Text(), part) {
			t.Errorf("text %q lacks %q", res.Text(), part)
		}
	}
	if d := cmp.Diff([]string{`demo_say{"n":1}`}, p.names); d != "" {
		t.Errorf("recording (-want +got):\n%s", d)
	}
	if _, err := r.call("demo_missing", `{}`); err == nil || !strings.Contains(err.Error(), "delegate 1 of 1, demo_gone") {
		t.Errorf("unknown delegate: err %v", err)
	}
}

// R107, R120, R174, R183: a tool may call another, also an internal one; below a nested call nothing is recorded,
// whatever the flags say.
func TestNothingBelowANestedCallIsRecorded(t *testing.T) {
	p := &tape{}
	outer := action("demo_outer", func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		return env.Call(ctx, call("demo_mid", `{}`))
	})
	r := setup(t, dispatch.Options{Middleware: []dispatch.Middleware{p.middleware}}, outer, delegating("demo_mid", call("demo_leaf", `{}`)), say("demo_leaf"))
	r.must("demo_outer", `{"keep":true}`)
	if d := cmp.Diff([]string{`demo_outer{"keep":true}`}, p.names); d != "" {
		t.Errorf("recording (-want +got):\n%s", d)
	}
}

// R112, R183: a tool that is not built in does not vouch for the calls that it made itself, so each of them is there
// for the verdict, those below a composite one by one; failed ones that it got over are not. A built-in tool vouches.
func TestNestedCallsAreThereForTheVerdict(t *testing.T) {
	act := action("demo_act", func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		if args["fail"] != nil {
			return tool.Fail(fault.New(fault.NotFound, "find element", "it is not there")), nil
		}
		n, _ := args["n"].(float64)
		if n == 0 {
			return &tool.Result{}, nil
		}
		return &tool.Result{Evidence: &tool.Evidence{None: fmt.Sprint(n)}}, nil
	})
	run := func(ctx context.Context, env tool.Env, args map[string]any) (*tool.Result, error) {
		for _, args := range []string{`{"n":1}`, `{"fail":true}`, `{"n":2}`} {
			if _, err := env.Call(ctx, call("demo_act", args)); err != nil {
				return nil, err
			}
		}
		return &tool.Result{Delegates: []tool.Call{call("demo_act", `{"n":3}`)}}, nil
	}
	inner := custom(tool.Spec{Name: "shop_inner", Kind: tool.Action, Recordable: true, Origin: "elsewhere"}, run)
	outer := custom(tool.Spec{Name: "shop_outer", Kind: tool.Action, Recordable: true, Origin: "elsewhere"},
		func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
			return env.Call(ctx, call("shop_inner", `{}`))
		})
	idle := custom(tool.Spec{Name: "shop_idle", Kind: tool.Action, Recordable: true, Origin: "elsewhere"},
		func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
			return env.Call(ctx, call("demo_act", `{}`))
		})
	r := setup(t, dispatch.Options{}, act, inner, outer, idle, custom(tool.Spec{Name: "demo_builtIn", Kind: tool.Action}, run))
	for name, want := range map[string][]string{"shop_inner": {"1", "2", "3"}, "shop_outer": {"1", "2", "3"}, "demo_builtIn": {"3"}} {
		var got []string
		for _, m := range r.must(name, `{}`).Made {
			got = append(got, m.Evidence.None)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s made (-want +got):\n%s", name, d)
		}
	}
	for name, want := range map[string]fault.Kind{"shop_outer": "", "shop_idle": fault.Degraded} {
		judge := evidence.New(nil, r.d.Registry())
		if err := judge.Call(t.Context(), trail.Recorded{Call: call(name, `{}`)}, r.must(name, `{}`), nil); fault.KindOf(err) != want {
			t.Errorf("the verdict on %s is %v, want %q", name, err, want)
		}
	}
}
