package report

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// Live makes the report of one session while its log grows. It is for one goroutine.
type Live struct {
	b     *builder
	whole bool // more has changed than the steps of the current attempt
}

// Follow begins the report of the session in a directory. The caller gives it all events of the log.
func Follow(dir string) *Live {
	return &Live{b: newBuilder(&Report{blobs: map[string]blob{}}, dir), whole: true}
}

// Take adds the next event of the log.
func (l *Live) Take(e event.Event) {
	before := len(l.b.attempts)
	l.b.observe(e)
	if e.Type == event.SessionEnded {
		l.b.flush()
	}
	switch e.Type {
	case event.SessionStarted, event.SessionEnded, event.TrailStarted, event.TrailEnded:
		l.whole = true
	default:
		l.whole = l.whole || len(l.b.attempts) != before
	}
}

// Changes returns what has changed since it was last called: the whole report, or the attempt that goes on with its
// steps from the first that has changed on. It returns neither when nothing has changed.
func (l *Live) Changes() (whole *Report, attempt *Attempt, first int) {
	b := l.b
	first, b.changed = b.changed, unchanged
	switch {
	case l.whole || b.current != nil && b.fresh:
		l.whole, b.fresh = false, false
		r := *b.report
		r.Schema, r.ID, r.Title = Schema, b.session.ID, b.session.Title
		r.fill(b.all(), nil)
		return &r, nil, 0
	case b.current == nil || first == unchanged:
		return nil, nil, 0
	}
	a := b.open()
	a.Steps = a.Steps[min(first, len(a.Steps)):]
	return nil, &a, first
}

// all lists the attempts so far, with the one that goes on.
func (b *builder) all() []Attempt {
	out := slices.Clone(b.attempts)
	if b.current != nil {
		out = append(out, b.open())
	}
	return out
}

// open is the attempt that goes on as it is now.
func (b *builder) open() Attempt {
	a := *b.current
	if a.DurationMS == 0 {
		a.DurationMS = ms(b.last.Sub(a.Started))
	}
	a.Steps = slices.Clone(a.Steps)
	if i, ok := b.steps[b.at]; ok && b.at != event.NoStep {
		a.Steps[i].Outcome, a.Steps[i].DurationMS = running, ms(b.last.Sub(a.Started))-a.Steps[i].StartMS
	}
	if !b.outside || b.at != event.NoStep {
		a.Outcome = running
	}
	return a
}

// running is the outcome of what goes on. No log and no report of a run has it.
const running event.Outcome = "running"
