package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	moveGrace   = 300 * time.Millisecond // for a frame that moved on during the capture
	maxAttempts = 3
)

// Problems that may be over in a moment.
const (
	between = "between two documents"
	leaving = "navigating"
	silent  = "did not answer in time"
)

// part is the capture of one frame.
type part struct {
	frame    *frames.Frame
	parent   *part
	doc      *frames.Document
	seen     sight.Capture
	root     *screen.Node
	cut      bool   // root holds only the beginning of a text
	owner    int64  // the element in the parent's document that shows this frame
	err      error  // why there is no capture at all: the browser is gone, a selector is wrong
	problem  string // why it could not be captured; "" when it was
	children []*part
}

// Snapshot implements driver.Device. A page that is caught between two documents gets a moment to
// show the new one.
func (c *Camera) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*screen.Snapshot, error) {
	select {
	case <-c.capturing:
		defer func() { c.capturing <- struct{}{} }()
	case <-ctx.Done():
		err := ctx.Err()
		if fault.KindOf(err) == fault.Timeout {
			err = fmt.Errorf("another capture is still running: %w", err)
		}
		return nil, fault.Wrap(err, "", "capture screen")
	}
	for attempt := 1; ; attempt++ {
		t, err := c.frames.Current()
		if err != nil {
			return nil, err
		}
		if err := c.frames.AwaitDocument(ctx, t, frames.WorldGrace); err != nil {
			return nil, err
		}
		c.frames.Lock()
		main, generation := t.Main, c.frames.Generation
		c.frames.Unlock()
		if main == nil {
			return nil, fault.New(fault.Degraded, "capture screen", "the tab has no page yet")
		}
		root, err := c.captureFrames(ctx, t, main, o)
		if err != nil {
			return nil, err
		}
		if attempt < maxAttempts && root.moving() {
			if err := c.frames.AwaitDocument(ctx, t, moveGrace); err != nil {
				return nil, err
			}
			continue
		}
		return c.stitch(t, root, o, generation), nil
	}
}

// moving reports whether a frame was caught between two documents.
func (p *part) moving() (yes bool) {
	p.each(func(p *part) { yes = yes || p.problem == leaving || p.problem == between })
	return yes
}

// captureFrames captures a frame and those in it, all at once.
func (c *Camera) captureFrames(
	ctx context.Context, t *frames.Tab, f *frames.Frame, o driver.SnapshotOptions,
) (*part, error) {
	c.frames.Lock()
	root := c.plan(f, nil)
	dialog := t.Dialog != nil
	c.frames.Unlock()
	if dialog { // the page is halted; a call into it would hang
		root.problem = "a dialog is open"
		return root, ctx.Err()
	}
	var wg sync.WaitGroup
	root.each(func(p *part) {
		wg.Go(func() { c.capturePart(ctx, p, o) })
	})
	wg.Wait()
	err := ctx.Err()
	root.each(func(p *part) {
		if err == nil {
			err = p.err
		}
	})
	return root, fault.Wrap(err, "", "capture screen")
}

// plan lists the frames as they are now. The lock is held.
func (c *Camera) plan(f *frames.Frame, parent *part) *part {
	p := &part{frame: f, parent: parent, doc: f.Document}
	for _, inner := range f.Tab.Children(f) {
		p.children = append(p.children, c.plan(inner, p))
	}
	return p
}

func (p *part) each(fn func(*part)) {
	fn(p)
	for _, c := range p.children {
		c.each(fn)
	}
}

func (c *Camera) capturePart(ctx context.Context, p *part, o driver.SnapshotOptions) {
	if p.doc == nil {
		p.problem = between
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.doc.Sight.Timeout())
	defer cancel()
	defer func() { p.doc.Sight.MarkUnresponsive(p.problem == silent) }()
	if p.parent != nil && p.parent.doc != nil {
		p.owner = c.frames.OwnerOf(ctx, p.parent.doc, p.frame)
	}
	var err error
	p.seen, err = captureDocument(ctx, p.doc, o)
	for round := 0; err == nil && len(p.seen.Info.Suspects) > 0 && round < maxRounds; round++ {
		if reveal(ctx, p.doc, p.seen.Info.Suspects) == 0 {
			break
		}
		p.seen, err = captureDocument(ctx, p.doc, o)
	}
	switch {
	case err == nil:
	case fault.KindOf(err) == fault.Unavailable || fault.KindOf(err) == fault.Invalid:
		p.err = err
	case errors.Is(err, frames.ErrGone):
		p.problem = leaving
	case errors.Is(err, context.DeadlineExceeded):
		p.problem = silent
	default:
		p.problem = err.Error()
	}
}

// captureDocument captures a document as the difference to its capture before.
func captureDocument(ctx context.Context, doc *frames.Document, o driver.SnapshotOptions) (sight.Capture, error) {
	return doc.Sight.Capture(doc.Host.Session, o.CSS, o.Full, func(r *page.Request) (*sight.Delta, error) {
		res, err := cdp.Call(ctx, doc.Host.Session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: page.Global + ".look(" + r.String() + ")",
			ContextID:  doc.World, ReturnByValue: new(true), Silent: new(true),
		})
		if err != nil {
			return nil, doc.CallError(err)
		}
		if res.ExceptionDetails != nil {
			return nil, fmt.Errorf("page script failed: %s", cdp.ExceptionText(res.ExceptionDetails))
		}
		var l sight.Delta
		if err := json.Unmarshal(res.Result.Value, &l); err != nil {
			return nil, fmt.Errorf("page script answered no text: %w", err)
		}
		return &l, nil
	})
}
