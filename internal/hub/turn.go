package hub

import (
	"cmp"
	"context"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Turn is a slot in the hands of a desk tool that must act on a device: a trail being run. Calls through Hub.Do for the same
// slot would wait for the turn that is already had; use Call.
type Turn struct {
	Session    *session.Session
	Dispatcher *dispatch.Dispatcher
	Device     string
	Ctx        context.Context // ends when the turn is cancelled: a lifetime owner

	done func()
}

// Call calls a tool in the turn's session.
func (t *Turn) Call(ctx context.Context, from dispatch.Caller, c tool.Call) (*tool.Result, error) {
	return t.Dispatcher.Call(ctx, t.Session, from, c)
}

// Done gives the slot back. It may be called twice.
func (t *Turn) Done() { t.done() }

// Use claims a slot for a desk tool, like a call would. What names the work to those that wait for the slot. The reply of
// the desk call says that this device was used.
func (h *Hub) Use(ctx context.Context, s *Seat, device, what string) (*Turn, error) {
	c, end, err := h.errand(ctx, s, what)
	if err != nil {
		return nil, err
	}
	end = sync.OnceFunc(end)
	var t *Turn
	defer func() {
		if t == nil {
			end()
		}
	}()
	t, err = c.use(device, end)
	return t, err
}

func (c *call) use(device string, end func()) (*Turn, error) {
	h := c.hub
	sp, leave, err := h.space(c.ctx, c.seat.State().Workspace)
	if err != nil {
		return nil, err
	}
	kept := false
	defer func() {
		if !kept {
			leave()
		}
	}()
	sl, bind, done, err := h.target(c.seat, cmp.Or(device, DeviceFrom(c.parent.context())))
	if err != nil {
		return nil, err
	}
	defer done()
	c.place(sl)
	if err := sl.claim.take(c.ctx, c, h.o.ClaimWait); err != nil {
		return nil, err
	}
	defer func() {
		if !kept { // a panic of a driver is not the end of the device for everybody
			sl.claim.give(c)
		}
	}()
	l, err := sl.ready(c.ctx, c, sp)
	if err != nil {
		return nil, err
	}
	if bind {
		c.bind(sl.id)
	}
	c.teach(l)
	l.steps.end()
	c.parent.ran(sl, l)
	quiet := func() {}
	if c.parent != nil {
		quiet = c.parent.listen(l.sess.Log)
	}
	kept = true
	return &Turn{Session: l.sess, Dispatcher: sp.d, Device: sl.id, Ctx: c.ctx, done: sync.OnceFunc(func() {
		quiet()
		sl.mendAfter(c, func() { sl.claim.give(c) }) // nobody knows how the last of its calls ended
		leave()
		end()
	})}, nil
}
