package devices

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
)

// Device states.
const (
	StateAvailable   = "available" // could be connected
	StateOpening     = "opening"
	StateOpen        = "open"
	StateLost        = "lost"        // its daemon or browser died; the next call brings it back
	StateReserved    = "reserved"    // kept for a client, and closed
	StateQuarantined = "quarantined" // it could not be opened or cleaned
	StateClosed      = "closed"
)

// Status is a managed device as a listing shows it.
type Status struct {
	ID         string        `json:"id"`
	Platform   string        `json:"platform,omitempty"`
	Driver     string        `json:"driver,omitempty"`
	Version    string        `json:"version,omitempty"`
	State      string        `json:"state"`
	Width      int           `json:"width,omitempty"`
	Height     int           `json:"height,omitempty"`
	Workspace  string        `json:"workspace,omitempty"`
	Holder     string        `json:"holder,omitempty"` // the beginning of a client id: the last user
	Client     string        `json:"client,omitempty"` // the holder's name
	Running    *calls.Status `json:"running,omitempty"`
	Reserved   *Reserved     `json:"reserved,omitempty"`
	Quarantine *Quarantine   `json:"quarantine,omitempty"`
	Session    string        `json:"session,omitempty"` // that records what is done on it
	Actions    int           `json:"actions,omitempty"` // in it
	URL        string        `json:"url,omitempty"`     // when known without asking the device
	Spec       Spec          `json:"spec"`
}

// Reserved says which client has a device alone.
type Reserved struct {
	By    string        `json:"by"` // the beginning of its id
	Name  string        `json:"client"`
	For   time.Duration `json:"for"`   // until now
	Limit time.Duration `json:"limit"` // without a call, after which it is given back
}

// Quarantine says why a device is quarantined, and for how long it has been.
type Quarantine struct {
	Why string        `json:"why"`
	For time.Duration `json:"for"`
}

// Status lists the managed devices that are in use. It never waits for a call.
func (p *Pool) Status() []Status {
	var out []Status
	for _, d := range p.all() {
		if st := d.status(); st.State != StateClosed {
			out = append(out, st)
		}
	}
	return out
}

// Changed returns a channel that is closed when a device may have become free.
func (p *Pool) Changed() <-chan struct{} { return p.freed.Next() }

// availableTime bounds asking the provider what could be connected.
const availableTime = 5 * time.Second

// Devices lists the managed devices, and those that could be connected.
func (p *Pool) Devices(ctx context.Context) []Status {
	out := p.Status()
	listed := map[string]bool{}
	for _, st := range out {
		listed[st.ID] = true
	}
	ctx, cancel := context.WithTimeout(ctx, availableTime)
	defer cancel()
	more, err := p.o.Provider.Available(ctx)
	if err != nil {
		p.o.Log.Warn("what could be connected is not known", "error", err)
	}
	for _, i := range more {
		if !listed[i.ID] {
			out = append(out, Status{
				ID: i.ID, Platform: string(i.Platform), Driver: i.Driver, Version: i.Version, State: StateAvailable,
				Width: i.Width, Height: i.Height, Spec: Spec{ID: i.ID},
			})
		}
	}
	return out
}

func (d *managed) status() Status {
	holder, running := d.queue.current()
	h, held := d.pool.o.Ledger.Holding(d.id)
	q, quarantined := d.health.quarantined()
	now := d.pool.o.Now()
	out := Status{ID: d.id, State: StateClosed}
	if holder != nil {
		out.Holder, out.Client = holder.Short(), holder.Label()
	}
	if running != nil {
		r := running.Status()
		out.Running = &r
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	out.Spec, out.Workspace, out.URL = d.spec, d.spec.Workspace, d.url
	switch {
	case d.dev != nil:
		i := d.info
		out.State, out.Platform, out.Driver, out.Version = StateOpen, string(i.Platform), i.Driver, i.Version
		out.Width, out.Height = i.Width, i.Height
	case running != nil && !out.Running.Waiting:
		out.State = StateOpening
	case d.orphan != nil:
		out.State = StateLost
	case held:
		out.State = StateReserved
	case quarantined:
		out.State = StateQuarantined
	}
	if held {
		out.Reserved = &Reserved{h.Short, h.Label, now.Sub(h.Since), h.Limit}
	}
	if quarantined {
		out.Quarantine = &Quarantine{q.why, now.Sub(q.since)}
	}
	switch {
	case d.sess != nil:
		out.Session, out.Actions = d.sess.ID, int(d.sess.actions.Load())
	case d.orphan != nil:
		out.Session, out.Actions = d.orphan.Session, d.orphan.Actions
	}
	return out
}
