package hub

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// claim says which seat has a slot, and whose call runs there: one at a time, first come first served. An idle slot goes to
// whoever calls next; a busy one is waited for by calls of the same seat as long as it takes, and by others only a moment.
type claim struct {
	mu      sync.Mutex
	holder  *Seat
	running *call
	mending bool          // the call is over, its slot is being made usable again
	queue   []*turn       // first come first served
	changed chan struct{} // closed when running or mending changes
}

type turn struct {
	call    *call
	granted chan struct{}
}

// take gets the slot for a call, or says who has it.
func (c *claim) take(ctx context.Context, me *call, patience time.Duration) error {
	t := c.ask(me)
	if t == nil {
		return nil
	}
	if _, r := c.now(); r != nil && (me.within(r) || r.parent != nil && me.within(r.parent)) && c.quit(t) {
		return fault.New(fault.Conflict, "", "%s would wait for %s, which waits for it", me.req.Call.Name, r.req.Call.Name).
			WithHint("A desk tool that has taken its turn on a device calls the device's tools through that turn.")
	}
	me.wait(true)
	defer me.wait(false)
	me.feed.tell(Progress{Event: "waiting", Message: "waiting for " + me.at()})
	for {
		foreign, changed := c.look(me)
		var timer *time.Timer
		var over <-chan time.Time
		if foreign {
			timer = time.NewTimer(patience)
			over = timer.C
		}
		began := time.Now()
		select {
		case <-t.granted:
		case <-changed:
		case <-over:
		case <-ctx.Done():
		}
		if timer != nil {
			timer.Stop()
			patience -= time.Since(began) // only what another seat's call takes counts
		}
		switch {
		case t.won():
			return nil
		case ctx.Err() != nil:
			if !c.quit(t) {
				c.give(me)
			}
			return fault.Wrap(context.Cause(ctx), fault.KindOf(ctx.Err()), "wait for "+me.at())
		case foreign && patience <= 0:
			busy := c.busy(me)
			if !c.quit(t) {
				return nil
			}
			return busy
		}
	}
}

// ask grants the slot at once when it is free, or queues.
func (c *claim) ask(me *call) *turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil && len(c.queue) == 0 {
		c.grant(me)
		return nil
	}
	t := &turn{call: me, granted: make(chan struct{})}
	c.queue = append(c.queue, t)
	return t
}

func (t *turn) won() bool {
	select {
	case <-t.granted:
		return true
	default:
		return false
	}
}

func (c *claim) grant(me *call) {
	c.running, c.mending = me, false
	if me != nil {
		c.holder = me.seat
	}
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// look says whether another seat's call runs, and what to wait for.
func (c *claim) look(me *call) (foreign bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return c.running != nil && c.running.seat != me.seat && !c.mending, c.changed
}

// quit leaves the queue; false says that the turn had come already.
func (c *claim) quit(t *turn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.queue, t)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	return true
}

// give ends a call's turn; the next in the queue has the slot when it returns.
func (c *claim) give(me *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != me {
		return
	}
	if len(c.queue) == 0 {
		c.grant(nil)
		return
	}
	t := c.queue[0]
	c.queue = c.queue[1:]
	c.grant(t.call)
	close(t.granted)
}

// mend says that the running call is over and what remains is to make the slot usable.
func (c *claim) mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mending = true
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// release gives a slot free that a seat holds and does not use.
func (c *claim) release(s *Seat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holder == s {
		c.holder = nil
	}
}

func (c *claim) now() (holder *Seat, running *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mending {
		return c.holder, nil
	}
	return c.holder, c.running
}

// busy is the refusal, with holder, tool and elapsed time.
func (c *claim) busy(me *call) error {
	_, r := c.now()
	if r == nil {
		return fault.New(fault.Busy, "", "Device %s is busy", me.at()).WithHint("Try again.")
	}
	f := fault.New(fault.Busy, "", "Device %s is busy: %s (seat %s) has been running %s for %s",
		me.at(), r.seat.who(), short(r.seat.handle), r.req.Call.Name, spell(r.elapsed()))
	f.Device = me.at()
	return f.WithHint("Try again when it is done, or work on a device of your own: connect web/NAME and use that.")
}
