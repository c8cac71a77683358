package web

import (
	"context"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

// Perform implements driver.Device.
func (d *Device) Perform(ctx context.Context, a driver.Action) (*driver.Effect, error) {
	release, err := d.act(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	t, err := d.frames.Current()
	if err != nil {
		return nil, err
	}
	act := &action{d: d, t: t, token: tokens.Add(1), began: time.Now()}
	act.until = act.began.Add(targetTimeout)
	if end, ok := ctx.Deadline(); ok {
		margin := min(max(time.Until(end)/5, minMargin), maxMargin)
		if end.Add(-margin).Before(act.until) {
			act.until = end.Add(-margin)
		}
	}
	if err := d.frames.AwaitDocument(ctx, t, frames.WorldGrace); err != nil {
		return nil, err
	}
	act.open()
	defer act.close()
	e, err := act.run(ctx, a)
	if err != nil {
		return nil, act.fail(ctx, err)
	}
	return e, nil
}

func (a *action) run(ctx context.Context, x driver.Action) (*driver.Effect, error) {
	switch x := x.(type) {
	case driver.Tap:
		return a.tap(ctx, x)
	case driver.Hover:
		return a.hover(ctx, x)
	case driver.TypeText:
		return a.typeText(ctx, x)
	case driver.EraseText:
		return a.eraseText(ctx, x)
	case driver.PressKey:
		return a.pressKey(ctx, x)
	case driver.SelectOption:
		return a.selectOption(ctx, x)
	case driver.SetChecked:
		return a.setChecked(ctx, x)
	case driver.Upload:
		return a.upload(ctx, x)
	case driver.Scroll:
		return a.scroll(ctx, x)
	case driver.ScrollIntoView:
		return a.scrollIntoView(ctx, x)
	case driver.Swipe:
		return a.swipe(ctx, x)
	case driver.Drag:
		return a.drag(ctx, x)
	case driver.Pinch:
		return a.pinch(ctx, x)
	}
	return nil, fault.New(fault.Unsupported, "perform action", "a browser cannot do %T", x)
}
