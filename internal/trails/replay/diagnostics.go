package replay

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

const (
	diagnosticLines = 5               // of requests, and as many of errors
	diagnosticWidth = 240             // characters kept of one
	diagnosticWait  = 3 * time.Second // for a page that has just failed a step and may be wedged
)

// diagnoser says in texts for people what a failure since a time may come of beside what the screen shows. It stands in
// for a console where a device has more to say.
type diagnoser interface {
	Diagnose(ctx context.Context, since time.Time) []string
}

// noteDiagnostics leaves a note of each thing that went wrong below the screen in the failed step and the one before
// it, whose action may have been the one that was answered with an error. It explains a failure and is never a
// verdict of its own: many pages work with a request that fails or an error in their console.
func (g *playing) noteDiagnostics(ctx context.Context, f *fault.Failure) {
	dev := g.session.Device
	ctx, cancel := context.WithTimeout(ctx, diagnosticWait)
	defer cancel()
	var lines []string
	if n, ok := driver.As[driver.Network](dev); ok {
		if all, err := n.Requests(ctx, 0); err == nil {
			lines = append(lines, badRequests(all, g.before, f.Message)...)
		}
	}
	if d, ok := driver.As[diagnoser](dev); ok {
		lines = append(lines, d.Diagnose(ctx, g.before)...)
	} else if c, ok := driver.As[driver.Console](dev); ok {
		if all, err := c.ConsoleMessages(ctx, 0); err == nil {
			lines = append(lines, pageErrors(all, g.before)...)
		}
	}
	for _, l := range lines {
		g.log(event.Event{Type: event.Note, Note: &event.NoteText{Level: "warning", Text: l}})
	}
}

// badRequests returns the requests that failed or were answered with an error. It leaves out those that the failure
// names already, those that the browser gave up because the page moved on, and the icon that hardly any test server
// has.
func badRequests(all []driver.Request, since time.Time, known string) []string {
	var t tally
	for _, r := range all {
		switch {
		case r.Started.Before(since), strings.HasSuffix(r.URL, "/favicon.ico"), strings.Contains(known, r.URL):
		case r.Status >= 400:
			t.add(fmt.Sprintf("%s %s was answered with HTTP status %d", r.Method, r.URL, r.Status))
		case r.Error != "" && r.Error != "net::ERR_ABORTED" && r.Error != "target closed":
			t.add(fmt.Sprintf("%s %s failed: %s", r.Method, r.URL, r.Error))
		}
	}
	return t.lines()
}

// pageErrors are the errors that the page logged or did not catch.
func pageErrors(all []driver.ConsoleMessage, since time.Time) []string {
	var t tally
	for _, m := range all {
		text, _, _ := strings.Cut(strings.TrimSpace(m.Text), "\n")
		switch {
		case m.Time.Before(since), text == "":
		case m.Level == "exception":
			t.add("the page did not catch: " + text)
		case m.Level == "error":
			t.add("the page logged an error: " + text)
		}
	}
	return t.lines()
}

// tally counts lines that repeat.
type tally struct {
	order []string
	count map[string]int
}

func (t *tally) add(line string) {
	if r := []rune(line); len(r) > diagnosticWidth {
		line = string(r[:diagnosticWidth-1]) + "…"
	}
	if t.count == nil {
		t.count = map[string]int{}
	}
	if t.count[line]++; t.count[line] == 1 {
		t.order = append(t.order, line)
	}
}

// lines are the last few, since they are nearest to the failure.
func (t *tally) lines() []string {
	var out []string
	for _, l := range t.order[max(0, len(t.order)-diagnosticLines):] {
		if n := t.count[l]; n > 1 {
			l = fmt.Sprintf("%s (%d times)", l, n)
		}
		out = append(out, l)
	}
	return out
}
