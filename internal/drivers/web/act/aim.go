package act

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/sight"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// query describes an action to the page script; see Query in act.ts.
type query struct {
	ID    int64       `json:"id"`
	Token int64       `json:"t"`
	Wait  float64     `json:"ms"`
	Kind  string      `json:"kind"`
	At    *[2]float64 `json:"at,omitempty"`
	Force bool        `json:"force,omitempty"`
	Still bool        `json:"still,omitempty"`
	Free  bool        `json:"free,omitempty"`
	Ends  int         `json:"ends,omitempty"`
	Touch bool        `json:"touch,omitempty"`
	Have  string      `json:"have,omitempty"` // do nothing when the element is already so

	Seen *page.Request `json:"seen,omitempty"` // do nothing unless the page looks as in the capture before
}

// ready is the page script's answer about an element: it is ready, or the reason why not.
type ready struct {
	OK     bool         `json:"ok"`
	X      float64      `json:"x"`
	Y      float64      `json:"y"`
	Box    [4]float64   `json:"box"`
	Log    []string     `json:"log"`
	Waited bool         `json:"waited"`
	Has    bool         `json:"has"`
	Canvas *[4]float64  `json:"canvas"` // the canvas under the point, in the target's frame
	Seen   *sight.Delta `json:"seen"`   // the capture that query.Seen asked for
	refusal
}

type refusal struct {
	Why     string `json:"why"`
	What    string `json:"what"`
	Instead int64  `json:"instead"` // the element that stands in for an invisible one, or lies over it; 0: unknown
}

// errOption: the element is an option of a drop-down list, which has no place on the page to click.
var errOption = errors.New("the element is an option of a drop-down list")

// refuse is the error for an element that cannot be acted on. Gone and replaced elements are
// NotFound, so that callers look for the element again; nothing was sent.
func (a *action) refuse(r refusal) error {
	switch r.What {
	case "changed":
		return a.changed()
	case "option":
		return errOption
	case "gone", "replaced":
		return fault.New(fault.NotFound, a.op, "%s", r.Why).
			WithHint("Take a new snapshot and use the element's new ref.")
	case "covered":
		return fault.New(fault.NotActed, a.op, "%s", r.Why).WithDetail(fault.Detail{Blocked: a.cover(r.Instead)}).
			WithHint("Close or move what is in the way first, or act on that instead.")
	case "unfocused":
		return fault.New(fault.NotActed, a.op, "%s", r.Why).WithHint("Name the field, or click it first.")
	case "disabled":
		return fault.New(fault.NotActed, a.op, "%s", r.Why).WithDetail(fault.Detail{Blocked: r.What}).
			WithHint("Do what enables it first.")
	case "hidden":
		if other := a.named(r.Instead); other != "" {
			return fault.New(fault.NotActed, a.op, "%s", r.Why).
				WithHint("Use %s instead, which stands in for it.", other)
		}
		return fault.New(fault.NotActed, a.op, "%s", r.Why).WithDetail(fault.Detail{Blocked: r.What}).
			WithHint("Do what shows it first.")
	}
	return fault.New(fault.NotActed, a.op, "%s", r.Why)
}

// cover is the ref of an element of the target's document that lies over the target.
func (a *action) cover(element int64) (ref string) {
	if element == 0 {
		return "covered"
	}
	a.p.frames.Locked(func() { ref = a.p.camera.Select(a.doc.NodeID(element)) })
	return ref
}

// named is the label and ref of an element of the target's document, "" when it has no ref.
func (a *action) named(element int64) string {
	var s string
	a.p.frames.Locked(func() {
		if ref, n, ok := a.p.camera.RefOf(a.doc.NodeID(element)); ok && element != 0 {
			s = n.Label + " (" + ref + ")"
		}
	})
	return s
}

// aim waits until the target can be acted on, arms the guard, and finds the point in the tab's
// viewport.
func (a *action) aim(ctx context.Context, q query) (*ready, error) {
	q.ID, q.Token, q.At = a.element, a.token, a.at
	for {
		q.Wait = a.waitLeft()
		var r ready
		take, err := a.requireLastView(&q)
		if err != nil {
			return nil, err
		}
		if err := a.ask(ctx, a.doc, &r, "aim", q); err != nil {
			return nil, err
		}
		take(r.Seen)
		a.log = append(a.log, r.Log...)
		if !r.OK {
			return nil, a.refuse(r.refusal)
		}
		if r.Has {
			a.place(r, screen.Point{}, 1)
			return &r, nil
		}
		moved, err := a.translate(ctx, &r)
		if err != nil {
			return nil, err
		}
		if !moved {
			return &r, a.guardOtherFrames(ctx)
		}
	}
}

