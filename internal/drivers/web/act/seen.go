package act

import (
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
)

// needsLastView are the actions whose first question can ask as well whether the page looks as it did.
var needsLastView = map[string]bool{
	"click element": true, "hover element": true, "set checked": true, "type text": true, "erase text": true,
	"select option": true,
}

// requireLastView makes the page do nothing unless it looks as in the last capture, where the target asks for that.
// take takes in the capture by which the page finds out.
func (a *action) requireLastView(q *query) (take func(*sight.Delta), err error) {
	q.Seen = nil
	seen := a.seen
	if a.seen = 0; seen == 0 {
		return func(*sight.Delta) {}, nil
	}
	// The number of the capture before goes with the question: a capture taken meanwhile makes the page differ from
	// it.
	var ask *page.Request
	if ask, take = a.p.camera.Prefetch(a.doc, false); ask == nil || !a.p.camera.Recalls(seen) {
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
