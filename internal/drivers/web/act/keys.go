package act

import (
	"context"

	"github.com/chromedp/cdproto/input"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/keys"
)

func (a *action) pressKey(ctx context.Context, x driver.PressKey) (*driver.Effect, error) {
	a.op = "press key"
	c, err := keys.Parse(x.Key)
	if err != nil {
		return nil, err
	}
	if err := a.aimAtFocus(ctx, x.Target); err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		var r ready
		q := query{ID: a.element, Token: a.token, Kind: "key", Wait: a.waitLeft(), Still: try > 1}
		if err := a.ask(ctx, a.doc, &r, "focusOn", q); err != nil {
			return nil, err
		}
		a.log = append(a.log, r.Log...)
		if !r.OK {
			return nil, a.refuse(r.refusal)
		}
		a.place(r, a.origin(ctx), 1)
		a.pressChord(c, true)
		now, s, err := a.settle(ctx, a.finish)
		if err == nil {
			err = a.undelivered(now, s)
		}
		if err != nil {
			return nil, err
		}
		if now == nil || now.State == "delivered" {
			return a.effect(now, s), nil
		}
		by := now.By
		if by == "" {
			by = "nothing"
		}
		a.note("the focus went to %s and the key was held back; focused again", by)
		if try == aims {
			return nil, fault.New(fault.NotActed, a.op, "the key went to %s instead of the element, so it was held back", by)
		}
	}
}

// pressChord presses the keys of a chord. last says that the action ends with it.
func (a *action) pressChord(c keys.Chord, last bool) {
	c.Press(func(event input.DispatchKeyEventParams, end bool) { a.key(event, last && end) })
}

// typeKey presses and releases one key.
func (a *action) typeKey(k keys.Key, last bool) {
	a.key(k.Down(k.Bits()), false)
	a.key(k.Up(k.Bits()), last)
}

func (a *action) typeNamed(name string, last bool) {
	k, _ := keys.Find(name)
	a.typeKey(k, last)
}

func (a *action) key(event input.DispatchKeyEventParams, last bool) {
	if event.Type != input.DispatchKeyEventTypeKeyUp {
		a.keysDown++
	}
	if last {
		a.last(input.CommandDispatchKeyEvent, event)
		return
	}
	cdp.Send(a.t.Session, input.DispatchKeyEvent, event)
}

// aimAtFocus aims at the target, or at whatever has the focus when there is none: the frame that
// has it gets the guard.
func (a *action) aimAtFocus(ctx context.Context, t driver.Target) error {
	if err := a.aimAt(t); err != nil || a.element != 0 {
		return err
	}
	for {
		var id int64
		if err := a.ask(ctx, a.doc, &id, "focusId"); err != nil {
			return err
		}
		inner := a.frameOf(ctx, id)
		if id == 0 || inner == nil {
			return nil
		}
		a.doc = inner
	}
}

// frameOf is the document that the element shows, when it is a frame.
func (a *action) frameOf(ctx context.Context, element int64) *frames.Document {
	if element == 0 {
		return nil
	}
	a.p.frames.Lock()
	children := a.t.Children(a.doc.Frame)
	a.p.frames.Unlock()
	for _, f := range children {
		if a.p.frames.OwnerOf(ctx, a.doc, f) == element {
			a.p.frames.Lock()
			doc := f.Document
			a.p.frames.Unlock()
			return doc
		}
	}
	return nil
}
