package dispatch_test

import (
	"context"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// A caller may name its call; what the call sets off, in whatever way, gets names of its own.
func TestWithID(t *testing.T) {
	var r *rig
	outer := action("demo_outer", func(ctx context.Context, env tool.Env, _ map[string]any) (*tool.Result, error) {
		if _, err := r.d.Call(ctx, r.s, dispatch.API, call("demo_query", "{}")); err != nil {
			return nil, err
		}
		return env.Call(ctx, call("demo_inner", "{}"))
	})
	r = setup(t, dispatch.Options{}, outer, say("demo_inner"),
		custom(tool.Spec{Name: "demo_query", Kind: tool.Query}, func(context.Context, tool.Env, map[string]any) (*tool.Result, error) {
			return tool.TextResult("ok"), nil
		}))
	if _, err := r.d.Call(dispatch.WithID(t.Context(), "mine"), r.s, dispatch.CLI, call("demo_outer", "{}")); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.calls() {
		if (c.ID == "mine") != (c.Name == "demo_outer") {
			t.Errorf("%s has id %s", c.Name, c.ID)
		}
	}
}
