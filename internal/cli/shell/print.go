package shell

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Printf writes to standard output, without control characters that pages and trails have no business to send. A
// reader that went away is no error of ours.
func (a *Shell) Printf(format string, args ...any) {
	_, _ = io.WriteString(a.Out, a.harmless(fmt.Sprintf(format, args...)))
}

// Errorf writes to standard error, in the same way.
func (a *Shell) Errorf(format string, args ...any) {
	_, _ = io.WriteString(a.Err, a.harmless(fmt.Sprintf(format, args...)))
}

// harmless is a text that neither a terminal nor, off one, a build server takes for a command.
func (a *Shell) harmless(text string) string {
	if text = sanitize(text); !a.Terminal && strings.ContainsAny(text, ":#") {
		text = commandLine().ReplaceAllString(text, "$1$2 $3")
	}
	return text
}

// Control writes a command to the terminal or the build server itself, which Printf and Errorf would take for one of a
// page.
func Control(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// PrintJSON writes one indented document.
func (a *Shell) PrintJSON(v any) error {
	enc := json.NewEncoder(a.Out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// styles renders words for a terminal, or leaves them alone.
type styles struct{ color bool }

// Style returns the styles of this terminal.
func (a *Shell) Style() styles { return styles{a.Color} }

// paint uses the terminal's own sixteen colours, which follow its theme; sanitize lets their codes through.
func (s styles) paint(code, text string) string {
	if !s.color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[m"
}

func (s styles) Good(t string) string { return s.paint("1;32", t) }
func (s styles) Bad(t string) string  { return s.paint("1;31", t) }
func (s styles) Warn(t string) string { return s.paint("1;33", t) }
func (s styles) Dim(t string) string  { return s.paint("90", t) }
func (s styles) Bold(t string) string { return s.paint("1", t) }

// Warn writes a warning to standard error.
func (a *Shell) Warn(format string, args ...any) {
	a.Errorf("%s %s\n", a.Style().Warn("warning:"), fmt.Sprintf(format, args...))
}

// Outcome is an outcome as a word of one width.
func (s styles) Outcome(o event.Outcome) string {
	switch o {
	case event.Passed:
		return s.Good("PASS ")
	case event.Flaky:
		return s.Warn("FLAKY")
	case event.Healed:
		return s.Warn("HEAL ")
	case event.Skipped:
		return s.Dim("SKIP ")
	case event.Failed:
		return s.Bad("FAIL ")
	case event.Canceled:
		return s.Warn("STOP ")
	case event.Undecided:
		return s.Bad("?    ")
	case event.Broken:
		return s.Bad("ERROR")
	}
	return s.Bad("ERROR")
}

// Totals is "7 trails: 6 passed, 1 failed".
func (s styles) Totals(t map[string]int) string {
	var parts []string
	for _, o := range []event.Outcome{event.Passed, event.Flaky, event.Healed, event.Failed, event.Undecided,
		event.Broken, event.Canceled, event.Skipped} {
		n := t[string(o)]
		if n == 0 {
			continue
		}
		word := map[event.Outcome]string{event.Broken: "broken", event.Canceled: "stopped"}[o]
		text := fmt.Sprintf("%d %s", n, cmp.Or(word, string(o)))
		switch o {
		case event.Passed:
			text = s.Good(text)
		case event.Flaky, event.Healed, event.Canceled:
			text = s.Warn(text)
		case event.Skipped:
			text = s.Dim(text)
		default:
			text = s.Bad(text)
		}
		parts = append(parts, text)
	}
	return phrase.Count(t["trails"], "trail") + ": " + strings.Join(parts, ", ")
}

// ShortDuration is a duration as people read it.
func ShortDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// ExplainFailure is a failure's text, indented under its trail.
func ExplainFailure(f *fault.Failure) string {
	return "      " + strings.ReplaceAll(strings.TrimRight(f.Text(), "\n"), "\n", "\n      ")
}

// Mark returns text if yes, else "".
func Mark(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}
