package devices

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// open makes sure that there is a device. The caller has the lease.
func (d *managed) open(ctx context.Context, c *calls.Call) error {
	if d.device() != nil {
		return nil
	}
	d.pool.inherit(false) // a daemon that makes way may have left only now
	d.mu.Lock()
	spec := d.spec
	d.mu.Unlock()
	if spec.Headless == nil {
		spec.Headless = c.Client().State().Headless
	}
	if err := d.pool.browsers.admit(d); err != nil {
		return err
	}
	c.Publish(calls.Progress{Event: "device", Message: "opening " + d.id})
	dev, err := d.pool.openDevice(ctx, spec)
	if err == nil {
		if err = d.health.cleanApps(ctx, dev); err != nil {
			_ = dev.Close()
		}
	}
	if ctx.Err() == nil {
		d.health.judge(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opening = false
	if err == nil {
		d.dev, d.info, d.url = dev, dev.Info(), ""
	}
	return err
}

// browsers bounds how many browsers are open.
type browsers struct {
	most int        // 0: any number
	mu   sync.Mutex // held while the open ones are counted
}

// admit lets a device be opened, unless it is one browser more than may be open.
func (b *browsers) admit(d *managed) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if full := b.full(d.pool.all()); full != "" && made(d.id) {
		return fault.New(fault.Busy, "open "+d.id, "%s", full).
			WithHint("Disconnect one that is not needed, or raise the setting max-browsers.")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opening = true
	return nil
}

// full says that as many browsers are open as may be, "" when there is room for one more.
func (b *browsers) full(all []*managed) string {
	if b.most == 0 {
		return ""
	}
	n := 0
	for _, d := range all {
		d.mu.Lock()
		if made(d.id) && (d.dev != nil || d.opening) {
			n++
		}
		d.mu.Unlock()
	}
	if n < b.most {
		return ""
	}
	return fmt.Sprintf("%d browsers are open, the most that this daemon opens", n)
}

// openTimeout is more than any device needs to start.
const openTimeout = 90 * time.Second

// openDevice opens a device and answers soon after ctx ends even when the provider does not; a
// device that comes too late is closed.
func (p *Pool) openDevice(ctx context.Context, spec Spec) (driver.Device, error) {
	op := "open " + spec.ID
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	type answer struct {
		dev driver.Device
		err error
	}
	got := make(chan answer, 1)
	p.work.Go(func() {
		defer cancel()
		dev, err := p.provide(ctx, spec)
		if err == nil && dev == nil {
			err = fault.New(fault.Internal, op, "the provider gave no device")
		}
		if err == nil && ctx.Err() != nil {
			_ = dev.Close()
			dev, err = nil, context.Cause(ctx)
		}
		got <- answer{dev, err}
	})
	var a answer
	select {
	case a = <-got:
	case <-ctx.Done():
		a.err = context.Cause(ctx)
		select {
		case a = <-got: // it had answered just before
		default:
			p.work.Go(func() { // nothing else will close what comes too late
				if late := <-got; late.dev != nil {
					_ = late.dev.Close()
				}
			})
		}
	}
	if a.err != nil {
		return nil, fault.Wrap(a.err, "", op)
	}
	return a.dev, nil
}

// provide is Provider.Open; a panic there must not end the daemon either.
func (p *Pool) provide(ctx context.Context, spec Spec) (dev driver.Device, err error) {
	defer func() {
		if x := recover(); x != nil {
			dev, err = nil, calls.Panicked(p.o.Log, "open "+spec.ID, x)
		}
	}()
	return p.o.Provider.Open(ctx, spec)
}

// Provider opens devices. It is safe for concurrent use.
type Provider interface {
	Open(ctx context.Context, s Spec) (driver.Device, error)
	// Available lists what could be connected, without opening anything.
	Available(ctx context.Context) ([]driver.Info, error)
	// Facts returns what is known of a device without opening it.
	Facts(ctx context.Context, id string) trail.Facts
}

// Spec describes the opening of a device. Zero fields are the provider's choice.
type Spec struct {
	ID           string          `json:"id"` // "web", "web/checkout", "emulator-5554"
	Headless     *bool           `json:"headless,omitempty"`
	Viewport     string          `json:"viewport,omitempty"`    // "1280x800"
	Emulate      string          `json:"emulate,omitempty"`     // a device preset
	Profile      string          `json:"profile,omitempty"`     // a named, kept browser profile
	Permissions  []string        `json:"permissions,omitempty"` // of pages, in the words of the Permissions API
	Geolocation  string          `json:"geolocation,omitempty"` // "52.52,13.40"
	StorageState json.RawMessage `json:"-"`                     // login state; never written to disk
	Workspace    string          `json:"workspace,omitempty"`
	Owner        string          `json:"owner,omitempty"` // the program whose own it is, clients.State.Owner
	Hands        bool            `json:"-"`               // a person acts on it by hand, to be recorded
	Bar          bool            `json:"-"`               // a small window beside that
}

// suits reports whether a device that was opened with this spec is as wanted. A wanted spec that sets nothing fits
// every device.
func (s Spec) suits(want Spec) bool {
	bare := Spec{ID: s.ID, Workspace: s.Workspace, Owner: s.Owner}
	want.ID, want.Workspace, want.Owner = s.ID, s.Workspace, s.Owner
	return reflect.DeepEqual(want, bare) || reflect.DeepEqual(want, s)
}
