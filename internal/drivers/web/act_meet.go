package web

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// meetTime is how long one move of the pointer may take to arrive in another process, and meetTries how many are made.
const (
	meetTime  = 100 * time.Millisecond
	meetTries = 20
)

// meet moves the pointer until the target's frame sees it where it is aimed. The browser itself finds the process of a frame
// that a point lies in, by what was last drawn: right after a scroll a press could begin in one place and end in another.
// Within the tab's own process the page's layout decides, and there is nothing to wait for.
func (a *action) meet(ctx context.Context, r *ready) {
	if a.doc.host.sess == a.t.sess {
		return
	}
	for try := range meetTries {
		by := float64(try % 2) // a pointer that does not move is not told of
		a.mouse(input.DispatchMouseEventTypeMouseMoved, screen.Point{X: a.point.X + by, Y: a.point.Y}, input.MouseButtonNone, 0, 0, 0, false)
		var there bool
		if err := a.ask(ctx, a.doc, &there, "pointed", r.X+by, r.Y, meetTime.Milliseconds()); err != nil || there {
			return // what is wrong with the frame shows in what follows
		}
	}
}
