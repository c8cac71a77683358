package act

import (
	"context"
	"math"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// scrollPlan is which container a scroll moves, and where the wheel turns.
type scrollPlan struct {
	ready
	Can  bool   `json:"can"`
	What string `json:"what"`
}

// scrolled is the distance that an element moved, and the method used.
type scrolled struct {
	DX     float64 `json:"dx"`
	DY     float64 `json:"dy"`
	Method string  `json:"method"`
}

// wheel is a turn of the wheel. The protocol wants both distances, and the generated type leaves
// out zeros.
type wheel struct {
	Type   input.DispatchMouseEventType `json:"type"`
	X      float64                      `json:"x"`
	Y      float64                      `json:"y"`
	DeltaX float64                      `json:"deltaX"`
	DeltaY float64                      `json:"deltaY"`
}

func (a *action) scroll(ctx context.Context, x driver.Scroll) (*driver.Effect, error) {
	a.op = "scroll"
	if x.DX == 0 && x.DY == 0 {
		return nil, fault.New(fault.Invalid, a.op, "the distance is 0")
	}
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	return a.scrollBy(ctx, x.DX, x.DY)
}

// scrollBy turns the wheel over the container. When the wheel does not move it, though it could
// move and the page did not take the wheel for itself, script does.
func (a *action) scrollBy(ctx context.Context, dx, dy float64) (*driver.Effect, error) {
	var plan scrollPlan
	if err := a.ask(ctx, a.doc, &plan, "planScroll", query{ID: a.element, Token: a.token}, dx, dy); err != nil {
		return nil, err
	}
	if !plan.OK {
		return nil, a.refuse(plan.refusal)
	}
	at := a.origin(ctx)
	a.place(plan.ready, at, 1)
	a.point = screen.Point{X: at.X + plan.X, Y: at.Y + plan.Y}
	a.last(input.CommandDispatchMouseEvent, wheel{input.DispatchMouseEventTypeMouseWheel, a.point.X, a.point.Y, dx, dy})
	var moved scrolled
	now, s, err := a.settle(ctx, func(ctx context.Context) (*outcome, error) {
		if err := a.ask(ctx, a.doc, nil, "arrived", a.token); err != nil {
			return nil, err
		}
		if err := a.ask(ctx, a.doc, &moved, "moved", dx, dy, plan.Can); err != nil {
			return nil, err
		}
		return a.finish(ctx)
	})
	if err != nil {
		return nil, err
	}
	a.method = moved.Method
	e := a.effect(now, s)
	e.Changes.Scroll = moved.DX != 0 || moved.DY != 0
	if !e.Changes.Scroll {
		e.Retries = append(e.Retries, "nothing to scroll: "+plan.What+" does not move any further that way")
	}
	return e, nil
}

func (a *action) scrollIntoView(ctx context.Context, x driver.ScrollIntoView) (*driver.Effect, error) {
	a.op = "scroll into view"
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	if a.element == 0 {
		return nil, fault.New(fault.Invalid, a.op, "no element is given")
	}
	var plan scrollPlan
	if err := a.ask(ctx, a.doc, &plan, "showNode", query{ID: a.element, Token: a.token}); err != nil {
		return nil, err
	}
	if !plan.OK {
		return nil, a.refuse(plan.refusal)
	}
	moved, err := a.showFrames(ctx, plan.X, plan.Y)
	if err != nil {
		return nil, err
	}
	a.doc.Tell("acked", a.token)
	now, s, err := a.settle(ctx, a.finish)
	if err != nil {
		return nil, err
	}
	var seen bool
	if err := a.ask(ctx, a.doc, &seen, "visibleNow", a.element); err == nil && !seen {
		return nil, fault.New(fault.NotActed, a.op, "%s cannot be scrolled into view", plan.What)
	}
	a.good = seen
	e := a.effect(now, s)
	e.Changes.Scroll = plan.Can || moved
	return e, nil
}

// showFrames scrolls the frames around the element so that a point of its frame is in view.
func (a *action) showFrames(ctx context.Context, x, y float64) (moved bool, err error) {
	for f := a.doc.Frame; ; {
		parent, doc := a.around(f)
		if parent == nil || doc == nil {
			return moved, nil
		}
		owner := a.p.frames.OwnerOf(ctx, doc, f)
		if owner == 0 {
			return moved, nil
		}
		var p struct {
			X, Y  float64
			Moved bool
		}
		if err := a.ask(ctx, doc, &p, "showPoint", owner, x, y); err != nil {
			return moved, err
		}
		x, y, moved, f = p.X, p.Y, moved || p.Moved, parent
	}
}

// swipe moves a finger; where there is none, the wheel scrolls what lies under From.
func (a *action) swipe(ctx context.Context, x driver.Swipe) (*driver.Effect, error) {
	a.op = "swipe"
	if err := a.aimAt(driver.Target{}); err != nil {
		return nil, err
	}
	dx, dy := x.From.X-x.To.X, x.From.Y-x.To.Y
	if dx == 0 && dy == 0 {
		return nil, fault.New(fault.Invalid, a.op, "the distance is 0")
	}
	a.point = x.From
	if !a.fingers() {
		if err := a.ask(ctx, a.doc, &a.element, "idAt", x.From.X, x.From.Y); err != nil {
			return nil, err
		}
		return a.scrollBy(ctx, dx, dy)
	}
	if err := a.ask(ctx, a.doc, nil, "watch", query{Token: a.token, Kind: "none"}); err != nil {
		return nil, err
	}
	if err := a.stroke(ctx, x); err != nil {
		return nil, err
	}
	now, s, err := a.settle(ctx, a.coast)
	if err != nil {
		return nil, err
	}
	return a.effect(now, s), nil
}

// stroke draws a finger over the screen. How fast it goes is part of the gesture, so its moves are
// spread over time.
func (a *action) stroke(ctx context.Context, x driver.Swipe) error {
	d := x.Duration
	if d <= 0 {
		d = 300 * time.Millisecond
	}
	const steps = 12
	tick := time.NewTicker(d / steps)
	defer tick.Stop()
	a.touch(input.DispatchTouchEventTypeTouchStart, 0, false, x.From)
	for i := 1; i <= steps; i++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			a.touch(input.DispatchTouchEventTypeTouchCancel, 0, true)
			return ctx.Err()
		}
		a.touch(input.DispatchTouchEventTypeTouchMove, 0, false, pointBetween(x.From, x.To, float64(i)/steps))
	}
	a.touch(input.DispatchTouchEventTypeTouchEnd, 0, true)
	return nil
}

