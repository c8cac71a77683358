package web

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

var _ driver.Console = (*Device)(nil)

const (
	maxConsole     = 5000    // messages kept
	maxConsoleText = 8 << 10 // bytes kept of one
)

// console is what pages logged. Device.mu guards it.
type console struct {
	log []driver.ConsoleMessage
	seq uint64
}

func (d *Device) watchConsole(h *host) {
	cdp.On(h.sess, runtime.ConsoleAPICalled, locked(d, func(e runtime.EventConsoleAPICalled) {
		parts := make([]string, 0, len(e.Args))
		for _, a := range e.Args {
			parts = append(parts, remoteText(a))
		}
		m := driver.ConsoleMessage{Level: level(e.Type), Text: strings.Join(parts, " "), Time: stamp(e.Timestamp)}
		if e.StackTrace != nil && len(e.StackTrace.CallFrames) > 0 {
			f := e.StackTrace.CallFrames[0]
			m.Source = fmt.Sprintf("%s:%d", f.URL, f.LineNumber+1)
		}
		d.console.add(m)
	}))
	cdp.On(h.sess, runtime.ExceptionThrown, locked(d, func(e runtime.EventExceptionThrown) {
		x := e.ExceptionDetails
		if x == nil {
			return
		}
		m := driver.ConsoleMessage{Level: "exception", Text: exceptionText(x), Time: stamp(e.Timestamp)}
		if x.URL != "" {
			m.Source = fmt.Sprintf("%s:%d", x.URL, x.LineNumber+1)
		}
		d.console.add(m)
	}))
	cdp.On(h.sess, log.EntryAdded, locked(d, func(e log.EventEntryAdded) {
		if m, ok := d.entry(e.Entry); ok {
			d.console.add(m)
		}
	}))
}

// entry is what the browser itself writes into the console: requests that failed, what a policy of the page refused. The
// document of a page says in the reply how it was answered, and hardly any test server has an icon. Device.mu is held.
func (d *Device) entry(e *log.Entry) (driver.ConsoleMessage, bool) {
	if e == nil || e.Level != log.EntryLevelError && e.Level != log.EntryLevelWarning || strings.HasSuffix(e.URL, "/favicon.ico") {
		return driver.ConsoleMessage{}, false
	}
	m := driver.ConsoleMessage{Level: string(e.Level), Text: e.Text, Time: stamp(e.Timestamp)}
	if e.URL != "" {
		m.Source = fmt.Sprintf("%s:%d", e.URL, e.LineNumber+1)
	}
	if e.Source != log.EntrySourceNetwork || e.Level != log.EntryLevelError {
		return m, true
	}
	m.Level, m.Source = "network", ""
	method := "GET"
	if x := d.network.byID[string(e.NetworkRequestID)]; x != nil {
		if method = x.Method; x.Type == "document" && x.tab.main != nil && x.frame == string(x.tab.main.id) {
			return m, false
		}
	}
	m.Text = method + " " + shorten(e.URL) + ": " + strings.TrimPrefix(e.Text, "Failed to load resource: ")
	return m, true
}

func (c *console) add(m driver.ConsoleMessage) {
	c.seq++
	m.Seq = c.seq
	if len(m.Text) > maxConsoleText {
		m.Text = strings.ToValidUTF8(m.Text[:maxConsoleText], "") + "…"
	}
	if n := len(c.log); n >= maxConsole {
		c.log = append(c.log[:0:0], c.log[n/2:]...)
	}
	c.log = append(c.log, m)
}

func level(t runtime.ConsoleAPICalledType) string {
	switch t {
	case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeAssert:
		return "error"
	case runtime.ConsoleAPICalledTypeWarning:
		return "warning"
	case runtime.ConsoleAPICalledTypeInfo:
		return "info"
	default:
		return "log"
	}
}

func remoteText(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	var s string
	switch {
	case o.Type == "string" && jsonv2.Unmarshal(o.Value, &s) == nil:
		return s
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case o.Preview != nil && o.Subtype == "":
		return previewText(o.Preview)
	case o.Description != "":
		return o.Description
	case len(o.Value) > 0:
		return string(o.Value)
	}
	return string(o.Type)
}

func previewText(p *runtime.ObjectPreview) string {
	parts := make([]string, 0, len(p.Properties))
	for _, f := range p.Properties {
		parts = append(parts, f.Name+": "+f.Value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func jsonString(s string) jsonv2.Value {
	raw, err := jsonv2.Marshal(s, chromedp.DefaultMarshalOptions)
	if err != nil {
		return jsonv2.Value(`""`) // cannot happen: invalid UTF-8 is replaced
	}
	return raw
}

// stamp turns the protocol's milliseconds since the epoch into a time.
func stamp(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(t.Float64() * 1000)) }

// ConsoleMessages implements driver.Console.
func (d *Device) ConsoleMessages(_ context.Context, since uint64) ([]driver.ConsoleMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first := sort.Search(len(d.console.log), func(i int) bool { return d.console.log[i].Seq > since })
	return slices.Clone(d.console.log[first:]), nil
}
