package devices

import (
	"cmp"
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// Lease is the right of one call to act on a device. Its methods are called by that call alone.
type Lease struct {
	d     *managed
	call  *calls.Call
	fresh bool // the device was made for the client, and becomes the client's own once it is open
	free  func()
	once  sync.Once
}

// Acquire finds the device that a call is for, waits until it is free and leases it to the call.
// Without a name it is the client's device, the only one in the client's workspace, or a new one. A
// device that another client's call uses is waited for only a moment; the error then names that
// call.
func (p *Pool) Acquire(ctx context.Context, c *calls.Call, device string) (*Lease, error) {
	d, fresh, free, err := p.choose(c.Client(), device)
	if err != nil {
		return nil, err
	}
	c.PlaceAt(d)
	if err := d.queue.acquire(ctx, c, d.id, p.o.LeaseWait); err != nil {
		free()
		return nil, err
	}
	return &Lease{d: d, call: c, fresh: fresh, free: free}, nil
}

// Device is the id of the leased device.
func (l *Lease) Device() string { return l.d.id }

// Release hands the device to the next call. It may be called twice, and after Restore.
func (l *Lease) Release() {
	l.once.Do(func() {
		l.d.queue.release(l.call)
		l.free()
	})
}

// Restore releases the device after a call that was cut off: it first makes sure that the device
// answers again. The call need not wait for that.
func (l *Lease) Restore() {
	l.d.queue.restore()
	l.d.pool.work.Go(func() {
		defer l.Release()
		l.d.restore(l.call.Tool())
	})
}

// Session makes sure that the device is open and alive and that a session records; it knows the
// secrets of the call. A new session starts with the given memory.
func (l *Lease) Session(ctx context.Context, start func() *memory.Store) (*Session, error) {
	if err := l.open(ctx); err != nil {
		return nil, err
	}
	s, err := l.d.record(ctx, l.call, start)
	if err != nil {
		return nil, err
	}
	s.SetClient(l.call.Client().Who())
	s.addSecrets(l.call.Client().ID(), l.call.Secrets())
	l.call.Ran(l.d.id, l.d.platform(), s.ID)
	return s, nil
}

// Locate notes which page is open.
func (l *Lease) Locate(ctx context.Context, s *Session) { l.d.locate(ctx, s.Memory) }

// open makes sure that the device is open and alive. A device that was made for the client becomes
// the client's own, so that devices which others connect later do not make its calls ambiguous.
func (l *Lease) open(ctx context.Context) error {
	l.d.dropGone()
	if err := l.d.open(ctx, l.call); err != nil {
		return err
	}
	if !l.fresh {
		return nil
	}
	err := l.call.Client().Update(func(st *clients.State) error {
		st.Device = cmp.Or(st.Device, l.d.id)
		return nil
	})
	if err != nil {
		l.call.Warn("the device could not be kept as yours: %v", err)
	}
	return nil
}
