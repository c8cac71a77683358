package capture

import (
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

// A capture nearly always follows an action: a replay looks for its next target, an agent for the
// outcome. So the page script captures the document when it reports an action (or how a text is
// drawn, or that a new page has come to rest), and the next capture uses that one if it
// cannot differ: since the question no command was sent to the page, no event came from it, and
// no frame was drawn.

// Prefetch makes the request that a question to doc carries so that the answer brings a capture
// along, and the function that takes it in. The request is nil when the next capture needs more: see State.Prefetch; it
// needs more, too, when other documents are in the tab.
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
