package web

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/dialog"
)

var _ driver.Dialogs = (*Device)(nil)

// watchDialogs answers each dialog on the event goroutine, the moment it opens, so that a call that
// hangs on it goes on. The closing event logs the answer.
func (d *Device) watchDialogs(t *tab) {
	cdp.On(t.sess, page.JavascriptDialogOpening, locked(d, func(e page.EventJavascriptDialogOpening) {
		open, answer := d.dialogs.Begin(e)
		t.dialog = open
		d.changed()
		if answer != nil {
			cdp.Send(t.sess, page.HandleJavaScriptDialog, *answer)
		}
	}))
	cdp.On(t.sess, page.JavascriptDialogClosed, locked(d, func(e page.EventJavascriptDialogClosed) {
		if t.dialog == nil {
			return
		}
		d.dialogs.End(t.dialog, e)
		t.dialog = nil
		d.changed()
	}))
}

// SetDialogPolicy implements driver.Dialogs. It holds for dialogs that open from now on.
func (d *Device) SetDialogPolicy(_ context.Context, p driver.DialogPolicy) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dialogs.SetPolicy(p)
	return nil
}

// HandleDialog implements driver.Dialogs: it answers the dialog that a Keep policy left open in the
// active tab.
func (d *Device) HandleDialog(ctx context.Context, accept bool, answer string) (*driver.DialogEvent, error) {
	t, err := d.current()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	open := t.dialog
	if open == nil {
		d.mu.Unlock()
		return nil, fault.New(fault.NotFound, "answer dialog", "no dialog is open")
	}
	if accept && answer == "" && open.Type == "prompt" {
		answer = open.Default
	}
	cdp.Send(t.sess, page.HandleJavaScriptDialog, dialog.Answer(accept, answer))
	d.mu.Unlock()
	if err := d.await(ctx, "dialog to close", func() (bool, error) { return t.dialog != open, nil }); err != nil {
		return nil, err
	}
	return &driver.DialogEvent{Dialog: open.Dialog, Accepted: accept, Answer: answer}, nil
}

// DialogLog implements driver.Dialogs.
func (d *Device) DialogLog(context.Context) ([]driver.DialogEvent, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dialogs.Last(d.dialogs.Len()), nil
}
