package hub

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/fault"
)

var errReplaced = fault.New(fault.Canceled, "", "the daemon makes way for a newer one")

// refuse turns clients, calls and workspaces away from now on.
func (h *Hub) refuse() {
	h.clients.Close()
	h.calls.Close()
	h.workspaces.refuse()
}

// Close ends the calls and sessions and closes the devices. It returns when all of that is done, or
// when ctx ends, with an error that says what still runs. Later calls are refused.
func (h *Hub) Close(ctx context.Context) error {
	h.refuse()
	h.calls.CancelAll(errClosing)
	err := h.calls.Wait(ctx)
	err = errors.Join(err, h.devices.Close(ctx, errClosing), h.workspaces.close(ctx, errClosing))
	return fault.Wrap(err, "", "close hub")
}

// Drop makes way for another hub on the same home: calls are cancelled, sessions are left without an end, devices are
// closed, and the record of open ones stays, so that the other hub continues with them.
func (h *Hub) Drop(ctx context.Context) error {
	h.refuse()
	h.calls.CancelAll(errReplaced)
	err := errors.Join(h.calls.Wait(ctx), h.devices.Wait(ctx))
	h.devices.Leave("its daemon made way for a newer one")
	return errors.Join(err, h.devices.Drop(ctx, errReplaced), h.workspaces.close(ctx, errReplaced))
}

// Kill ends the hub as the death of its process would: nothing more is written, not even how calls in flight end. It
// is for tests of recovery after a crash.
func (h *Hub) Kill(ctx context.Context) error {
	h.refuse()
	h.devices.Leave("")
	h.calls.CancelAll(errClosing)
	err := h.calls.Wait(ctx)
	return errors.Join(err, h.devices.Drop(ctx, errClosing), h.workspaces.close(ctx, errClosing))
}
