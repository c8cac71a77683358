package devices

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

const (
	// restoreTime bounds making a device usable: a client that cancels wants to continue within a second.
	restoreTime = 950 * time.Millisecond
	// actTime limits how long a tool that was cancelled may still keep the session from acting.
	actTime = 150 * time.Millisecond
)

// restore asks the device of a call that was cut off for an answer. One that does not give it is
// interrupted, or given up. The caller has the lease.
func (d *managed) restore(tool string) {
	dev, s := d.device(), d.session()
	if dev == nil || s == nil || d.pool.life.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(d.pool.life, restoreTime)
	defer cancel()
	done, err := interrupt(ctx, dev)
	switch {
	case gone(dev):
		d.drop("its browser or phone died while " + tool + " ran")
		return
	case err != nil && d.pool.life.Err() == nil:
		d.drop("it did not answer any more after " + tool + " was cut off")
		return
	case done != "":
		text := tool + " was cut off and " + d.id + " did not answer: " + done
		_, _ = s.Log.Append(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: text}})
		d.notify(text)
	}
	d.freeSession(s, tool)
	d.locate(ctx, s.Memory)
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

// freeSession makes sure that the session can act. A tool that ignores its end keeps it from that; the session then
// continues without that tool, which can do nothing any more: every device call of it fails, and it may call no other
// tool.
func (d *managed) freeSession(s *Session, tool string) {
	ctx, cancel := context.WithTimeout(d.pool.life, actTime)
	defer cancel()
	if lock, err := s.Act(ctx, "make ready"); err == nil {
		lock.Release()
		return
	}
	if d.pool.life.Err() != nil {
		return
	}
	d.renew(s)
	d.notify(tool + " goes on although it was cut off; nothing it does counts any more.")
}
