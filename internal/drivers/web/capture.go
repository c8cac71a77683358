package web

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
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	worldGrace  = 2 * time.Second        // for a tab between two documents to get one
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
	frame    *frame
	parent   *part
	doc      *document
	info     page.Info
	root     *screen.Node
	cut      bool  // root holds only the beginning of a text
	owner    int64 // the element in the parent's document that shows this frame
	matches  map[string][]int64
	counters json.RawMessage // the page script's, in the same instant
	same     bool            // nothing differs from the capture before
	turn     int             // of the document's mirror
	err      error           // why there is no capture at all: the browser is gone, a selector is wrong
	problem  string          // why it could not be captured; "" when it was
	children []*part
}

// Snapshot implements driver.Device. A page that is caught between two documents gets a moment to
// show the new one.
func (d *Device) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*screen.Snapshot, error) {
	select {
	case <-d.capturing:
		defer func() { d.capturing <- struct{}{} }()
	case <-ctx.Done():
		return nil, fault.Wrap(fmt.Errorf("another capture is still running: %w", ctx.Err()), "", "capture screen")
	}
	for attempt := 1; ; attempt++ {
		t, err := d.current()
		if err != nil {
			return nil, err
		}
		if err := d.awaitDocument(ctx, t, worldGrace); err != nil {
			return nil, err
		}
		d.mu.Lock()
		main, generation := t.main, d.generation
		d.mu.Unlock()
		if main == nil {
			return nil, fault.New(fault.Degraded, "capture screen", "the tab has no page yet")
		}
		root, err := d.captureFrames(ctx, t, main, o)
		if err != nil {
			return nil, err
		}
		if attempt < maxAttempts && root.moving() {
			if err := d.awaitDocument(ctx, t, moveGrace); err != nil {
				return nil, err
			}
			continue
		}
		return d.stitch(t, root, o, generation), nil
	}
}

// moving reports whether a frame was caught between two documents.
func (p *part) moving() (yes bool) {
	p.each(func(p *part) { yes = yes || p.problem == leaving || p.problem == between })
	return yes
}

// awaitDocument waits a moment for frames that are between two documents, whose content is of no
// use.
func (d *frameSet) awaitDocument(ctx context.Context, t *tab, grace time.Duration) error {
	wait, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	err := d.await(wait, "page", func() (bool, error) {
		if t.closed() || t.dialog != nil || t.crashed {
			return true, nil
		}
		for _, f := range t.frames {
			if f.doc == nil && (f == t.main || grace < worldGrace) {
				return false, nil
			}
		}
		return t.main != nil, nil
	})
	if err != nil && wait.Err() != nil {
		return fault.Wrap(ctx.Err(), "", "capture screen")
	}
	return err
}

// captureFrames captures a frame and those in it, all at once.
func (d *Device) captureFrames(ctx context.Context, t *tab, f *frame, o driver.SnapshotOptions) (*part, error) {
	d.mu.Lock()
	root := d.plan(f, nil)
	dialog := t.dialog != nil
	d.mu.Unlock()
	if dialog { // the page is halted; a call into it would hang
		root.problem = "a dialog is open"
		return root, ctx.Err()
	}
	var wg sync.WaitGroup
	root.each(func(p *part) {
		wg.Go(func() { d.capturePart(ctx, p, o) })
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

// plan lists the frames as they are now. Device.mu is held.
func (d *frameSet) plan(f *frame, parent *part) *part {
	p := &part{frame: f, parent: parent, doc: f.doc}
	for _, c := range f.tab.children(f) {
		p.children = append(p.children, d.plan(c, p))
	}
	return p
}

func (p *part) each(fn func(*part)) {
	fn(p)
	for _, c := range p.children {
		c.each(fn)
	}
}

func (d *Device) capturePart(ctx context.Context, p *part, o driver.SnapshotOptions) {
	if p.doc == nil {
		p.problem = between
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.doc.timeout())
	defer cancel()
	defer func() { p.doc.markUnresponsive(p.problem == silent) }()
	if p.parent != nil && p.parent.doc != nil {
		p.owner = d.ownerOf(ctx, p.parent.doc, p.frame)
	}
	err := p.doc.captureInto(ctx, p, o)
	for round := 0; err == nil && len(p.info.Suspects) > 0 && round < maxRounds; round++ {
		if p.doc.reveal(ctx, p.info.Suspects) == 0 {
			break
		}
		err = p.doc.captureInto(ctx, p, o)
	}
	switch {
	case err == nil:
	case fault.KindOf(err) == fault.Unavailable || fault.KindOf(err) == fault.Invalid:
		p.err = err
	case errors.Is(err, errGone):
		p.problem = leaving
	case errors.Is(err, context.DeadlineExceeded):
		p.problem = silent
	default:
		p.problem = err.Error()
	}
}

// captureInto captures the document as a delta against its mirror and copies the result out.
func (doc *document) captureInto(ctx context.Context, p *part, o driver.SnapshotOptions) error {
	doc.mu.Lock()
	defer doc.mu.Unlock()
	if o.Full {
		doc.mirror.Reset()
	}
	if !doc.usePrefetched(p, o) {
		err := doc.captureOnce(ctx, p, o)
		if errors.Is(err, page.ErrStale) {
			doc.mirror.Reset()
			err = doc.captureOnce(ctx, p, o)
		}
		if err != nil {
			return err
		}
	}
	p.same, p.turn = doc.turn == doc.shown, doc.turn
	p.info = doc.mirror.Info
	p.info.Suspects, doc.suspects = doc.suspects, nil
	p.matches = map[string][]int64{}
	for _, css := range o.CSS {
		ids, invalid := doc.mirror.Matches(css)
		if invalid != "" {
			return fault.New(fault.Invalid, "capture screen", "CSS selector %q: %s", css, invalid)
		}
		p.matches[css] = ids
	}
	return nil
}

func (doc *document) captureOnce(ctx context.Context, p *part, o driver.SnapshotOptions) error {
	res, err := cdp.Call(ctx, doc.host.sess, runtime.Evaluate, runtime.EvaluateParams{
		Expression: page.Global + ".look(" + doc.mirror.Request(o.CSS, o.Full).String() + ")",
		ContextID:  doc.world, ReturnByValue: new(true), Silent: new(true),
	})
	if err != nil {
		return doc.callError(err)
	}
	if res.ExceptionDetails != nil {
		return fmt.Errorf("page script failed: %s", cdp.ExceptionText(res.ExceptionDetails))
	}
	var l delta
	if err := json.Unmarshal(res.Result.Value, &l); err != nil {
		return fmt.Errorf("page script answered no text: %w", err)
	}
	p.counters = l.N
	return doc.apply(&l)
}
