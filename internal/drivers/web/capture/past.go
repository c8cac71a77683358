package capture

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Past is the screen at the moment in which a document sent a capture of itself: that of the document, and what was
// known of the others in its tab.
type Past struct {
	camera *Camera
	tab    *frames.Tab
	root   *part
}

// NewPast takes a whole capture of a document that the document sent by itself. The lock is held.
func NewPast(c *Camera, doc *frames.Document, seen *sight.Delta) (*Past, error) {
	var own page.Document
	if err := own.Apply(seen.S); err != nil {
		return nil, err
	}
	t := doc.Frame.Tab
	p := &Past{camera: c, tab: t, root: c.plan(t.Main, nil)}
	p.root.each(func(x *part) {
		switch {
		case x.doc == doc:
			x.seen = sight.Capture{Info: own.Info, Counters: seen.N}
			x.root, x.cut = own.Tree(), own.Cut
		case x.doc == nil:
			x.problem = between
		default:
			x.seen = x.doc.Sight.Known()
		}
	})
	return p, nil
}

// Snapshot returns the screen of that moment.
func (p *Past) Snapshot(ctx context.Context) *screen.Snapshot {
	c := p.camera
	p.root.each(func(x *part) {
		if x.parent != nil && x.parent.doc != nil {
			x.owner = c.frames.OwnerOf(ctx, x.parent.doc, x.frame)
		}
	})
	c.frames.Lock()
	defer c.frames.Unlock()
	c.seq++
	return (&stitching{c: c}).join(p.tab, p.root, driver.SnapshotOptions{}, hidden(c))
}
