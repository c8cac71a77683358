package hub_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a hub with the demo tools only.
func rig(t *testing.T, o hub.Options) *hubtest.Rig {
	t.Helper()
	return hubtest.New(t, hubtest.Options{Hub: o, Bare: true})
}

// soon is a context that ends long after anything should be done.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// started waits until a call is inside its tool on a device.
func started(t *testing.T, d *hubtest.Device) string {
	t.Helper()
	select {
	case what := <-d.Entered():
		return what
	case <-soon(t).Done():
		t.Fatal("nothing began")
		return ""
	}
}

// answer is what a call in the background gave.
type answer struct {
	rep *calls.Reply
	err error
}

func background(t *testing.T, h *hub.Hub, s *clients.Client, r calls.Request) <-chan answer {
	t.Helper()
	out := make(chan answer, 1)
	ctx := t.Context()
	go func() {
		rep, err := h.Do(ctx, s, r)
		out <- answer{rep, err}
	}()
	return out
}

func get(t *testing.T, ch <-chan answer) answer {
	t.Helper()
	select {
	case a := <-ch:
		return a
	case <-soon(t).Done():
		t.Fatal("the call did not answer")
		return answer{}
	}
}

func req(name string) calls.Request { return calls.Request{Call: tool.Call{Name: name}} }

type deviceUnder = hubtest.Device

// stubbornOpen makes a provider that does not care when opening is cancelled.
func stubbornOpen(inside chan<- struct{}, gate <-chan struct{}) func(context.Context, devices.Spec) error {
	return func(context.Context, devices.Spec) error {
		select {
		case inside <- struct{}{}:
		default:
		}
		<-gate
		return nil
	}
}
