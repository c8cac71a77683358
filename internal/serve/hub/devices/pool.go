package devices

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Options shape a Pool.
type Options struct {
	Provider  Provider
	Home      string        // what is open is noted below it; "" notes nothing
	Sessions  string        // root of all session directories
	Version   string        // of trailblaze
	LeaseWait time.Duration // how long a call waits for another client's running call
	Browsers  int           // that may be open at once; 0: any number
	Ledger    Ledger        // of reserved devices; nil: one of the pool's own
	Now       func() time.Time
	Log       *slog.Logger
}

// Pool holds the managed devices and their sessions.
type Pool struct {
	o    Options
	file *openFile       // what a next daemon must know should this one be lost
	life context.Context // of what outlives a call: restoring a device after one, ending orphaned sessions
	stop context.CancelCauseFunc
	work sync.WaitGroup // goroutines that open, restore and close devices

	choosing sync.Mutex // held while a client's device is chosen: two clients must not take one free name
	saving   sync.Mutex // held while the file is written: newer content is written later

	mu      sync.Mutex // held for moments, never while anything is waited for
	devices map[string]*managed

	browsers browsers
	freed    calls.Broadcast
}

// NewPool makes a Pool. Devices that a lost daemon had open under the same home are brought back when they are next
// used.
func NewPool(o Options) *Pool {
	if o.Ledger == nil {
		o.Ledger = NewLedger()
	}
	p := &Pool{o: o, devices: map[string]*managed{}, browsers: browsers{most: o.Browsers}}
	p.life, p.stop = context.WithCancelCause(context.Background())
	dir := ""
	if o.Home != "" {
		dir = filepath.Join(o.Home, "run", "live")
	}
	p.file = newOpenFile(dir)
	p.inherit(true)
	return p
}

// Close ends the sessions and closes the devices. It returns when that is done, or when ctx ends.
// No call may be in flight.
func (p *Pool) Close(ctx context.Context, cause error) error {
	p.stop(cause)
	errs := []error{p.Wait(ctx)}
	var ends sync.WaitGroup
	for _, d := range p.all() {
		ends.Go(d.shut)
	}
	errs = append(errs, calls.Wait(ctx, &ends, "devices"))
	err := errors.Join(errs...)
	if err == nil {
		p.file.remove()
	}
	return err
}

// Wait returns when no device is being opened, restored or closed, or when ctx ends.
func (p *Pool) Wait(ctx context.Context) error { return calls.Wait(ctx, &p.work, "devices") }

// Leave lets go of the sessions without ending them: from now on they belong to the daemon that finds them in the
// file. With a reason, that daemon passes it to their clients; without one, the file stays as it is.
func (p *Pool) Leave(why string) {
	for _, d := range p.all() {
		d.giveBack()
	}
	if why != "" {
		for _, d := range p.all() {
			d.leaving(why)
		}
		p.save()
	}
	p.file.stop()
	for _, d := range p.all() {
		if s := d.session(); s != nil {
			_ = s.Leave()
		}
	}
}

// Drop closes the devices of a pool whose sessions were left.
func (p *Pool) Drop(ctx context.Context, cause error) error {
	p.stop(cause)
	errs := []error{p.Wait(ctx)}
	for _, d := range p.all() {
		if dev := d.device(); dev != nil {
			errs = append(errs, dev.Close())
		}
	}
	return errors.Join(errs...)
}

// save writes down the open devices. The page's address and the session's title are masked, and no login state is in
// it.
func (p *Pool) save() {
	p.saving.Lock()
	defer p.saving.Unlock()
	var out []openDevice
	for _, d := range p.all() {
		if o, ok := d.saved(); ok {
			out = append(out, o)
		}
	}
	if err := p.file.write(out); err != nil {
		p.o.Log.Warn("what is open could not be written down", "error", err)
	}
}

// find returns a managed device by its id, or makes it.
func (p *Pool) find(id string) *managed {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.devices[id]
	if d == nil {
		d = &managed{id: id, pool: p, spec: Spec{ID: id}, health: health{made: made(id), now: p.o.Now}}
		p.devices[id] = d
	}
	return d
}

// all lists the managed devices by id.
func (p *Pool) all() []*managed {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]*managed, 0, len(p.devices))
	for _, d := range p.devices {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b *managed) int { return strings.Compare(a.id, b.id) })
	return out
}

// Len counts the managed devices that the pool remembers, open or not.
func (p *Pool) Len() int { return len(p.all()) }

// MaxUnused bounds the managed devices that have no device and no session.
const MaxUnused = 64

// forgetUnused drops the names that were asked for and have no device, longest unused first.
// choosing is held.
func (p *Pool) forgetUnused() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.devices) <= MaxUnused {
		return
	}
	unused := map[string]time.Time{}
	for id, d := range p.devices {
		if !d.inUse() && !d.health.marked() {
			unused[id] = d.lastUsed()
		}
	}
	for _, id := range clients.Oldest(unused, MaxUnused) {
		delete(p.devices, id)
	}
}

// Free ends a client's hold on the devices that it does not use. A shell client still knows the screens that it was
// shown: its next command continues where this one stopped. An agent gives back what it has reserved; the commands of a
// shell and the calls of a program come one by one, so that those have until their limit.
func (p *Pool) Free(c *clients.Client) {
	kind := c.State().Kind
	shell := kind == clients.ShellKind
	for _, d := range p.all() {
		if kind == clients.AgentKind {
			d.leftBy(c)
		}
		d.queue.free(c)
		if s := d.session(); s != nil && !shell {
			s.Observer.Forget(c.ID())
		}
	}
}

// Notices returns the notices about the call's device for the client of a call, each once.
func (p *Pool) Notices(c *calls.Call) []string {
	if d, ok := c.Place().(*managed); ok {
		return d.noticesFor(c.Client())
	}
	return nil
}

// Memories are the memories that know the secrets which the reply to a call may hold: that of its
// device's session, or of all devices when the call is for none.
func (p *Pool) Memories(c *calls.Call) []*memory.Store {
	at := p.all()
	if d, ok := c.Place().(*managed); ok {
		at = []*managed{d}
	}
	var out []*memory.Store
	for _, d := range at {
		if m := d.memory(); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// ReadOnly lends the device that a client's calls go to, or the one that is named, for looking at
// it. It takes no lease, so it never keeps a call from acting, and opens nothing.
func (p *Pool) ReadOnly(by *clients.Client, named string) (dev driver.Device, id string, err error) {
	d, err := p.resolve(by.State(), named)
	if err != nil {
		return nil, "", err
	}
	if d != nil {
		if dev := d.device(); dev != nil {
			return dev, d.id, nil
		}
	}
	return nil, "", fault.New(fault.NotFound, "look at device", "no device is open").
		WithHint("The first action opens one.")
}
