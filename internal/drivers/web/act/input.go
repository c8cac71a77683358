package act

import (
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/screen"

	"strconv"
)

// Input events are all sent to the tab's own session: the browser finds the frame that a point lies
// in, and the process that has the focus. They are written one after the other without waiting for
// answers; the browser keeps their order.

// last sends the last event of an action, and notifies the page script when the browser has handed all of them on:
// an event that has not arrived by then is not coming.
func (a *action) last(method string, params any) {
	doc, token, late := a.doc, a.token, method == input.CommandInsertText // answered before the page has the text
	keys := a.keysDown
	a.t.Session.Go(method, params, func(jsonv2.Value, error) { doc.Tell("acked", token, late, keys) })
}

func (a *action) mouse(
	kind input.DispatchMouseEventType, p screen.Point, button input.MouseButton, held, count, modifiers int64, last bool,
) {
	params := mouseEvent(kind, p, button, held, count, modifiers)
	if last {
		a.last(input.CommandDispatchMouseEvent, params)
		return
	}
	cdp.Send(a.t.Session, input.DispatchMouseEvent, params)
}

func (a *action) touch(kind input.DispatchTouchEventType, modifiers int64, last bool, points ...screen.Point) {
	params := touchEvent(kind, modifiers, points...)
	if last {
		a.last(input.CommandDispatchTouchEvent, params)
		return
	}
	cdp.Send(a.t.Session, input.DispatchTouchEvent, params)
}

func mouseEvent(
	kind input.DispatchMouseEventType, p screen.Point, button input.MouseButton, held, count, modifiers int64,
) input.DispatchMouseEventParams {
	return input.DispatchMouseEventParams{
		Type: kind, X: p.X, Y: p.Y, Button: button, Buttons: held, ClickCount: count, Modifiers: modifiers,
	}
}

func touchEvent(kind input.DispatchTouchEventType, modifiers int64,
	points ...screen.Point) input.DispatchTouchEventParams {
	params := input.DispatchTouchEventParams{Type: kind, Modifiers: modifiers, TouchPoints: []*input.TouchPoint{}}
	for i, p := range points {
		id := float64(i)
		params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: p.X, Y: p.Y, ID: &id})
	}
	return params
}

// buttons are the protocol's name and bit of each button.
func buttons(b driver.Button) (input.MouseButton, int64, error) {
	switch b {
	case "", driver.Left:
		return input.MouseButtonLeft, 1, nil
	case driver.Right:
		return input.MouseButtonRight, 2, nil
	case driver.Middle:
		return input.MouseButtonMiddle, 4, nil
	}
	return "", 0, fault.New(fault.Invalid, "press button", "no mouse button is called %q", b).
		WithHint("Use left, right or middle.")
}

// fingers reports whether the device has a touch screen instead of a mouse.
func (a *action) fingers() bool {
	a.p.frames.Lock()
	defer a.p.frames.Unlock()
	return a.p.emulation.Device.Touch
}

// deliveredBinding is the function by which the page script says that an action's event reached its
// element; only the script's own world has it. See tellDelivery in act.ts.
const deliveredBinding = "trailblazeDelivered"

func (p *Performer) watchDeliveries(h *frames.Host) {
	cdp.On(h.Session, runtime.BindingCalled, func(e runtime.EventBindingCalled) {
		if token, err := strconv.ParseInt(e.Payload, 10, 64); err == nil && e.Name == deliveredBinding {
			p.delivered.Store(token)
		}
	})
}

// undelivered is the error of an action whose document ended before it could report, when its event had not reached
// the element by then: the page left for another reason. The browser drops such an event or gives it to the next
// document, so the action must not be sent again.
func (a *action) undelivered(now *outcome, s driver.Settle) error {
	if now != nil || s.Reason == "dialog" || a.p.delivered.Load() == a.token {
		return nil
	}
	return fault.New(fault.NotActed, a.op, "the page went away by itself before the event reached the element").
		WithHint("Look at the page that is there now, and act on that. Wait for the page to stay before you act.")
}
