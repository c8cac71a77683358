package web

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// A capture nearly always follows an action: a replay looks for its next target, an agent for the
// outcome. So the page script captures the document when it reports an action (or how a text is
// drawn, or that a new page has come to rest), and the next capture uses that one if it
// cannot differ: since the question no command was sent to the page, no event came from it, and
// no frame was drawn.

// prefetch makes the request that a question to doc carries so that the answer brings a capture
// along, and the function that takes it in. The request is nil when the next capture needs more:
// other documents, or the first whole tree, which only a new page brings along.
func (d *frameSet) prefetch(doc *document, first bool) (ask *page.Request, take func(l *delta)) {
	if !d.alone(doc) || !doc.mu.TryLock() {
		return nil, func(*delta) {}
	}
	defer doc.mu.Unlock()
	doc.prefetched = nil
	r := doc.mirror.Request(nil, false)
	if r.Have == 0 && !first {
		return nil, func(*delta) {}
	}
	s := doc.host.sess
	said, heard := s.Said()+1, s.Heard() // the question itself counts
	return &r, func(l *delta) {
		if l == nil || !doc.mu.TryLock() {
			return
		}
		defer doc.mu.Unlock()
		if doc.apply(l) == nil {
			doc.prefetched = &prefetched{counters: l.N, came: time.Now(), said: said, heard: heard}
		}
	}
}

// alone reports whether doc is the only document of its tab.
func (d *frameSet) alone(doc *document) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(doc.frame.tab.frames) == 1
}

// usePrefetched answers a capture with the prefetched one, if that is still true. It does so once
// only: who captures again asks what became of the page, which may have ended since. doc.mu is held.
func (doc *document) usePrefetched(p *part, o driver.SnapshotOptions) bool {
	g := doc.prefetched
	doc.prefetched = nil
	if o.Full || len(o.CSS) > 0 || !g.valid(doc.host.sess) {
		return false
	}
	p.counters = g.counters
	return true
}
