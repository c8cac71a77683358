package web

import (
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Recaller = (*Device)(nil)

// Recall implements driver.Recaller. A page with other documents in it is captured in as many questions, and a capture
// that came along with the last answer costs none.
func (d *Device) Recall() *screen.Snapshot {
	d.frames.Lock()
	defer d.frames.Unlock()
	s, g := d.recall()
	if s == nil || g.Valid(d.frames.Active.Session) {
		return nil
	}
	return s
}

// recall is the last capture, if the page has only to be asked whether it looks as in the capture before, and the one
// that came along with the last answer. The lock is held.
func (d *Device) recall() (*screen.Snapshot, *sight.Prefetched) {
	t, err := d.frames.CurrentLocked()
	if err != nil || t.Halted() || t.Main == nil || t.Main.Document == nil || len(t.Frames) != 1 {
		return nil, nil
	}
	s, doc := d.last, t.Main.Document
	if s == nil || s.Quality.Verdict != screen.Complete || d.frames.Generation != d.lastGeneration || len(d.lastCSS) > 0 {
		return nil, nil
	}
	if d.conceal != nil && d.conceal() != d.lastSecrets {
		return nil, nil
	}
	g, current := doc.Sight.Recall()
	if !current {
		return nil, nil
	}
	return s, g
}

// recalls reports whether that of the capture with this number is all that is known of the page.
func (d *Device) recalls(seq uint64) bool {
	d.frames.Lock()
	defer d.frames.Unlock()
	s, _ := d.recall()
	return s != nil && s.Seq == seq
}

// asSeen are the actions whose first question can ask as well whether the page looks as it did.
var asSeen = map[string]bool{
	"click element": true, "hover element": true, "set checked": true, "type text": true, "erase text": true,
	"select option": true,
}

// asSeen makes the page do nothing unless it looks as in the last capture, where the target asks for that. take takes
// in the capture by which the page finds out.
func (a *action) asSeen(q *query) (take func(*sight.Delta), err error) {
	q.Seen = nil
	seen := a.seen
	if a.seen = 0; seen == 0 {
		return func(*sight.Delta) {}, nil
	}
	// The number of the capture before goes with the question: what is captured meanwhile makes the page differ from it.
	var ask *page.Request
	if ask, take = a.d.prefetch(a.doc, false); ask == nil || !a.d.recalls(seen) {
		return nil, a.changed()
	}
	q.Seen = ask
	return take, nil
}

// changed is the error for a target that was seen on a screen that looks otherwise now.
func (a *action) changed() error {
	return fault.New(fault.NotFound, a.op, "the page has changed since it was looked at, so nothing was sent").
		WithHint("Take a new snapshot and look for the element in it.")
}
