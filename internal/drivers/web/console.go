package web

import (
	"context"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/console"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/frames"
)

var _ driver.Console = (*Device)(nil)

func (d *Device) watchConsole(h *frames.Host) {
	cdp.On(h.Session, runtime.ConsoleAPICalled, frames.Locked(d.frames, func(e runtime.EventConsoleAPICalled) {
		d.console.Add(console.Called(e))
	}))
	cdp.On(h.Session, runtime.ExceptionThrown, frames.Locked(d.frames, func(e runtime.EventExceptionThrown) {
		if m, ok := console.Thrown(e); ok {
			d.console.Add(m)
		}
	}))
	cdp.On(h.Session, log.EntryAdded, frames.Locked(d.frames, func(e log.EventEntryAdded) {
		if m, ok := d.entry(h.Tab, e.Entry); ok {
			d.console.Add(m)
		}
	}))
}

// entry is the message that the browser itself writes. A failed document of a tab is left out: the
// reply to the navigation says how it was answered. The lock is held.
func (d *Device) entry(t *frames.Tab, e *log.Entry) (driver.ConsoleMessage, bool) {
	method := "GET"
	if console.FailedRequest(e) {
		if x := d.network.Open(string(e.NetworkRequestID)); x != nil {
			method = x.Method
			if t.Main != nil && x.Document(string(t.Main.ID)) {
				return driver.ConsoleMessage{}, false
			}
		}
	}
	return console.Entry(e, method)
}

// ConsoleMessages implements driver.Console.
func (d *Device) ConsoleMessages(_ context.Context, since uint64) ([]driver.ConsoleMessage, error) {
	d.frames.Lock()
	defer d.frames.Unlock()
	return d.console.Since(since), nil
}