func pointBetween(a, b screen.Point, t float64) screen.Point {
	return screen.Point{X: a.X + (b.X-a.X)*t, Y: a.Y + (b.Y-a.Y)*t}
}

// coast waits until the page has stopped coasting, and then as finish does.
func (a *action) coast(ctx context.Context) (*outcome, error) {
	if err := a.ask(ctx, a.doc, nil, "coasted"); err != nil {
		return nil, err
	}
	return a.finish(ctx)
}

// pinch moves two fingers apart or together around the target. A device without a touch screen gets
// the gesture of a touch pad from the browser.
func (a *action) pinch(ctx context.Context, x driver.Pinch) (*driver.Effect, error) {
	a.op = "pinch"
	if x.Scale <= 0 || x.Scale == 1 || math.IsInf(x.Scale, 0) || math.IsNaN(x.Scale) {
		return nil, fault.New(fault.Invalid, a.op, "%v is no scale", x.Scale).
			WithHint("Above 1 zooms in, between 0 and 1 zooms out.")
	}
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	if err := a.center(ctx, x.Target); err != nil {
		return nil, err
	}
	var scale float64
	if err := a.ask(ctx, a.doc, &scale, "watchZoom", query{Token: a.token, Kind: "none"}); err != nil {
		return nil, err
	}
	if a.fingers() {
		if err := a.twoFingers(ctx, x.Scale); err != nil {
			return nil, err
		}
	} else {
		err := cdp.Do(ctx, a.t.Session, input.SynthesizePinchGesture, input.SynthesizePinchGestureParams{
			X: a.point.X, Y: a.point.Y, ScaleFactor: x.Scale, RelativeSpeed: 2000,
		})
		if err != nil {
			return nil, fault.Wrap(err, fault.NotActed, a.op)
		}
		a.doc.Tell("acked", a.token)
	}
	now, s, err := a.settle(ctx, a.coast)
	if err != nil {
		return nil, err
	}
	e := a.effect(now, s)
	var after float64
	if err := a.ask(ctx, a.doc, &after, "zoom"); err == nil && after != scale {
		e.Changes.Scroll = true // the view of the page changed
	}
	return e, nil
}

// center finds where the pinch happens.
func (a *action) center(ctx context.Context, t driver.Target) error {
	switch {
	case a.element != 0:
		_, err := a.aim(ctx, query{Kind: "none", Free: true})
		return err
	case t.Point != nil:
		a.point = *t.Point
	default:
		a.p.frames.Lock()
		a.point = screen.Point{X: float64(a.p.emulation.Device.Width) / 2, Y: float64(a.p.emulation.Device.Height) / 2}
		a.p.frames.Unlock()
	}
	return nil
}

func (a *action) twoFingers(ctx context.Context, scale float64) error {
	a.p.frames.Lock()
	room := float64(a.p.emulation.Device.Width)
	a.p.frames.Unlock()
	wide := 2 * max(40, min(a.point.X, room-a.point.X)-8) // the fingers stay on the screen
	from, to := wide/max(scale, 1), wide*min(scale, 1)
	if scale > 1 {
		to = wide
	}
	at := func(span float64) []screen.Point {
		return []screen.Point{{X: a.point.X - span/2, Y: a.point.Y}, {X: a.point.X + span/2, Y: a.point.Y}}
	}
	const steps = 15
	tick := time.NewTicker(16 * time.Millisecond) // gestures have a speed
	defer tick.Stop()
	a.touch(input.DispatchTouchEventTypeTouchStart, 0, false, at(from)...)
	for i := 1; i <= steps; i++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			a.touch(input.DispatchTouchEventTypeTouchCancel, 0, true)
			return ctx.Err()
		}
		a.touch(input.DispatchTouchEventTypeTouchMove, 0, false, at(from+(to-from)*float64(i)/steps)...)
	}
	a.touch(input.DispatchTouchEventTypeTouchEnd, 0, true)
	return nil
}
