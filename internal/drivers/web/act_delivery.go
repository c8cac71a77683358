package web

import (
	"strconv"

	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

// deliveredBinding is the function by which the page script says that an action's event reached its
// element; only the script's own world has it. See tellDelivery in act.ts.
const deliveredBinding = "trailblazeDelivered"

func (d *Device) watchDeliveries(h *host) {
	cdp.On(h.sess, runtime.BindingCalled, func(e runtime.EventBindingCalled) {
		if token, err := strconv.ParseInt(e.Payload, 10, 64); err == nil && e.Name == deliveredBinding {
			d.delivered.Store(token)
		}
	})
}

// undelivered is the error of an action whose document ended before it could report, when its event
// had not reached the element by then: the page left by itself. The browser drops such an event or
// gives it to the next document, so the action must not be sent again.
func (a *action) undelivered(now *outcome, s driver.Settle) error {
	if now != nil || s.Reason == "dialog" || a.d.delivered.Load() == a.token {
		return nil
	}
	return fault.New(fault.NotActed, a.op, "the page went away by itself before the event reached the element").
		WithHint("Look at the page that is there now, and act on that. Wait for the page to stay before you act.")
}
