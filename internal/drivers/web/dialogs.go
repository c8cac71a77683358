package web

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/dialog"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

var _ driver.Dialogs = (*Device)(nil)

// watchDialogs answers each dialog on the event goroutine as soon as it opens, so that a call that hangs on it
// continues. The closing event logs the answer.
func (d *Device) watchDialogs(t *frames.Tab) {
	cdp.On(t.Session, page.JavascriptDialogOpening, frames.Locked(d.frames, func(e page.EventJavascriptDialogOpening) {
		open, answer := d.dialogs.Begin(e)
		t.Dialog = open
		d.frames.Changed()
		if answer != nil {
			cdp.Send(t.Session, page.HandleJavaScriptDialog, *answer)
		}
	}))
	cdp.On(t.Session, page.JavascriptDialogClosed, frames.Locked(d.frames, func(e page.EventJavascriptDialogClosed) {
		if t.Dialog == nil {
			return
		}
		d.dialogs.End(t.Dialog, e)
		t.Dialog = nil
		d.frames.Changed()
	}))
}

// SetDialogPolicy implements driver.Dialogs. It holds for dialogs that open from now on.
func (d *Device) SetDialogPolicy(_ context.Context, p driver.DialogPolicy) error {
	d.frames.Lock()
	defer d.frames.Unlock()
	d.dialogs.SetPolicy(p)
	return nil
}

// HandleDialog implements driver.Dialogs: it answers the dialog that a Keep policy left open in the
// active tab.
func (d *Device) HandleDialog(ctx context.Context, accept bool, answer string) (*driver.DialogEvent, error) {
	t, err := d.frames.Current()
	if err != nil {
		return nil, err
	}
	d.frames.Lock()
	open := t.Dialog
	if open == nil {
		d.frames.Unlock()
		return nil, fault.New(fault.NotFound, "answer dialog", "no dialog is open")
	}
	if accept && answer == "" && open.Type == "prompt" {
		answer = open.Default
	}
	cdp.Send(t.Session, page.HandleJavaScriptDialog, dialog.Answer(accept, answer))
	d.frames.Unlock()
	if err := d.frames.Await(ctx, "dialog to close", func() (bool, error) { return t.Dialog != open, nil }); err != nil {
		return nil, err
	}
	return &driver.DialogEvent{Dialog: open.Dialog, Accepted: accept, Answer: answer}, nil
}

// DialogLog implements driver.Dialogs.
func (d *Device) DialogLog(context.Context) ([]driver.DialogEvent, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	return d.dialogs.Last(d.dialogs.Len()), nil
}
