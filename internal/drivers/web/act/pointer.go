package act

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/keys"
)

// press is one press on the target, however long and often.
type press struct {
	button    input.MouseButton
	bit       int64
	count     int
	modifiers int64
	hold      time.Duration
	touch     bool
}

func (a *action) tap(ctx context.Context, x driver.Tap) (*driver.Effect, error) {
	a.op = "click element"
	p, err := a.pressOf(x)
	if err != nil {
		return nil, err
	}
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	if a.element == 0 {
		return a.onPoint(ctx, x.Target, p.touch, false, func() { a.send(p) })
	}
	now, s, err := a.press(ctx, p, query{Force: x.Force})
	if errors.Is(err, errOption) {
		return a.choose(ctx, nil)
	}
	if err != nil {
		return nil, err
	}
	return a.effect(now, s), nil
}

func (a *action) pressOf(x driver.Tap) (press, error) {
	p := press{count: max(1, x.Count), hold: x.Hold}
	var err error
	if p.button, p.bit, err = buttons(x.Button); err != nil {
		return p, err
	}
	if p.count > 3 {
		return p, fault.New(fault.Invalid, a.op, "%d clicks at once are more than anybody can do", p.count)
	}
	p.modifiers, err = keys.Modifiers(x.Modifiers)
	p.touch = a.fingers() && p.bit == 1
	return p, err
}

// press aims, presses, and waits for the outcome. As long as nothing was delivered it aims anew.
func (a *action) press(ctx context.Context, p press, q query) (*outcome, driver.Settle, error) {
	q.Kind, q.Ends, q.Touch = "pointer", p.count, p.touch
	for try := 1; ; try++ {
		r, err := a.aim(ctx, q)
		if err != nil {
			return nil, driver.Settle{}, err
		}
		if r.Has {
			return nil, driver.Settle{Reason: "quiet"}, nil
		}
		if !p.touch {
			a.moveIntoFrame(ctx, r)
		}
		a.watchCanvas(ctx, r.Canvas, !p.touch)
		stop := a.send(p)
		now, s, err := a.settle(ctx, a.finish)
		stop()
		if err == nil {
			err = a.undelivered(now, s)
		}
		if err != nil || now == nil || now.State == "delivered" {
			return now, s, err
		}
		by := now.By
		if by == "" {
			by = a.findBlockingFrame(ctx)
		}
		if by == "" {
			by = "nothing"
		}
		a.note("the event would have hit %s instead and was held back; aimed again", by)
		if try == aims || time.Until(a.until) <= 0 {
			return nil, s, fault.New(fault.NotActed, a.op,
				"the event hit %s instead of the element each time, so it was held back", by).
				WithHint("Something moves under the pointer. Wait for it to end, or act on %s.", by)
		}
		q.Still = true
	}
}

// send writes the events of a press. stop ends what of it is still to come.
func (a *action) send(p press) (stop func()) {
	if p.hold > 0 {
		return a.sendSlowly(p)
	}
	if p.touch {
		for i := range p.count {
			a.touch(input.DispatchTouchEventTypeTouchStart, p.modifiers, false, a.point)
			a.touch(input.DispatchTouchEventTypeTouchEnd, p.modifiers, i == p.count-1)
		}
		return func() {}
	}
	a.mouse(input.DispatchMouseEventTypeMouseMoved, a.point, input.MouseButtonNone, 0, 0, p.modifiers, false)
	for i := 1; i <= p.count; i++ {
		a.mouse(input.DispatchMouseEventTypeMousePressed, a.point, p.button, p.bit, int64(i), p.modifiers, false)
		a.mouse(input.DispatchMouseEventTypeMouseReleased, a.point, p.button, 0, int64(i), p.modifiers, i == p.count)
	}
	return func() {}
}

