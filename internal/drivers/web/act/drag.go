package act

import (
	"context"
	"math"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// A drag is made of so many moves at least, because pages measure distances and speeds between
// them, and of one for each so many px, as far as the bound: a page that sorts rows swaps two when
// the pointer passes over half of one.
const (
	minDragSteps = 8
	maxDragSteps = 60
	dragStepPx   = 10
)

func dragSteps(from, end screen.Point) int {
	far := max(math.Abs(end.X-from.X), math.Abs(end.Y-from.Y))
	return min(max(minDragSteps, int(math.Ceil(far/dragStepPx))), maxDragSteps)
}

// drag presses on From, moves to To and releases. When the page begins a drag of the browser's own,
// the browser hands it to us instead of to the system, and we carry its data to where it is
// dropped.
func (a *action) drag(ctx context.Context, x driver.Drag) (*driver.Effect, error) {
	a.op = "drag element"
	to := &action{p: a.p, t: a.t, token: a.token, op: a.op, until: a.until, nav: a.nav}
	if err := to.aimAt(x.To); err != nil {
		return nil, err
	}
	if err := a.aimAt(x.From); err != nil {
		return nil, err
	}
	drags := make(chan *input.DragData, 1)
	for _, h := range a.hosts() {
		stop := cdp.On(h.Session, input.DragIntercepted, func(e input.EventDragIntercepted) {
			select {
			case drags <- e.Data:
			default:
			}
		})
		defer stop()
	}
	if err := cdp.Do(ctx, a.t.Session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		return nil, fault.Wrap(err, fault.NotActed, a.op)
	}
	defer cdp.Send(a.t.Session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	for try := 1; ; try++ {
		now, s, err := a.dragOnce(ctx, x, to, drags, try > 1)
		if err != nil {
			return nil, err
		}
		if now == nil || now.State == "delivered" {
			return a.effect(now, s), nil
		}
		by := now.By
		if by == "" {
			by = a.findBlockingFrame(ctx)
		}
		a.note("the press would have hit %s instead and was held back; aimed again", by)
		if try == aims || time.Until(a.until) <= 0 {
			return nil, fault.New(fault.NotActed, a.op,
				"the press hit %s instead of the element each time, so it was held back", by)
		}
	}
}

func (a *action) dragOnce(
	ctx context.Context, x driver.Drag, to *action, drags chan *input.DragData, again bool,
) (now *outcome, s driver.Settle, err error) {
	if a.element != 0 {
		r, err := a.aim(ctx, query{Kind: "pointer", Ends: 1, Still: again})
		if err != nil {
			return nil, driver.Settle{}, err
		}
		a.watchCanvas(ctx, r.Canvas, true)
	} else if err := a.bareDrag(ctx, x.From); err != nil {
		return nil, driver.Settle{}, err
	}
	from := a.point
	defer func() {
		if err != nil { // the button must not stay pressed
			cdp.Send(a.t.Session, input.CancelDragging, proto.Empty{})
			a.mouse(input.DispatchMouseEventTypeMouseReleased, from, input.MouseButtonLeft, 0, 1, 0, false)
		}
	}()
	a.mouse(input.DispatchMouseEventTypeMouseMoved, from, input.MouseButtonNone, 0, 0, 0, false)
	a.mouse(input.DispatchMouseEventTypeMousePressed, from, input.MouseButtonLeft, 1, 1, 0, false)
	// The press must have reached the element before anything moves, or the wrong thing would be
	// carried around.
	near := screen.Point{X: from.X + 1, Y: from.Y + 1}
	a.mouse(input.DispatchMouseEventTypeMouseMoved, near, input.MouseButtonLeft, 1, 0, 0, false)
	var begun struct {
		State    string `json:"state"`
		Dragging bool   `json:"dragging"`
	}
	move := screen.Point{X: from.X + 6, Y: from.Y + 6}
	if err := a.moveAck(ctx, move); err != nil {
		return nil, driver.Settle{}, err
	}
	if err := a.ask(ctx, a.doc, &begun, "pressed", a.token); err != nil {
		return nil, driver.Settle{}, err
	}
	if begun.State == "blocked" || begun.State == "armed" && a.element != 0 {
		a.mouse(input.DispatchMouseEventTypeMouseReleased, move, input.MouseButtonLeft, 0, 1, 0, true)
		return a.settle(ctx, a.finish)
	}
	end, err := a.destination(ctx, x, to)
	if err != nil {
		return nil, driver.Settle{}, err
	}
	data, err := a.carry(ctx, from, end, begun.Dragging, x.Duration, drags)
	if err != nil {
		return nil, driver.Settle{}, err
	}
	if data != nil {
		a.method = "dragAndDrop"
		drop := input.DispatchDragEventParams{X: end.X, Y: end.Y, Data: data}
		drop.Type = input.DispatchDragEventTypeDragEnter
		cdp.Send(a.t.Session, input.DispatchDragEvent, drop)
		drop.Type = input.DispatchDragEventTypeDragOver
		cdp.Send(a.t.Session, input.DispatchDragEvent, drop)
		drop.Type = input.DispatchDragEventTypeDrop
		if err := cdp.Do(ctx, a.t.Session, input.DispatchDragEvent, drop); err != nil {
			return nil, driver.Settle{}, fault.Wrap(err, fault.NotActed, a.op)
		}
		a.mouse(input.DispatchMouseEventTypeMouseReleased, end, input.MouseButtonLeft, 0, 1, 0, true)
		return a.settle(ctx, a.finish)
	}
	a.method = "mouse"
	a.mouse(input.DispatchMouseEventTypeMouseReleased, end, input.MouseButtonLeft, 0, 1, 0, true)
	return a.settle(ctx, a.finish)
}

// carry moves the pointer to the end. It returns the drag's data once the browser has begun one.
func (a *action) carry(
	ctx context.Context, from, end screen.Point, dragging bool, d time.Duration, drags chan *input.DragData,
) (*input.DragData, error) {
	var tick *time.Ticker
	steps := dragSteps(from, end)
	if d > 0 { // how fast a drag goes can be part of what was asked for
		tick = time.NewTicker(d / time.Duration(steps))
		defer tick.Stop()
	}
	for i := 1; i <= steps; i++ {
		select {
		case data := <-drags:
			return data, nil
		default:
		}
		if tick != nil {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if err := a.moveAck(ctx, pointBetween(from, end, float64(i)/float64(steps))); err != nil {
			return nil, err
		}
	}
	var now struct {
		Dragging bool `json:"dragging"`
	}
	if !dragging {
		if err := a.ask(ctx, a.doc, &now, "pressed", a.token); err != nil {
			return nil, err
		}
	}
	if !dragging && !now.Dragging {
		select {
		case data := <-drags:
			return data, nil
		default:
			return nil, nil
		}
	}
	wait, cancel := context.WithTimeout(ctx, settleCap)
	defer cancel()
	select {
	case data := <-drags:
		return data, nil
	case <-wait.Done():
		return nil, ctx.Err() // the page called the drag off
	}
}

// moveAck moves the pointer with the button held, and waits until the page has seen it. A drag that
// begins meanwhile keeps the answer back, which is as good.
func (a *action) moveAck(ctx context.Context, p screen.Point) error {
	ctx, cancel := context.WithTimeout(ctx, settleCap)
	defer cancel()
	err := cdp.Do(ctx, a.t.Session, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved, X: p.X, Y: p.Y, Button: input.MouseButtonLeft, Buttons: 1,
	})
	if err != nil && ctx.Err() == nil {
		return fault.Wrap(err, fault.NotActed, a.op)
	}
	return nil
}

// destination finds where To is now: pressing on From may have moved things.
func (a *action) destination(ctx context.Context, x driver.Drag, to *action) (screen.Point, error) {
	if to.element == 0 {
		if x.To.Point == nil {
			return screen.Point{}, fault.New(fault.Invalid, a.op, "neither an element nor a point to drag to is given")
		}
		return *x.To.Point, nil
	}
	var r ready
	q := query{ID: to.element, At: to.at, Wait: to.waitLeft(), Free: true}
	if err := to.ask(ctx, to.doc, &r, "find", q); err != nil {
		return screen.Point{}, err
	}
	a.log = append(a.log, r.Log...)
	if !r.OK {
		return screen.Point{}, a.refuse(r.refusal)
	}
	_, err := to.translate(ctx, &r)
	return to.point, err
}

// bareDrag starts from a point instead of an element.
func (a *action) bareDrag(ctx context.Context, t driver.Target) error {
	if t.Point == nil {
		return fault.New(fault.Invalid, a.op, "neither an element nor a point to drag from is given")
	}
	a.point = *t.Point
	return a.watchPoint(ctx, false, true)
}
