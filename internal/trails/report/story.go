package report

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
)

// caseName is the title of a trail with what tells it from the others of its file.
func caseName(t Trail) string {
	s := t.Title
	if t.Repeat > 0 {
		s += fmt.Sprintf(" [%d]", t.Repeat)
	}
	if t.Device != "" { // the trail is there once for each
		s += " [" + t.Device + "]"
	}
	return clean(s)
}

// summary returns the results of a trail, one line per step of its last attempt.
func summary(t Trail) string {
	if len(t.Attempts) == 0 {
		return ""
	}
	var b strings.Builder
	for _, a := range t.Attempts {
		fmt.Fprintf(&b, "attempt %d: %s in %s (session %s)\n", a.Number, a.Outcome, seconds(a.DurationMS)+" s", a.Session)
	}
	for _, s := range t.Attempts[len(t.Attempts)-1].Steps {
		fmt.Fprintf(&b, "  %-8s %6.0f ms  %s\n", s.Outcome, s.DurationMS, firstLine(s.Text))
		if s.Price != nil {
			fmt.Fprintf(&b, "%22s%s\n", "", s.Price)
		}
	}
	return b.String()
}

// heals are the repairs of the attempt that decided, each a sentence.
func heals(t Trail) []string {
	if len(t.Attempts) == 0 {
		return nil
	}
	var out []string
	for _, s := range t.Attempts[len(t.Attempts)-1].Steps {
		for _, h := range s.Heals {
			out = append(out, fmt.Sprintf("step %d: %s", s.Index+1, h.Text))
		}
	}
	return out
}

// story returns the reason why an attempt did not pass.
func story(a Attempt) string {
	var b strings.Builder
	if s := failedStep(a); s != nil {
		fmt.Fprintf(&b, "step %d: %s\n", s.Index+1, firstLine(s.Text))
	}
	if a.Failure != nil {
		b.WriteString(a.Failure.Text())
		for _, n := range a.Notes {
			b.WriteString(n.Level + ": " + n.Text + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func failedStep(a Attempt) *Step {
	for i := range a.Steps {
		if s := &a.Steps[i]; s.Outcome != event.Passed && s.Outcome != event.Skipped && s.Outcome != event.Healed {
			return s
		}
	}
	return nil
}

func firstLine(s string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more && rest != "" {
		line += " …"
	}
	return line
}
