// Package dialog decides how a JavaScript dialog is answered, and keeps the log of those that were.
package dialog

import (
	"slices"

	"github.com/chromedp/cdproto/page"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const (
	maxEvents = 1000     // dialogs kept: a page can raise them in a loop
	maxText   = 16 << 10 // bytes kept of each text
)

// Log holds the policy for dialogs and the newest ones that ended. The zero value is ready; its
// owner guards it.
type Log struct {
	policy driver.DialogPolicy
	events []driver.DialogEvent
	total  uint64 // dialogs ever opened, of which events keeps the last
}

// Open is a dialog that blocks its tab until it is answered.
type Open struct {
	screen.Dialog
	Keep bool // waits for an answer of its own
}

// Begin takes in a dialog that opened. answer is nil when the policy keeps it open.
func (l *Log) Begin(e page.EventJavascriptDialogOpening) (open *Open, answer *page.HandleJavaScriptDialogParams) {
	message := cdp.Clip(e.Message, maxText)
	open = &Open{Dialog: screen.Dialog{Type: string(e.Type), Message: message, Default: e.DefaultPrompt}}
	l.total++
	p := l.policy
	if p.Once {
		l.policy = driver.DialogPolicy{}
	}
	if p.Keep {
		open.Keep = true
		return open, nil
	}
	a := Answer(accepts(p, open.Type), promptAnswer(p, open.Dialog))
	return open, &a
}

// End logs how a dialog was answered.
func (l *Log) End(open *Open, e page.EventJavascriptDialogClosed) {
	x := driver.DialogEvent{Dialog: open.Dialog, Accepted: e.Result, Answer: cdp.Clip(e.UserInput, maxText)}
	x.Default = cdp.Clip(x.Default, maxText)
	if n := len(l.events); n >= maxEvents {
		l.events = append(l.events[:0:0], l.events[n-maxEvents/2:]...)
	}
	l.events = append(l.events, x)
}

// SetPolicy holds for dialogs that open from now on.
func (l *Log) SetPolicy(p driver.DialogPolicy) { l.policy = p }

// Total counts the dialogs that ever opened.
func (l *Log) Total() uint64 { return l.total }

// Len counts the dialogs in the log.
func (l *Log) Len() int { return len(l.events) }

// Last copies the newest n dialogs that ended, or fewer where the log has fewer.
func (l *Log) Last(n int) []driver.DialogEvent {
	return slices.Clone(l.events[max(0, len(l.events)-n):])
}

// Answer is the command that answers a dialog.
func Answer(accept bool, text string) page.HandleJavaScriptDialogParams {
	p := page.HandleJavaScriptDialogParams{Accept: accept}
	if accept {
		p.PromptText = text
	}
	return p
}

// accepts is the policy for a kind of dialog. By default an alert has only one answer, leaving a
// page is what the action wanted, and every question is declined.
func accepts(p driver.DialogPolicy, kind string) bool {
	return p.Accept || kind == "alert" || kind == "beforeunload"
}

func promptAnswer(p driver.DialogPolicy, d screen.Dialog) string {
	if d.Type != "prompt" {
		return ""
	}
	if p.Answer == "" {
		return d.Default
	}
	return p.Answer
}