// translate carries the point from the target's frame to the tab's viewport, through every frame
// around it. It reports true when it had to wait on the way: the target may have moved meanwhile.
func (a *action) translate(ctx context.Context, r *ready) (waited bool, err error) {
	x, y := r.X, r.Y
	for f := a.doc.Frame; ; {
		parent, doc := a.around(f)
		if parent == nil {
			break
		}
		if doc == nil {
			return false, frames.ErrGone
		}
		owner := a.p.frames.OwnerOf(ctx, doc, f)
		if owner == 0 {
			return false, fault.New(fault.NotFound, a.op, "the frame of the element is gone from the page")
		}
		var up ready
		if err := a.ask(ctx, doc, &up, "through", owner, x, y, a.waitLeft()); err != nil {
			return false, err
		}
		a.log = append(a.log, up.Log...)
		if !up.OK {
			return false, a.refuse(up.refusal)
		}
		x, y, waited, f = up.X, up.Y, waited || up.Waited, parent
	}
	a.place(*r, screen.Point{X: x - r.X, Y: y - r.Y}, 1)
	if r.Canvas != nil {
		r.Canvas[0], r.Canvas[1] = r.Canvas[0]+x-r.X, r.Canvas[1]+y-r.Y
	}
	a.point = screen.Point{X: x, Y: y}
	return waited, nil
}

// around is the frame and document that f is shown in; nil for a main frame.
func (a *action) around(f *frames.Frame) (*frames.Frame, *frames.Document) {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	if f.Parent == nil {
		return nil, nil
	}
	return f.Parent, f.Parent.Document
}

func (a *action) place(r ready, by screen.Point, scale float64) {
	a.box = screen.Rect{X: by.X + r.Box[0]*scale, Y: by.Y + r.Box[1]*scale, W: r.Box[2] * scale, H: r.Box[3] * scale}
}

// others are the tab's other documents.
func (a *action) others() []*frames.Document {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	if len(a.t.Frames) < 2 && (a.doc == nil || a.doc.Ended() == nil) { // after its frame went, one document is left
		return nil
	}
	var out []*frames.Document
	for _, f := range a.t.Frames {
		if f.Document != nil && f.Document != a.doc {
			out = append(out, f.Document)
		}
	}
	return out
}

// guardOtherFrames keeps the event out of every other frame, in case one moves between the pointer
// and the target.
func (a *action) guardOtherFrames(ctx context.Context) error {
	docs := a.others()
	errs := make([]error, len(docs))
	var wg sync.WaitGroup
	for i, doc := range docs {
		wg.Go(func() { errs[i] = a.ask(ctx, doc, nil, "bar", a.token) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, frames.ErrGone) {
			return err
		}
	}
	return nil
}

// findBlockingFrame names the content of another frame that the event was kept from, and lets events into
// those frames again.
func (a *action) findBlockingFrame(ctx context.Context) string {
	docs := a.others()
	got := make([]string, len(docs))
	var wg sync.WaitGroup
	for i, doc := range docs {
		wg.Go(func() { _ = a.ask(ctx, doc, &got[i], "barred", a.token) })
	}
	wg.Wait()
	for _, s := range got {
		if s != "" {
			return s
		}
	}
	return ""
}

// origin returns the origin of the viewport of the target's frame in the tab's, for marking; it scrolls nothing.
func (a *action) origin(ctx context.Context) screen.Point {
	var at screen.Point
	for f := a.doc.Frame; ; {
		parent, doc := a.around(f)
		if parent == nil || doc == nil {
			return at
		}
		var p [2]float64
		owner := a.p.frames.OwnerOf(ctx, doc, f)
		if owner == 0 || a.ask(ctx, doc, &p, "originOf", owner) != nil {
			return at
		}
		at.X, at.Y, f = at.X+p[0], at.Y+p[1], parent
	}
}

// moveTime limits the time in which one move of the pointer arrives in another process; moveTries limits the moves.
const (
	moveTime  = 100 * time.Millisecond
	moveTries = 20
)

// moveIntoFrame moves the pointer until the target's frame sees it at the aimed point. For a frame
// in another process the browser picks the process by the last drawn picture, so right after a
// scroll a press could begin in one place and end in another. Within the tab's own process the
// page's layout decides, and there is nothing to wait for.
func (a *action) moveIntoFrame(ctx context.Context, r *ready) {
	if a.doc.Host.Session == a.t.Session {
		return
	}
	for try := range moveTries {
		by := float64(try % 2) // the browser reports no move to the same point
		at := screen.Point{X: a.point.X + by, Y: a.point.Y}
		a.mouse(input.DispatchMouseEventTypeMouseMoved, at, input.MouseButtonNone, 0, 0, 0, false)
		var there bool
		if err := a.ask(ctx, a.doc, &there, "pointed", r.X+by, r.Y, moveTime.Milliseconds()); err != nil || there {
			return // a fault of the frame surfaces in the action that follows
		}
	}
}
