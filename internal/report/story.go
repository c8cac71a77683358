package report

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// summary is what a trail did, one line per step of its last attempt.
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
	}
	return b.String()
}

// story tells why an attempt did not pass.
func story(a Attempt) string {
	var b strings.Builder
	if s := failedStep(a); s != nil {
		fmt.Fprintf(&b, "step %d: %s\n", s.Index+1, firstLine(s.Text))
	}
	if a.Failure != nil {
		b.WriteString(explain(a.Failure))
		for _, n := range a.Notes {
			b.WriteString(n.Level + ": " + n.Text + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

func failedStep(a Attempt) *Step {
	for i := range a.Steps {
		if s := &a.Steps[i]; s.Outcome != event.Passed && s.Outcome != event.Skipped {
			return s
		}
	}
	return nil
}

// explain writes a failure out: what happened, what was looked for, what was near, what changed, what was tried.
func explain(f *fault.Failure) string {
	var b strings.Builder
	b.WriteString(f.Message + "\n")
	if f.Hint != "" && !Repeats(f) {
		b.WriteString("hint: " + f.Hint + "\n")
	}
	return b.String() + Search(f)
}

// Search writes out what a failure knows of the search behind it: what was looked for, what was near, what changed,
// what was tried. It is empty for a failure without a search.
func Search(f *fault.Failure) string {
	var b strings.Builder
	if f.Looked != "" && !strings.Contains(f.Message, f.Looked) {
		b.WriteString("looked for: " + f.Looked + "\n")
	}
	section := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		b.WriteString(title + ":\n")
		for _, l := range lines {
			b.WriteString("  - " + l + "\n")
		}
	}
	section("nearest", f.Candidates)
	section("since the last green run", f.SinceGreen)
	section("tried", f.Log)
	return b.String()
}

func firstLine(s string) string {
	line, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more && rest != "" {
		line += " …"
	}
	return line
}

// Explain is a failure as text for a terminal.
func Explain(f *fault.Failure) string { return strings.TrimRight(explain(f), "\n") }

// Repeats reports whether the hint only says what the list of candidates begins with.
func Repeats(f *fault.Failure) bool {
	return len(f.Candidates) > 0 && strings.Contains(f.Hint, f.Candidates[0])
}
