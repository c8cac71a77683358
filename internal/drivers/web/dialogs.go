package web

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

var _ driver.Dialogs = (*Device)(nil)

// maxDialogs bounds the log: a page can raise dialogs in a loop.
const maxDialogs = 1000

// dialogs is what a device knows about JavaScript dialogs. Device.mu guards it.
type dialogs struct {
	policy driver.DialogPolicy
	log    []driver.DialogEvent
	total  uint64 // dialogs ever, of which log keeps the last
}

// openDialog is a dialog that blocks its tab until somebody answers.
type openDialog struct {
	screen.Dialog
	keep bool // waits for HandleDialog
}

// watchDialogs answers each dialog on the event goroutine, the moment it opens: whatever call hangs on it goes on.
func (d *Device) watchDialogs(t *tab) {
	cdp.On(t.sess, page.JavascriptDialogOpening, locked(d, func(e page.EventJavascriptDialogOpening) {
		open := &openDialog{Dialog: screen.Dialog{Type: string(e.Type), Message: e.Message, Default: e.DefaultPrompt}}
		t.dialog = open
		d.changed()
		d.dialogs.total++
		p := d.dialogs.policy
		if p.Once {
			d.dialogs.policy = driver.DialogPolicy{}
		}
		if p.Keep {
			open.keep = true
			return
		}
		d.answerDialog(t, accepts(p, open.Type), promptAnswer(p, open.Dialog))
	}))
	cdp.On(t.sess, page.JavascriptDialogClosed, locked(d, func(e page.EventJavascriptDialogClosed) {
		if t.dialog == nil {
			return
		}
		d.logDialog(driver.DialogEvent{Dialog: t.dialog.Dialog, Accepted: e.Result, Answer: e.UserInput})
		t.dialog = nil
		d.changed()
	}))
}

// accepts says what the policy does with a kind of dialog. By default an alert has only one answer, leaving a page is
// what the action wanted, and everything that asks a question is declined.
func accepts(p driver.DialogPolicy, kind string) bool {
	return p.Accept || kind == "alert" || kind == "beforeunload"
}

func promptAnswer(p driver.DialogPolicy, dlg screen.Dialog) string {
	if dlg.Type != "prompt" {
		return ""
	}
	if p.Answer == "" {
		return dlg.Default
	}
	return p.Answer
}

// answerDialog sends the answer; the closing event logs it. Device.mu is held.
func (d *Device) answerDialog(t *tab, accept bool, answer string) {
	params := page.HandleJavaScriptDialogParams{Accept: accept}
	if accept {
		params.PromptText = answer
	}
	cdp.Send(t.sess, page.HandleJavaScriptDialog, params)
}

func (d *Device) logDialog(e driver.DialogEvent) {
	if n := len(d.dialogs.log); n >= maxDialogs {
		d.dialogs.log = append(d.dialogs.log[:0:0], d.dialogs.log[n-maxDialogs/2:]...)
	}
	d.dialogs.log = append(d.dialogs.log, e)
}

func (dl *dialogs) tabGone(t *tab) { t.dialog = nil }

// SetDialogPolicy implements driver.Dialogs. It holds for dialogs that open from now on.
func (d *Device) SetDialogPolicy(_ context.Context, p driver.DialogPolicy) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dialogs.policy = p
	return nil
}

// HandleDialog implements driver.Dialogs: it answers the dialog that a Keep policy left open in the active tab.
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
	d.answerDialog(t, accept, answer)
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
	return append([]driver.DialogEvent(nil), d.dialogs.log...), nil
}
