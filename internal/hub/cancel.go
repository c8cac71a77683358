package hub

import (
	"context"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// CancelRequest says which calls to end: those that match every field that is set. All alone matches everything; nothing
// set matches nothing.
type CancelRequest struct {
	Seat   string `json:"seat,omitempty"` // handle, or the beginning that listings show
	Device string `json:"device,omitempty"`
	CallID string `json:"callId,omitempty"`
	Job    string `json:"job,omitempty"`
	All    bool   `json:"all,omitempty"`
	Why    string `json:"why,omitempty"` // told to whoever waits for the call
}

func (r CancelRequest) matches(c *call) bool {
	if r.Seat == "" && r.Device == "" && r.CallID == "" && r.Job == "" {
		return r.All
	}
	seat := r.Seat == "" || r.Seat == c.seat.handle || len(r.Seat) >= shortHandle && strings.HasPrefix(c.seat.handle, r.Seat)
	return seat && (r.Device == "" || r.Device == c.at()) && (r.CallID == "" || r.CallID == c.id) && (r.Job == "" || r.Job == c.jobID())
}

// Cancel ends calls and says how many. It never blocks; the calls answer within a moment, whatever their tools do.
func (h *Hub) Cancel(r CancelRequest) int {
	why := r.Why
	if why == "" {
		why = "somebody cancelled it"
	}
	cause := fault.New(fault.Canceled, "", "%s", why)
	n := 0
	for _, c := range h.running() {
		if r.matches(c) {
			c.cancel(cause)
			n++
		}
	}
	return n
}

func (h *Hub) cancelAll(cause error) {
	for _, c := range h.running() {
		c.cancel(cause)
	}
}

// running lists the calls in flight.
func (h *Hub) running() []*call {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*call, 0, len(h.calls))
	for _, c := range h.calls {
		out = append(out, c)
	}
	return out
}

const (
	// mendTime is what making a slot usable may take: who cancels wants to go on within a second.
	mendTime = 950 * time.Millisecond
	// turnTime is how long a tool that was cancelled may still keep its turn.
	turnTime = 150 * time.Millisecond
)

// mendAfter makes the slot usable after a call that was cut off, and gives its turn to the next. The call need not wait.
func (sl *slot) mendAfter(c *call, give func()) {
	sl.claim.mend()
	sl.hub.work.Go(func() {
		defer give()
		sl.mend(c)
	})
}

// mend asks the device for a sign of life and, when none comes, does what it takes: interrupt it, or give it up.
func (sl *slot) mend(c *call) {
	dev, l, _ := sl.look()
	if dev == nil || l == nil || sl.hub.life.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(sl.hub.life, mendTime)
	defer cancel()
	done, err := interrupt(ctx, dev)
	name := c.req.Call.Name
	switch {
	case gone(dev):
		sl.drop("its browser or phone died while " + name + " ran")
		return
	case err != nil && sl.hub.life.Err() == nil:
		sl.drop("it did not answer any more after " + name + " was cut off")
		return
	case done != "":
		text := name + " was cut off and " + sl.id + " did not answer: " + done
		_, _ = l.sess.Log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: text}})
		sl.tell(text)
	}
	sl.freeTurn(l, name)
	sl.place(ctx, l.sess.Memory)
}

// interrupt brings a device to answer. One that cannot be interrupted is at least asked.
func interrupt(ctx context.Context, dev driver.Device) (done string, err error) {
	if i, ok := driver.As[driver.Interrupter](dev); ok {
		return i.Interrupt(ctx)
	}
	_, err = dev.Snapshot(ctx, driver.SnapshotOptions{})
	if ctx.Err() == nil && fault.KindOf(err) != fault.Unavailable {
		err = nil // it answered, if only to complain
	}
	return "", err
}

// freeTurn makes sure that the session's turn is free. A tool that ignores its end keeps it; the session then goes on
// without that tool, which can do nothing any more: every device call of it fails, and it may call no other tool.
func (sl *slot) freeTurn(l *live, name string) {
	ctx, cancel := context.WithTimeout(sl.hub.life, turnTime)
	defer cancel()
	if release, err := l.sess.Act(ctx, "make ready"); err == nil {
		release()
		return
	}
	if sl.hub.life.Err() != nil {
		return
	}
	sl.renew(l)
	sl.tell(name + " goes on although it was cut off; nothing it does counts any more.")
}
