package hub

import (
	"cmp"
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Lease is a device in the hands of a management tool that must act on it: a trail being run. Calls
// through Hub.Do for the same device would wait for this lease; use Call.
type Lease struct {
	Session    *session.Session
	Dispatcher *dispatch.Dispatcher
	Device     string
	Ctx        context.Context // ends when the lease is cancelled: a lifetime owner

	release func()
}

// Call calls a tool in the lease's session.
func (l *Lease) Call(ctx context.Context, from dispatch.Caller, c tool.Call) (*tool.Result, error) {
	return l.Dispatcher.Call(ctx, l.Session, from, c)
}

// Release gives the device back. It may be called twice.
func (l *Lease) Release() { l.release() }

// Acquire leases a device to a management tool, as to a call. The name of the work is for the calls that wait for the
// device. The reply of the management tool says that this device was used.
func (h *Hub) Acquire(ctx context.Context, by *clients.Client, device, what string) (*Lease, error) {
	c, err := h.begin(ctx, by, device, what)
	if err != nil {
		return nil, err
	}
	var l *Lease
	defer func() {
		if l == nil {
			c.End()
		}
	}()
	l, err = h.lease(c)
	return l, err
}

func (h *Hub) lease(c *calls.Call) (_ *Lease, err error) {
	ctx := c.Context()
	ws, leave, err := h.workspaces.use(ctx, c.Client().State().Workspace)
	if err != nil {
		return nil, err
	}
	lease, err := h.devices.Acquire(ctx, c, c.Request().Device)
	if err != nil {
		leave()
		return nil, err
	}
	kept := false
	defer func() {
		if !kept { // a panic of a driver is not the end of the device for every client
			lease.Release()
			leave()
		}
	}()
	s, err := lease.Session(ctx, ws.memory)
	if err != nil {
		return nil, err
	}
	s.EndStep()
	unfollow := func() {}
	if c.Parent() != nil {
		unfollow = c.Parent().Follow(s.Log)
	}
	kept = true
	release := sync.OnceFunc(func() {
		unfollow()
		lease.Restore() // the lease does not know how the last of its calls ended
		leave()
		c.End()
	})
	return &Lease{
		Session: s.Session, Dispatcher: ws.dispatcher, Device: lease.Device(), Ctx: ctx, release: release,
	}, nil
}

// begin registers a call that the hub makes for a management tool. Without a device it is for the
// one that the caller of the management tool named.
func (h *Hub) begin(ctx context.Context, by *clients.Client, device, what string) (*calls.Call, error) {
	if !h.clients.Has(by) {
		return nil, fault.New(fault.Invalid, what, "there is no client")
	}
	if parent := calls.From(ctx); parent != nil {
		device = cmp.Or(device, parent.Request().Device)
	}
	if err := h.within(ctx, by, device, what); err != nil {
		return nil, err
	}
	return h.calls.Begin(ctx, by, calls.Request{Call: tool.Call{Name: what}, Device: device})
}

// foreign reports whether a device is another workspace's, in a call that is limited to its own, because a tool or a
// trail makes it.
func foreign(ctx context.Context, by *clients.Client, st devices.Status) bool {
	free := st.State == devices.StateAvailable || st.State == devices.StateClosed
	return dispatch.IsNested(ctx) && by != nil && !free && st.Workspace != by.State().Workspace
}

// within refuses a call that is for a device of another workspace, and is limited to its own.
func (h *Hub) within(ctx context.Context, by *clients.Client, device, what string) error {
	for _, st := range h.devices.Status() {
		if st.ID == device && foreign(ctx, by, st) {
			return fault.New(fault.Denied, what, "%s belongs to another workspace", device).
				WithHint("A tool or a trail reaches the devices of its own workspace only; call %s yourself.", "device")
		}
	}
	return nil
}
