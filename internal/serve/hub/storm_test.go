package hub_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Everything at once, in any order: clients calling, cancelling, connecting, leaving, pages wedging and browsers
// dying. No reply names a wrong device, nothing hangs, and every log is whole.
func TestStorm(t *testing.T) {
	r := rig(t, hub.Options{LeaseWait: 5 * time.Millisecond, JobAfter: 20 * time.Millisecond})
	names := []string{"web", "web/a", "web/b"}
	pick := func(rnd *rand.Rand) string { return names[rnd.IntN(len(names))] }
	var wg sync.WaitGroup
	const users, turns = 6, 60
	for n := range users {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(n), 7)) //nolint:gosec // a storm that can be repeated
			s := r.Client([]string{"mcp", "cli"}[n%2], fmt.Sprint(n))
			for range turns {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				device := pick(rnd)
				stormTurn(ctx, t, r, s, rnd, n, device)
				r.Status()
				if ctx.Err() != nil {
					t.Error("something hangs")
				}
				cancel()
			}
		})
	}
	waittest.Join(t, wg.Wait, "all calls are answered")
	r.Cancel(calls.CancelRequest{All: true})
	if err := r.Close(soon(t)); err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob(filepath.Join(r.Home, "sessions", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no sessions: %v", err)
	}
	for _, dir := range dirs {
		events := logOf(t, dir)
		for i, e := range events {
			if e.Seq != uint64(i+1) {
				t.Errorf("%s: event %d has number %d", filepath.Base(dir), i+1, e.Seq)
			}
		}
		if last := events[len(events)-1]; last.Type != "session_ended" {
			t.Errorf("%s ends with %s", filepath.Base(dir), last.Type)
		}
	}
}

// stormTurn does one thing of the storm as a client: most often it calls a tool, whose reply must be its own.
func stormTurn(ctx context.Context, t *testing.T, r *hubtest.Rig, s *clients.Client, rnd *rand.Rand, n int, device string) {
	switch rnd.IntN(14) {
	case 0:
		_, _ = r.Connect(ctx, s, devices.Spec{ID: device, Viewport: []string{"", "800x600"}[rnd.IntN(2)]})
	case 1:
		_ = r.Disconnect(ctx, s, device)
	case 2:
		_, _ = r.StartSession(ctx, s, "t")
	case 3:
		_, _ = r.StopSession(ctx, s, "")
	case 4:
		r.Cancel(calls.CancelRequest{Device: device})
	case 5:
		s.Leave()
	case 6:
		if d := r.Provider.Device(device); d != nil {
			d.Kill()
		}
	case 7:
		if d := r.Provider.Device(device); d != nil {
			d.Wedge(rnd.IntN(2) == 0)
			r.Cancel(calls.CancelRequest{Device: device})
		}
	case 8:
		brief, end := context.WithTimeout(ctx, time.Millisecond)
		_, _ = r.Call(brief, s, device, "demo_wait", `{}`)
		end()
	case 9:
		rep, err := r.Hub.Do(ctx, s, calls.Request{Call: tool.Call{Name: "demo_wait"}, Device: device, Detach: true})
		if err == nil && rep.Job != "" {
			r.Cancel(calls.CancelRequest{Job: rep.Job})
			_, _, _ = r.Job(ctx, rep.Job, true, nil)
		}
	default:
		text := fmt.Sprint(n, rnd.IntN(1e9))
		rep, err := r.Call(ctx, s, device, "demo_echo", fmt.Sprintf(`{"text":%q}`, text))
		if err == nil && (rep.Device != device || !strings.Contains(rep.Result.Text(), text+" on "+device)) {
			t.Errorf("asked for %s on %s: %s on %s", text, device, rep.Result.Text(), rep.Device)
		}
		if k := fault.KindOf(err); err != nil && k != fault.Busy && k != fault.Canceled && k != fault.Unavailable {
			t.Errorf("%s: %v", k, err)
		}
	}
}
