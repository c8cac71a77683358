package dispatch_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// device is a phone that does nothing.
type device struct{ info driver.Info }

func (d device) Info() driver.Info { return d.info }
func (d device) Snapshot(context.Context, driver.SnapshotOptions) (*screen.Snapshot, error) {
	return &screen.Snapshot{}, nil
}

func (d device) Screenshot(context.Context, driver.ScreenshotOptions) (driver.Image, error) {
	return driver.Image{}, nil
}

func (d device) Perform(context.Context, driver.Action) (*driver.Effect, error) {
	return &driver.Effect{}, nil
}
func (d device) Close() error { return nil }

var phone = device{driver.Info{ID: "emulator-5554", Platform: driver.AndroidPlatform, Driver: "ANDROID_ACCESSIBILITY"}}

// rig is a dispatcher with a session to call in.
type rig struct {
	*testing.T
	d   *dispatch.Dispatcher
	s   *session.Session
	mem *memory.Store
}

func setup(t *testing.T, o dispatch.Options, tools ...tool.Tool) *rig {
	t.Helper()
	reg, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	o.Registry = reg
	d := dispatch.New(o)
	mem := memory.New()
	s, err := session.Open(t.Context(), session.Options{Memory: mem, Device: phone, Title: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := d.Close(ctx); err != nil {
			t.Errorf("close dispatcher: %v", err)
		}
		_ = s.Close(event.Passed)
	})
	return &rig{t, d, s, mem}
}

func (r *rig) call(name, args string) (*tool.Result, error) {
	r.Helper()
	return r.d.Call(r.Context(), r.s, dispatch.CLI, call(name, args))
}

// must calls a tool that has to succeed.
func (r *rig) must(name, args string) *tool.Result {
	r.Helper()
	res, err := r.call(name, args)
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		r.Fatalf("call %s %s: %v", name, args, err)
	}
	return res
}

// calls lists the finished calls in the log.
func (r *rig) calls() []event.Call {
	r.Helper()
	events, err := r.s.Log.Events()
	if err != nil {
		r.Fatal(err)
	}
	var out []event.Call
	for _, e := range events {
		if e.Type == event.ToolCall {
			out = append(out, *e.Call)
		}
	}
	return out
}

func call(name, args string) tool.Call { return tool.Call{Name: name, Args: json.RawMessage(args)} }

// action makes a recordable tool of any arguments.
func action(name string, run func(ctx context.Context, env tool.Env, args map[string]any) (*tool.Result, error)) tool.Tool {
	return custom(tool.Spec{Name: name, Kind: tool.Action, Recordable: true,
		Facts: tool.Facts{Effects: &tool.Effects{Types: []string{"text"}}}}, run)
}

func custom(s tool.Spec, run func(ctx context.Context, env tool.Env, args map[string]any) (*tool.Result, error)) tool.Tool {
	s.Input = tool.Fixed(openSchema())
	return rawTool{&s, run}
}

type rawTool struct {
	spec *tool.Spec
	run  func(ctx context.Context, env tool.Env, args map[string]any) (*tool.Result, error)
}

func (t rawTool) Spec() *tool.Spec { return t.spec }
func (t rawTool) Run(ctx context.Context, env tool.Env, args json.RawMessage) (*tool.Result, error) {
	var m map[string]any
	if err := json.Unmarshal(args, &m); err != nil {
		return nil, err
	}
	return t.run(ctx, env, m)
}

// say returns its name and arguments.
func say(name string) tool.Tool {
	return action(name, func(_ context.Context, _ tool.Env, args map[string]any) (*tool.Result, error) {
		raw, _ := json.Marshal(args)
		return tool.TextResult("%s %s", name, raw), nil
	})
}

// delegating returns calls to be made in its place.
func delegating(name string, calls ...tool.Call) tool.Tool {
	return custom(tool.Spec{Name: name, Kind: tool.Action, Delegating: true}, func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
		return &tool.Result{Delegates: calls}, nil
	})
}
