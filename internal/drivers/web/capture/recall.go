package capture

import (
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Recaller = (*Camera)(nil)

// Recall implements driver.Recaller. A page with other documents in it is captured in as many questions, and a capture
// that came along with the last answer costs none.
func (c *Camera) Recall() *screen.Snapshot {
	c.frames.Lock()
	defer c.frames.Unlock()
	s, g := c.recall()
	if s == nil || g.Valid(c.frames.Active.Session) {
		return nil
	}
	return s
}

// recall is the last capture, if the page has only to be asked whether it looks as in the capture before, and the one
// that came along with the last answer. The lock is held.
func (c *Camera) recall() (*screen.Snapshot, *sight.Prefetched) {
	t, err := c.frames.CurrentLocked()
	if err != nil || t.Halted() || t.Main == nil || t.Main.Document == nil || len(t.Frames) != 1 {
		return nil, nil
	}
	s, doc := c.last, t.Main.Document
	if s == nil || s.Quality.Verdict != screen.Complete || c.frames.Generation != c.lastGeneration || len(c.lastCSS) > 0 {
		return nil, nil
	}
	if c.conceal != nil && c.conceal() != c.lastSecrets {
		return nil, nil
	}
	g, current := doc.Sight.Recall()
	if !current {
		return nil, nil
	}
	return s, g
}

// Recalls reports whether that of the capture with this number is all that is known of the page.
func (c *Camera) Recalls(seq uint64) bool {
	c.frames.Lock()
	defer c.frames.Unlock()
	s, _ := c.recall()
	return s != nil && s.Seq == seq
}

// A capture nearly always follows an action: a replay looks for its next target, an agent for the
// outcome. So the page script captures the document when it reports an action (or how a text is
// drawn, or that a new page has come to rest), and the next capture uses that one if it
// cannot differ: since the question no command was sent to the page, no event came from it, and
// no frame was drawn.

// Prefetch makes the request that a question to doc carries so that the answer brings a capture along, and the
// function that takes it in. The request is nil when the next capture needs more (see State.Prefetch), and when
// other documents are in the tab.
func (c *Camera) Prefetch(doc *frames.Document, first bool) (ask *page.Request, take func(l *sight.Delta)) {
	if !c.alone(doc) {
		return nil, func(*sight.Delta) {}
	}
	return doc.Sight.Prefetch(doc.Host.Session, first)
}

// alone reports whether doc is the only document of its tab.
func (c *Camera) alone(doc *frames.Document) bool {
	c.frames.Lock()
	defer c.frames.Unlock()
	return len(doc.Frame.Tab.Frames) == 1
}
