package hub

import (
	"context"
	"crypto/rand"
	"runtime/debug"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// call is a request under way.
type call struct {
	id      string
	hub     *Hub
	seat    *Seat
	parent  *call // the desk tool that made this call, if one did
	req     Request
	started time.Time
	ctx     context.Context // ends with the call: a lifetime owner
	cancel  context.CancelCauseFunc
	feed    feed

	mu      sync.Mutex
	slot    *slot // where it runs, or waits to
	waiting bool
	cut     bool // off: ended from outside
	job     string
	reply   Reply
}

// Do carries out a call for a seat. It is the one entry for every transport. A Reply comes with an error too, unless the
// call was not even begun: it says where the call ran and what happened around it.
func (h *Hub) Do(ctx context.Context, s *Seat, r Request) (*Reply, error) {
	if r.Detach {
		return h.doDetached(ctx, s, r)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c, err := h.begin(ctx, cancel, s, r)
	if err != nil {
		cancel(err)
		return nil, err
	}
	stop := c.report(r.Progress)
	defer stop()
	return c.run()
}

// begin registers a call.
func (h *Hub) begin(ctx context.Context, cancel context.CancelCauseFunc, s *Seat, r Request) (*call, error) {
	if s == nil || s.hub != h {
		return nil, fault.New(fault.Invalid, "call "+r.Call.Name, "there is no seat")
	}
	if r.From == "" {
		r.From = dispatch.API
	}
	r.Secrets = s.with(r.Secrets)
	c := &call{id: rand.Text(), hub: h, seat: s, parent: callOf(ctx), req: r, started: h.now(), cancel: cancel}
	c.reply.CallID = c.id
	c.ctx = context.WithValue(context.WithValue(context.WithValue(ctx, seatKey, s), hubKey, h), callKey, c)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, fault.New(fault.Unavailable, "call "+r.Call.Name, "the daemon is stopping").WithHint("Call again: a new one is started.")
	}
	h.calls[c.id] = c
	h.active = c.started
	h.work.Add(1)
	return c, nil
}

// run carries the call out and forgets it. A panic of ours is the answer to this one call: it may run in a goroutine of the
// hub, where it would end the daemon and everybody's browsers with it.
func (c *call) run() (_ *Reply, err error) {
	h := c.hub
	defer func() {
		if p := recover(); p != nil {
			err = h.panicked("call "+c.req.Call.Name, p)
		}
	}()
	defer func() {
		h.mu.Lock()
		delete(h.calls, c.id)
		h.active = h.now()
		h.mu.Unlock()
		c.seat.saw(h.now())
		c.cancel(nil)
		h.work.Done()
	}()
	res, err := c.carryOut()
	return c.answer(res, err)
}

// panicked notes a panic and says so to whoever waits. What it was stays in the log: it may hold anything.
func (h *Hub) panicked(op string, p any) error {
	h.o.Log.Error("a panic", "op", op, "panic", p, "stack", string(debug.Stack()))
	return fault.New(fault.Internal, op, "this is a fault of Trailblaze; what it did is not known").WithHint("`trailblaze daemon logs` shows it.")
}

// carryOut runs the tool where it belongs. A tool that nobody knows runs like a desk tool, so that no device is opened to
// say so.
func (c *call) carryOut() (*tool.Result, error) {
	sp, leave, err := c.hub.space(c.ctx, c.seat.State().Workspace)
	if err != nil {
		return nil, err
	}
	defer leave()
	name := c.req.Call.Name
	t, known := sp.reg.Get(name)
	if !known || c.hub.isDesk[name] {
		return c.atDesk(sp)
	}
	return c.onDevice(sp, t.Spec())
}

// atDesk runs a tool that manages the house: in a session of its own that keeps nothing, without a turn.
func (c *call) atDesk(sp *space) (*tool.Result, error) {
	sess, err := session.Open(c.ctx, session.Options{ID: "desk", Forget: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = sess.Close(event.Passed) }()
	defer c.listen(sess.Log)()
	return sp.d.Call(dispatch.WithID(c.ctx, c.id), sess, c.req.From, c.req.Call)
}

// onDevice runs a tool in the live session of a slot, when the slot's turn comes.
func (c *call) onDevice(sp *space, spec *tool.Spec) (*tool.Result, error) {
	h := c.hub
	sl, bind, done, err := h.target(c.seat, c.req.Device)
	if err != nil {
		return nil, err
	}
	defer done()
	c.place(sl)
	if err := sl.claim.take(c.ctx, c, h.o.ClaimWait); err != nil {
		return nil, err
	}
	give := func() { sl.claim.give(c) }
	defer func() { give() }()
	l, err := sl.ready(c.ctx, c, sp)
	if err != nil {
		return nil, err
	}
	if bind {
		c.bind(sl.id)
	}
	c.ran(sl, l)
	c.parent.ran(sl, l)
	c.teach(l)
	quiet := c.listen(l.sess.Log)
	l.steps.enter(c.seat.handle, c.req.Intent, spec.Kind)
	res, err := sp.d.Call(c.viewing(l), l.sess, c.req.From, c.req.Call)
	quiet()
	failure := err
	if failure == nil {
		failure = res.Err()
	}
	l.steps.called(failure)
	cut := c.cutOff(err)
	if !cut {
		res = c.observe(l, spec, res)
		sl.place(c.ctx, l.sess.Memory)
	}
	if c.cutOff(failure) { // looking at the screen may have been cut off too
		c.mu.Lock()
		c.cut = cut
		c.mu.Unlock()
		sl.mendAfter(c, give)
		give = func() {}
	}
	return res, err
}

// bind makes a slot that was opened for the seat the seat's own, so that others who connect devices later do not make its
// calls ambiguous.
func (c *call) bind(id string) {
	err := c.seat.Update(func(st *SeatState) error {
		if st.Device == "" {
			st.Device = id
		}
		return nil
	})
	if err != nil {
		c.warn("the device could not be kept as yours: %v", err)
	}
}

// answer makes the reply: masked, with the news of the slot.
func (c *call) answer(res *tool.Result, err error) (*Reply, error) {
	c.mu.Lock()
	sl := c.slot
	cut := c.cut
	c.mu.Unlock()
	if sl != nil && !cut { // nobody reads the small print of a call that was cut off
		for _, text := range sl.news(c.seat) {
			c.warn("%s", text)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	rep := c.reply
	rep.Result, rep.Duration = res, c.elapsed()
	return &rep, c.hub.mask(&rep, err, sl, c.req.Secrets)
}
