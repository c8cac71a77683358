package devices

import (
	"encoding/json"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// Connect opens the device that a call names and makes it the client's. A device that is open with another spec is
// opened anew, which ends its session; a zero spec takes it as it is. An open device that fits needs no lease: the
// call that uses it continues.
func (p *Pool) Connect(c *calls.Call, spec Spec) (Status, error) {
	const op = "connect device"
	d, _, free, err := p.choose(c.Client(), p.idFor(c))
	if err != nil {
		return Status{}, err
	}
	defer free()
	c.PlaceAt(d)
	if !d.opened(spec) {
		if err := p.connect(c, d.id, spec); err != nil {
			return Status{}, fault.Wrap(err, "", op)
		}
	}
	c.Ran(d.id, d.platform(), "")
	if err := c.Client().Bind(d.id); err != nil {
		return Status{}, err
	}
	return d.status(), nil
}

func (p *Pool) connect(c *calls.Call, id string, spec Spec) error {
	l, err := p.Acquire(c.Context(), c, id)
	if err != nil {
		return err
	}
	defer l.Release()
	l.d.respec(spec, c.Client())
	if err := l.open(c.Context()); err != nil {
		return err
	}
	p.save()
	return nil
}

// idFor is the id of the device to connect: the one that the call names, the only one of the
// client's workspace, or a new one.
func (p *Pool) idFor(c *calls.Call) string {
	if id := c.Request().Device; id != "" {
		return id
	}
	st := c.Client().State()
	st.Device = ""
	d, err := p.resolve(st, "")
	switch {
	case err != nil:
		return defaultID
	case d != nil:
		return d.id
	}
	return p.freeID(st.Workspace)
}

// opened reports whether the device is open, alive and as wanted.
func (d *managed) opened(want Spec) bool {
	d.mu.Lock()
	dev, is := d.dev, d.spec
	d.mu.Unlock()
	return dev != nil && !gone(dev) && is.suits(want)
}

// respec sets another spec of the device when one is asked for, closing an open one that does not fit it. The caller
// has the lease.
func (d *managed) respec(want Spec, by *clients.Client) {
	d.mu.Lock()
	is, open := d.spec, d.dev != nil
	d.mu.Unlock()
	if is.suits(want) {
		return
	}
	want.ID, want.Workspace, want.Owner = is.ID, is.Workspace, is.Owner
	if open {
		d.notify(d.id+" was opened anew by "+by.Label()+", with other settings.", by)
		if err := d.end(event.Passed, nil); err != nil {
			d.pool.o.Log.Warn("device did not close cleanly", "device", d.id, "error", err)
		}
	}
	want.StorageState = append(json.RawMessage(nil), want.StorageState...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spec = want
}

// Disconnect ends the session of the device that a call means and closes the device. The client's own calls there are
// cancelled; another client's running call is waited for only a moment.
func (p *Pool) Disconnect(c *calls.Call) error {
	const op = "disconnect device"
	by := c.Client()
	d, err := p.existing(by, c.Request().Device)
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	if _, r := d.queue.current(); r != nil && r.Client() == by {
		r.Cancel(fault.New(fault.Canceled, "", "its device was disconnected"))
	}
	l, err := p.Acquire(c.Context(), c, d.id)
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	defer l.Release()
	d = l.d
	d.clean()
	err = d.end(event.Passed, nil)
	d.notify(d.id+" was closed by "+by.Label()+" meanwhile: this is a new one.", by)
	d.queue.free(by)
	d.giveBack()
	if by.State().Device == d.id {
		_ = by.Bind("")
	}
	return fault.Wrap(err, "", op)
}
