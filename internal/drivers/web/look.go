package web

import (
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// Whoever acts looks next: a replay for its next target, an agent at what came of it. So the page script captures the
// document as it says what the action did (or how a text is drawn), and that capture answers the next one asked for, as
// long as nobody can tell the difference: nothing was said to the page and nothing heard of it since the question, and no
// frame has passed.

// freshFor is how long a capture that came with an answer stands for the present: one frame.
const freshFor = 16 * time.Millisecond

// look is a capture and the page script's counters of the same instant; see look.ts.
type look struct {
	N json.RawMessage `json:"n"`
	S string          `json:"s"`
}

// glance is a look that came with another answer and that nobody has asked for yet.
type glance struct {
	counters json.RawMessage
	came     time.Time
	said     int64 // commands and events of its session up to it
	heard    int64
}

// then is what a question to doc says for a look to come with the answer, and what takes that in. It is nil when the next
// capture needs more than that: other documents, or the first whole tree.
func (d *Device) then(doc *document) (ask *page.Request, take func(l *look)) {
	if !d.alone(doc) || !doc.mu.TryLock() {
		return nil, func(*look) {}
	}
	defer doc.mu.Unlock()
	doc.glance = nil
	r := doc.mirror.Request(nil, false)
	if r.Have == 0 {
		return nil, func(*look) {}
	}
	s := doc.host.sess
	said, heard := s.Said()+1, s.Heard() // the question itself counts
	return &r, func(l *look) {
		if l == nil || !doc.mu.TryLock() {
			return
		}
		defer doc.mu.Unlock()
		if doc.reflect(l) == nil {
			doc.glance = &glance{counters: l.N, came: time.Now(), said: said, heard: heard}
		}
	}
}

// alone says whether doc is the only document of its tab.
func (d *Device) alone(doc *document) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(doc.frame.tab.frames) == 1
}

// ahead answers a capture with the one that came with the answer before, if that is as good. It is good for once only:
// who asks again wants to see what has changed. doc.mu is held.
func (doc *document) ahead(p *part, o driver.SnapshotOptions) bool {
	g, s := doc.glance, doc.host.sess
	doc.glance = nil
	if g == nil || o.Full || len(o.CSS) > 0 || g.said != s.Said() || g.heard != s.Heard() || time.Since(g.came) > freshFor {
		return false
	}
	p.counters = g.counters
	return true
}

// reflect brings the mirror up to a look, and notes whether it was news. doc.mu is held.
func (doc *document) reflect(l *look) error {
	if err := doc.mirror.Apply(l.S); err != nil {
		return err
	}
	around, tree := digest(l.S)
	if tree || around != doc.around {
		doc.turn++
	}
	doc.around = around
	return nil
}

// show notes which turn of the mirror the device's last snapshot shows.
func (doc *document) show(turn int) {
	doc.mu.Lock()
	defer doc.mu.Unlock()
	doc.shown = turn
}
