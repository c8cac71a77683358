package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	frameTimeout = 5 * time.Second // for one frame's page script to answer
	worldGrace   = 2 * time.Second // for a frame between two documents to get one
)

// part is the capture of one frame.
type part struct {
	frame    *frame
	parent   *part
	doc      *document
	info     page.Info
	root     *screen.Node
	owner    int64 // the element in the parent's document that shows this frame
	matches  map[string][]int64
	counters json.RawMessage // the page script's, in the same instant
	err      error           // why there is nothing at all to show: the browser is gone, a selector is wrong
	problem  string          // why it could not be captured; "" when it was
	children []*part
}

// Snapshot implements driver.Device.
func (d *Device) Snapshot(ctx context.Context, o driver.SnapshotOptions) (*screen.Snapshot, error) {
	t, err := d.current()
	if err != nil {
		return nil, err
	}
	if err := d.awaitDocument(ctx, t); err != nil {
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
	return d.stitch(t, root, o, generation)
}

// awaitDocument waits a moment for a page that is between two documents: what it shows now is of no use to anybody.
func (d *Device) awaitDocument(ctx context.Context, t *tab) error {
	wait, cancel := context.WithTimeout(ctx, worldGrace)
	defer cancel()
	err := d.await(wait, "page", func() (bool, error) {
		return t.closed() || t.dialog != nil || t.main != nil && t.main.doc != nil, nil
	})
	if err != nil && wait.Err() != nil {
		return ctx.Err()
	}
	return err
}

// captureFrames captures a frame and those in it, all at once.
func (d *Device) captureFrames(ctx context.Context, t *tab, f *frame, o driver.SnapshotOptions) (*part, error) {
	d.mu.Lock()
	root := d.plan(f, nil)
	dialog := t.dialog != nil
	d.mu.Unlock()
	if dialog { // the page stands still; asking it anything would hang
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
func (d *Device) plan(f *frame, parent *part) *part {
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
		p.problem = "between two documents"
		return
	}
	ctx, cancel := context.WithTimeout(ctx, frameTimeout)
	defer cancel()
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
		p.problem = "navigating"
	case errors.Is(err, context.DeadlineExceeded):
		p.problem = "did not answer in time"
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
	err := doc.captureOnce(ctx, p, o)
	if errors.Is(err, page.ErrStale) {
		doc.mirror.Reset()
		err = doc.captureOnce(ctx, p, o)
	}
	if err != nil {
		return err
	}
	p.info, p.root = doc.mirror.Info, doc.mirror.Tree()
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
		Expression: "({n:" + page.Global + ".changes(),s:" + doc.mirror.Request(o.CSS, o.Full) + "})", ContextID: doc.world, ReturnByValue: new(true), Silent: new(true),
	})
	if err != nil {
		return doc.callError(err)
	}
	if res.ExceptionDetails != nil {
		return fmt.Errorf("page script failed: %s", exceptionText(res.ExceptionDetails))
	}
	var answer struct {
		N jsonv2.Value `json:"n"`
		S string       `json:"s"`
	}
	if err := jsonv2.Unmarshal(res.Result.Value, &answer); err != nil {
		return fmt.Errorf("page script answered no text: %w", err)
	}
	p.counters = json.RawMessage(answer.N)
	return doc.mirror.Apply(answer.S)
}
