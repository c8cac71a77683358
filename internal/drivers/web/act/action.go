package act

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	// targetTimeout limits the wait of an action for its element when the caller's deadline leaves more.
	targetTimeout = 10 * time.Second
	// A fifth of the caller's time, within these bounds, is kept back from waiting for the element,
	// so that the page script can still report the obstacle.
	minMargin, maxMargin = 250 * time.Millisecond, time.Second
	// aims limits how often an action is aimed anew after its event was kept from hitting something else.
	aims = 6
)

// tokens numbers actions for the page script.
var tokens atomic.Int64

// action is one action under way.
type action struct {
	p     *Performer
	t     *frames.Tab
	token int64
	op    string // "click element"
	began time.Time
	until time.Time // when to stop waiting for the element

	doc     *frames.Document // where the target is
	element int64
	seen    uint64      // the capture that the page must still look like
	at      *[2]float64 // offset from the target's corner
	point   screen.Point
	box     screen.Rect
	log     []string // obstacles and attempts

	before      before
	otherFrames otherFrames
	nav         *navWatch
	keysDown    int // keys of it that were sent going down
	method      string
	value       string
	good        bool // the state asked for was read back
	canvas      *drawing
	drew        bool // on the canvas
}

// fail adds to an error the steps that led to it.
func (a *action) fail(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, errDialog):
		err = fault.New(fault.NotActed, a.op, "a dialog is open, and the page stands still until it is answered").
			WithHint("Answer the dialog first.")
	case errors.Is(err, errClosed):
		err = fault.New(fault.NotFound, a.op, "the tab was closed before anything was sent")
	case errors.Is(err, frames.ErrGone):
		err = fault.New(fault.NotFound, a.op, "the page navigated away before anything was sent")
	}
	if ctx.Err() != nil && fault.KindOf(err) == fault.Internal {
		err = fault.Wrap(ctx.Err(), "", a.op)
	}
	var f *fault.Error
	if !errors.As(err, &f) || len(a.log) == 0 {
		return fault.Wrap(err, "", a.op)
	}
	d := fault.Detail{}
	if have := fault.DetailOf(err); have != nil {
		d = *have
	}
	d.Log = append(d.Log, a.log...)
	return f.WithDetail(d)
}

// aimAt sets the target. Without a node it is the active tab's main document.
func (a *action) aimAt(target driver.Target) error {
	if a.seen = target.Seen; a.seen != 0 && !needsLastView[a.op] {
		return a.changed()
	}
	if end := a.began.Add(target.Wait); target.Wait > 0 && end.Before(a.until) {
		a.until = end
	}
	if target.Node != 0 {
		doc, element, err := a.p.frames.Element(target.Node)
		if err != nil {
			return err
		}
		if doc.Frame.Tab != a.t {
			return fault.New(fault.NotFound, a.op, "the element is in %s, which is not the active tab", doc.Frame.Tab).
				WithHint("Switch to that tab first.")
		}
		a.doc, a.element = doc, element
		if target.Point != nil {
			a.at = &[2]float64{target.Point.X, target.Point.Y}
		}
		return nil
	}
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	if a.t.Main == nil || a.t.Main.Document == nil {
		return fault.New(fault.Unavailable, a.op, "the tab has no page yet")
	}
	a.doc = a.t.Main.Document
	return nil
}

// waitLeft returns the time that the page may still wait for the element, in ms.
func (a *action) waitLeft() float64 {
	return max(0, float64(time.Until(a.until).Microseconds())/1000)
}

func (a *action) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if n := len(a.log); n > 0 && a.log[n-1] == s || n >= 40 {
		return
	}
	a.log = append(a.log, s)
}

// errDialog and errClosed are the reasons to give up a call into the page: an open dialog halts it,
// a closed tab ends it.
var (
	errDialog = errors.New("a dialog is open")
	errClosed = errors.New("the tab was closed")
)

// ask calls one of the page script's functions in doc. It returns early when a dialog opens that
// waits for an answer, or when the tab is closed.
func (a *action) ask(ctx context.Context, doc *frames.Document, out any, fn string, args ...any) error {
	sub, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- doc.Call(sub, out, "act."+fn, args...) }()
	for {
		changed := a.p.frames.Changes.Wait()
		if why := a.halted(doc); why != nil {
			select {
			case err := <-done:
				return err
			default:
			}
			cancel()
			<-done //nolint:errcheck // the reason why it ends is known
			return why
		}
		select {
		case err := <-done:
			return err
		case <-changed:
		}
	}
}

// halted is the reason why doc cannot answer now, or nil.
func (a *action) halted(doc *frames.Document) error {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	switch {
	case a.t.Closed():
		return errClosed
	case a.t.AwaitsDialog():
		return errDialog
	case a.t.Crashed:
		return cdp.PageCrashed(a.op, "the page")
	}
	return doc.Ended()
}
