package hub_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// A panic outside any tool is the answer to one call, also to one that may become a job and runs in a goroutine of
// its own; the device is free for the next.
func TestPanicsEndOneCall(t *testing.T) {
	r := rig(t, hub.Options{Middleware: []dispatch.Middleware{func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			if inv.Call.Name == "demo_look" {
				panic("sesame")
			}
			return next(ctx, inv)
		}
	}}})
	s := r.Client("mcp", "a")
	for _, detach := range []bool{false, true} {
		q := req("demo_look")
		q.Detach = detach
		_, err := r.Do(soon(t), s, q)
		if fault.KindOf(err) != fault.Internal || strings.Contains(err.Error(), "sesame") {
			t.Errorf("detach %v: %v", detach, err)
		}
	}
	r.Must(r.Client("mcp", "b"), "web", "demo_echo", `{"text":"x"}`)
	if st := r.Status(); st.Running != 0 {
		t.Errorf("%d calls run still", st.Running)
	}
}
