package hub

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/fault"
)

var errReplaced = fault.New(fault.Canceled, "", "the daemon makes way for a newer one")

// Drop makes way for another hub on the same home: what runs is cancelled, sessions are left without an end, devices are
// closed, and what was open stays written down, so that the other goes on with it.
func (h *Hub) Drop(ctx context.Context) error {
	h.shutDoor()
	h.cancelAll(errReplaced)
	err := wait(ctx, &h.work, "calls")
	h.stop(errReplaced)
	for _, sl := range h.allSlots() {
		sl.mu.Lock()
		if sl.lost == nil && sl.live != nil {
			sl.why = "its daemon made way for a newer one"
		}
		sl.mu.Unlock()
	}
	h.keepOpen()
	h.open.stop()
	h.leaveSessions()
	return errors.Join(err, h.clear(ctx))
}

// Kill ends the hub as the death of its process would: nothing more is written, not even how calls in flight end. It is for
// tests of what a crash leaves behind.
func (h *Hub) Kill(ctx context.Context) error {
	h.open.stop()
	h.shutDoor()
	h.leaveSessions()
	h.cancelAll(errClosing)
	h.stop(errClosing)
	err := wait(ctx, &h.work, "calls")
	return errors.Join(err, h.clear(ctx))
}

// shutDoor refuses whoever comes from now on.
func (h *Hub) shutDoor() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
}

func (h *Hub) leaveSessions() {
	for _, sl := range h.allSlots() {
		if _, l, _ := sl.look(); l != nil {
			_ = l.leave()
		}
	}
}

// clear closes devices and workspaces.
func (h *Hub) clear(ctx context.Context) error {
	var errs []error
	for _, sl := range h.allSlots() {
		if dev, _, _ := sl.look(); dev != nil {
			errs = append(errs, dev.Close())
		}
	}
	h.mu.Lock()
	spaces := h.spaces
	h.spaces = map[string]*space{}
	h.mu.Unlock()
	for _, sp := range spaces {
		errs = append(errs, sp.close(ctx))
	}
	return errors.Join(errs...)
}
