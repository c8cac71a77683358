package devices_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// parts are a pool with the registries that its calls come from, without a hub.
type parts struct {
	*testing.T
	clients *clients.Registry
	calls   *calls.Registry
	pool    *devices.Pool

	provider *hubtest.Provider
}

func start(t *testing.T, with ...func(*devices.Options)) parts {
	log := slog.New(slog.DiscardHandler)
	provider := &hubtest.Provider{}
	o := devices.Options{Provider: provider, Sessions: t.TempDir(), LeaseWait: 20 * time.Millisecond, Now: time.Now, Log: log}
	for _, set := range with {
		set(&o)
	}
	p := parts{t, clients.NewRegistry(clients.Options{}), calls.NewRegistry(calls.Options{Heartbeat: time.Minute, Now: time.Now, Log: log}),
		devices.NewPool(o), provider}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(p.calls.Wait(ctx), p.pool.Close(ctx, errors.New("the test is over"))); err != nil {
			t.Error(err)
		}
	})
	return p
}

// refuse lets a device not be opened.
func (p parts) refuse(id string) {
	p.provider.OnOpen = func(_ context.Context, s devices.Spec) error {
		if s.ID == id {
			return fault.New(fault.Unavailable, "", "%s does not start", id)
		}
		return nil
	}
}

func (p parts) client(name string) *clients.Client {
	p.Helper()
	c, err := p.clients.Take("", clients.Identity{Kind: "mcp", Name: name})
	if err != nil {
		p.Fatal(err)
	}
	return c
}

func (p parts) call(by *clients.Client, name string) *calls.Call {
	p.Helper()
	c, err := p.calls.Begin(p.Context(), by, calls.Request{Call: tool.Call{Name: name}})
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(c.End)
	return c
}

// A free device is leased at once and becomes its client's when it opens; a busy one is refused to other clients with
// the call that has it; the client's own next call waits for the release.
func TestAcquire(t *testing.T) {
	p := start(t)
	a, b := p.client("a"), p.client("b")
	first := p.call(a, "tap")
	lease, err := p.pool.Acquire(t.Context(), first, "")
	if err != nil || lease.Device() != "web" {
		t.Fatal(lease, err)
	}
	s, err := lease.Session(t.Context(), memory.New)
	if err != nil || a.State().Device != "web" || first.Reply().Session != s.ID {
		t.Fatalf("session %v of a client on %q: %v", s, a.State().Device, err)
	}
	_, err = p.pool.Acquire(t.Context(), p.call(b, "look"), "web")
	if fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "a (client "+a.Short()+") has been running tap for ") {
		t.Errorf("another client: %v", err)
	}
	waiting, got := make(chan calls.Progress, 1), make(chan error, 1)
	go func() {
		q := calls.Request{Call: tool.Call{Name: "type"}, Progress: func(r calls.Progress) { waiting <- r }}
		_, err := p.calls.Do(t.Context(), a, q, func(c *calls.Call) (*calls.Reply, error) {
			second, err := p.pool.Acquire(c.Context(), c, "")
			if err == nil {
				second.Release()
			}
			return nil, err
		})
		got <- err
	}()
	select {
	case r := <-waiting:
		if r.Message != "waiting for web" {
			t.Errorf("the call that waits says %+v", r)
		}
	case err := <-got:
		t.Fatalf("two leases of one device: %v", err)
	}
	lease.Release()
	lease.Release()
	if err := waittest.Await(t, got, "the call that waited gets the device"); err != nil {
		t.Errorf("after the release: %v", err)
	}
	if free, err := p.pool.Acquire(t.Context(), p.call(b, "look"), "web"); err != nil {
		t.Errorf("released by both: %v", err)
	} else {
		free.Restore() // a call that was cut off gives the device back too
	}
	if free, err := p.pool.Acquire(t.Context(), p.call(b, "look"), "web"); err != nil {
		t.Errorf("restored: %v", err)
	} else {
		free.Release()
	}
}

// A call that is cancelled while it waits leaves the queue: it never has the device, and those behind it do.
func TestAcquireIsCancelled(t *testing.T) {
	p := start(t)
	a := p.client("a")
	lease, err := p.pool.Acquire(t.Context(), p.call(a, "tap"), "web")
	if err != nil {
		t.Fatal(err)
	}
	waits := p.call(a, "type")
	waits.Cancel(fault.New(fault.Canceled, "", "Ctrl-C"))
	if _, err := p.pool.Acquire(waits.Context(), waits, "web"); fault.KindOf(err) != fault.Canceled || !strings.Contains(err.Error(), "Ctrl-C") {
		t.Errorf("cancelled: %v", err)
	}
	lease.Release()
	if lease, err = p.pool.Acquire(t.Context(), p.call(p.client("b"), "look"), "web"); err != nil {
		t.Fatalf("the device stays with a call that was cancelled: %v", err)
	}
	lease.Release()
}