// sendSlowly keeps the button or finger down for a while. The time begins when the page has taken the press: on a busy
// machine it takes it late, and a release right after it would make a long press a short one.
func (a *action) sendSlowly(p press) (stop func()) {
	release := sync.OnceFunc(func() {
		if p.touch {
			a.touch(input.DispatchTouchEventTypeTouchEnd, p.modifiers, true)
			return
		}
		a.mouse(input.DispatchMouseEventTypeMouseReleased, a.point, p.button, 0, 1, p.modifiers, true)
	})
	taken := func(jsonv2.Value, error) { time.AfterFunc(p.hold, release) }
	if p.touch {
		a.t.Session.Go(input.CommandDispatchTouchEvent,
			touchEvent(input.DispatchTouchEventTypeTouchStart, p.modifiers, a.point), taken)
		return release
	}
	a.mouse(input.DispatchMouseEventTypeMouseMoved, a.point, input.MouseButtonNone, 0, 0, p.modifiers, false)
	a.t.Session.Go(input.CommandDispatchMouseEvent,
		mouseEvent(input.DispatchMouseEventTypeMousePressed, a.point, p.button, p.bit, 1, p.modifiers), taken)
	return release // given up early: nothing may stay pressed
}

// finish waits for the events to arrive and the document to come to rest.
func (a *action) finish(ctx context.Context) (*outcome, error) {
	var now outcome
	then, take := a.p.camera.Prefetch(a.doc, false)
	if err := a.ask(ctx, a.doc, &now, "finish", a.token, settleCap.Milliseconds(), then); err != nil {
		return nil, err
	}
	take(now.Look)
	if now.State == "lost" {
		return nil, frames.ErrGone
	}
	return &now, nil
}

// watchPoint takes stock for an action on a bare point.
func (a *action) watchPoint(ctx context.Context, touch, way bool) error {
	var canvas *[4]float64
	q := query{Token: a.token, Kind: "none", Touch: touch, At: &[2]float64{a.point.X, a.point.Y}}
	if err := a.ask(ctx, a.doc, &canvas, "watch", q); err != nil {
		return err
	}
	a.watchCanvas(ctx, canvas, way)
	return nil
}

// onPoint sends events to a bare point: there is no element to guard.
func (a *action) onPoint(ctx context.Context, t driver.Target, touch, hover bool, send func()) (*driver.Effect, error) {
	if t.Point == nil {
		return nil, fault.New(fault.Invalid, a.op, "neither an element nor a point is given")
	}
	a.point = *t.Point
	if err := a.watchPoint(ctx, touch, !touch && !hover); err != nil {
		return nil, err
	}
	send()
	now, s, err := a.settle(ctx, a.finish)
	if err != nil {
		return nil, err
	}
	return a.effect(now, s), nil
}

func (a *action) hover(ctx context.Context, x driver.Hover) (*driver.Effect, error) {
	a.op = "hover element"
	if err := a.aimAt(x.Target); err != nil {
		return nil, err
	}
	if a.element == 0 {
		return a.onPoint(ctx, x.Target, false, true, func() {
			a.mouse(input.DispatchMouseEventTypeMouseMoved, a.point, input.MouseButtonNone, 0, 0, 0, true)
		})
	}
	for try := 1; ; try++ {
		if _, err := a.aim(ctx, query{Kind: "hover", Free: true, Still: try > 1}); err != nil {
			return nil, err
		}
		a.mouse(input.DispatchMouseEventTypeMouseMoved, a.point, input.MouseButtonNone, 0, 0, 0, true)
		now, s, err := a.settle(ctx, a.finish)
		if err != nil {
			return nil, err
		}
		if now == nil || now.Hover {
			a.good = now != nil
			return a.effect(now, s), nil
		}
		if !now.Connected {
			return nil, fault.New(fault.NotFound, a.op, "the element went away when the pointer came over it")
		}
		a.note("the pointer is not over the element; aimed again")
		if try == aims || time.Until(a.until) <= 0 {
			return nil, fault.New(fault.NotActed, a.op, "the pointer does not stay over the element: it moves or is covered")
		}
	}
}
