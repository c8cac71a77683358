package hub

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// opened makes sure that there is a device.
func (sl *slot) opened(ctx context.Context, c *call) error {
	if dev, _, _ := sl.look(); dev != nil {
		return nil
	}
	sl.hub.recover(false) // a daemon that makes way may have left only now
	sl.mu.Lock()
	spec := sl.spec
	sl.mu.Unlock()
	if spec.Headless == nil {
		spec.Headless = c.seat.State().Headless
	}
	c.feed.tell(Progress{Event: "device", Message: "opening " + sl.id})
	dev, err := sl.hub.openDevice(ctx, spec)
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if err != nil {
		return err
	}
	sl.dev, sl.info, sl.url = dev, dev.Info(), ""
	return nil
}

// openTimeout is more than any device needs to start.
const openTimeout = 90 * time.Second

// openDevice opens a device and answers soon after ctx ends even when the provider does not; what comes too late is closed.
func (h *Hub) openDevice(ctx context.Context, spec DeviceSpec) (driver.Device, error) {
	op := "open " + spec.ID
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	type answer struct {
		dev driver.Device
		err error
	}
	got := make(chan answer, 1)
	h.work.Go(func() {
		defer cancel()
		dev, err := h.provide(ctx, spec)
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
			h.work.Go(func() { // nobody else will close what comes too late
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
func (h *Hub) provide(ctx context.Context, spec DeviceSpec) (dev driver.Device, err error) {
	defer func() {
		if p := recover(); p != nil {
			dev, err = nil, h.panicked("open "+spec.ID, p)
		}
	}()
	return h.o.Provider.Open(ctx, spec)
}
