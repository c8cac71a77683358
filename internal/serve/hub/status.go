package hub

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// Status is the present work of the hub, for status displays.
type Status struct {
	Started  time.Time         `json:"started"`
	Uptime   time.Duration     `json:"uptime"`
	Active   time.Time         `json:"active"`  // when a call last began or ended, for idle exits
	Running  int               `json:"running"` // calls in flight, jobs among them
	Clients  []ClientStatus    `json:"clients"`
	Devices  []devices.Status  `json:"devices"`
	Jobs     []calls.JobStatus `json:"jobs,omitempty"`
	Recovers []string          `json:"recovers,omitempty"` // devices of a lost daemon
}

// ClientStatus is a client with its calls.
type ClientStatus struct {
	clients.Status
	Calls []calls.Status `json:"calls,omitempty"`
}

// Status returns the present work. It never waits for a call: every lock it takes is held for moments only.
func (h *Hub) Status() Status {
	running := h.calls.Status()
	out := Status{
		Started: h.started, Uptime: h.o.Now().Sub(h.started), Active: h.calls.Active(), Running: len(running),
		Devices: h.devices.Status(), Jobs: h.calls.Jobs(nil),
	}
	for _, c := range h.clients.All() {
		st := ClientStatus{Status: c.Status()}
		for _, call := range running {
			if call.Client == st.ID {
				st.Calls = append(st.Calls, call)
			}
		}
		out.Clients = append(out.Clients, st)
	}
	slices.SortFunc(out.Clients, func(a, b ClientStatus) int {
		return cmp.Or(b.Seen.Compare(a.Seen), cmp.Compare(a.ID, b.ID))
	})
	for _, d := range out.Devices {
		if d.State == devices.StateLost {
			out.Recovers = append(out.Recovers, d.ID)
		}
	}
	return out
}

// Changes calls tell when the status may have changed, at most once in each pause, until ctx ends, tell fails, or the
// hub closes. The first call of tell comes at once. While nothing happens it costs nothing.
func Changes(ctx context.Context, h *Hub, pause time.Duration, tell func() error) error {
	for {
		call, device := h.calls.Changed.Next(), h.devices.Changed()
		if err := tell(); err != nil {
			return err
		}
		if h.calls.Closed() {
			return nil
		}
		select {
		case <-call:
		case <-device:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
