package hub

import (
	"context"
	"fmt"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// place says which slot the call is for.
func (c *call) place(sl *slot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slot = sl
}

// ran says where the call really runs, and in which session.
func (c *call) ran(sl *slot, l *live) {
	if c == nil {
		return
	}
	sl.mu.Lock()
	info := sl.info
	sl.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reply.Device, c.reply.Platform = sl.id, info.Platform
	if l != nil {
		c.reply.Session = l.sess.ID
	}
}

// at is the name of the slot.
func (c *call) at() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slot == nil {
		return ""
	}
	return c.slot.id
}

func (c *call) wait(waiting bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = waiting
}

func (c *call) jobID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.job
}

func (c *call) warn(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reply.Warnings = append(c.reply.Warnings, fmt.Sprintf(format, args...))
}

// context is the call's context, for one that may not exist.
func (c *call) context() context.Context {
	if c == nil {
		return context.Background()
	}
	return c.ctx
}

// within says whether this call was set off by the other, at any depth.
func (c *call) within(other *call) bool {
	for p := c.parent; p != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

func (c *call) elapsed() time.Duration { return c.hub.now().Sub(c.started) }

// cutOff says whether a call was ended from outside its tool, so that nobody knows what its device is doing now.
func (c *call) cutOff(err error) bool {
	if c.ctx.Err() != nil {
		return true
	}
	k := fault.KindOf(err)
	return err != nil && (k == fault.Timeout || k == fault.Canceled)
}

// intent is what the call is for, as everybody may read it.
func (c *call) intent() string {
	c.mu.Lock()
	sl := c.slot
	c.mu.Unlock()
	if sl == nil {
		return c.req.Intent
	}
	sl.mu.Lock()
	mem := sl.past
	sl.mu.Unlock()
	if mem == nil {
		return c.req.Intent
	}
	return mem.Mask(c.req.Intent)
}

func (c *call) status() CallStatus {
	out := CallStatus{
		ID: c.id, Tool: c.req.Call.Name, Intent: c.intent(), Seat: short(c.seat.handle), Client: c.seat.who(), Device: c.at(), Elapsed: c.elapsed(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out.Waiting, out.Job = c.waiting, c.job
	return out
}

// short is a handle as others may see it: whoever knows all of it has the seat. Cancel takes it.
func short(handle string) string { return handle[:min(len(handle), shortHandle)] }

const shortHandle = len("tb_") + 5

// spell writes a duration as people read it.
func spell(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
