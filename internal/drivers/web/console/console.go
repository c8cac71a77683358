// Package console keeps the messages that pages and the browser write into the console.
package console

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/cdp"
)

const (
	maxMessages = 5000    // messages kept
	maxText     = 8 << 10 // bytes kept of one
)

// Log holds the newest messages. The zero value is empty; its owner guards it.
type Log struct {
	messages []driver.ConsoleMessage
	seq      uint64
}

// Add appends a message and numbers it.
func (l *Log) Add(m driver.ConsoleMessage) {
	l.seq++
	m.Seq = l.seq
	if len(m.Text) > maxText {
		m.Text = cdp.Clip(m.Text, maxText) + "…"
	}
	m.Source = cdp.Clip(m.Source, maxText)
	if n := len(l.messages); n >= maxMessages {
		l.messages = append(l.messages[:0:0], l.messages[n/2:]...)
	}
	l.messages = append(l.messages, m)
}

// Last is the number of the newest message.
func (l *Log) Last() uint64 { return l.seq }

// Since copies the messages after a number.
func (l *Log) Since(seq uint64) []driver.ConsoleMessage {
	first := sort.Search(len(l.messages), func(i int) bool { return l.messages[i].Seq > seq })
	return slices.Clone(l.messages[first:])
}

// Called is the message of a page that called console.log or one of its siblings.
func Called(e runtime.EventConsoleAPICalled) driver.ConsoleMessage {
	parts := make([]string, 0, len(e.Args))
	for _, a := range e.Args {
		parts = append(parts, cdp.Text(a))
	}
	m := driver.ConsoleMessage{Level: level(e.Type), Text: strings.Join(parts, " "), Time: stamp(e.Timestamp)}
	if e.StackTrace != nil && len(e.StackTrace.CallFrames) > 0 {
		f := e.StackTrace.CallFrames[0]
		m.Source = place(f.URL, f.LineNumber)
	}
	return m
}

// Thrown is the message of an exception that a page did not catch.
func Thrown(e runtime.EventExceptionThrown) (driver.ConsoleMessage, bool) {
	x := e.ExceptionDetails
	if x == nil {
		return driver.ConsoleMessage{}, false
	}
	m := driver.ConsoleMessage{Level: "exception", Text: cdp.ExceptionText(x), Time: stamp(e.Timestamp)}
	if x.URL != "" {
		m.Source = place(x.URL, x.LineNumber)
	}
	return m, true
}

// FailedRequest reports whether the browser logged a request that failed.
func FailedRequest(e *log.Entry) bool {
	return e != nil && e.Source == log.EntrySourceNetwork && e.Level == log.EntryLevelError
}

// Entry is the message that the browser itself writes: a request that failed, sent by method, or
// something that a policy of the page refused. It leaves out the icon of a page, which hardly any
// test server has.
func Entry(e *log.Entry, method string) (driver.ConsoleMessage, bool) {
	if e == nil || e.Level != log.EntryLevelError && e.Level != log.EntryLevelWarning ||
		strings.HasSuffix(e.URL, "/favicon.ico") {
		return driver.ConsoleMessage{}, false
	}
	m := driver.ConsoleMessage{Level: string(e.Level), Text: e.Text, Time: stamp(e.Timestamp)}
	if FailedRequest(e) {
		m.Level = "network"
		m.Text = method + " " + cdp.ShortURL(e.URL) + ": " + strings.TrimPrefix(e.Text, "Failed to load resource: ")
	} else if e.URL != "" {
		m.Source = place(e.URL, e.LineNumber)
	}
	return m, true
}

// place names a line, which the protocol counts from 0.
func place(url string, line int64) string { return fmt.Sprintf("%s:%d", url, line+1) }

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

// stamp converts the protocol's milliseconds since the epoch.
func stamp(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(t.Float64() * 1000)) }
