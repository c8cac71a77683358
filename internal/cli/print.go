package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// printf writes to standard output, without control characters that pages and trails have no business to send. A reader that
// went away is no error of ours.
func (a *app) printf(format string, args ...any) {
	_, _ = io.WriteString(a.Out, a.harmless(fmt.Sprintf(format, args...)))
}

// errorf writes to standard error, in the same way.
func (a *app) errorf(format string, args ...any) {
	_, _ = io.WriteString(a.Err, a.harmless(fmt.Sprintf(format, args...)))
}

// harmless is a text that neither a terminal nor, off one, a build server takes for a command.
func (a *app) harmless(text string) string {
	if text = tame(text); !a.Terminal {
		text = commandLine.ReplaceAllString(text, "$1$2 $3")
	}
	return text
}

// control writes a command to the terminal itself, which printf and errorf would take for one of a page.
func control(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// printJSON writes one indented document.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.Out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// styles renders words for a terminal, or leaves them alone.
type styles struct{ color bool }

func (a *app) style() styles { return styles{a.Color} }

// paint uses the terminal's own sixteen colours, which follow its theme.
func (s styles) paint(color, text string, bold bool) string {
	if !s.color || text == "" {
		return text
	}
	st := lipgloss.NewStyle().Bold(bold)
	if color != "" {
		st = st.Foreground(lipgloss.Color(color))
	}
	return st.Render(text)
}

func (s styles) good(t string) string { return s.paint("2", t, true) }
func (s styles) bad(t string) string  { return s.paint("1", t, true) }
func (s styles) warn(t string) string { return s.paint("3", t, true) }
func (s styles) dim(t string) string  { return s.paint("8", t, false) }
func (s styles) bold(t string) string { return s.paint("", t, true) }

// warn writes a warning to standard error.
func (a *app) warn(format string, args ...any) {
	a.errorf("%s %s\n", a.style().warn("warning:"), fmt.Sprintf(format, args...))
}

// outcome is an outcome as a word of one width.
func (s styles) outcome(o event.Outcome) string {
	switch o {
	case event.Passed:
		return s.good("PASS ")
	case event.Flaky:
		return s.warn("FLAKY")
	case event.Skipped:
		return s.dim("SKIP ")
	case event.Failed:
		return s.bad("FAIL ")
	case event.Canceled:
		return s.warn("STOP ")
	case event.Undecided:
		return s.bad("?    ")
	case event.Broken:
		return s.bad("ERROR")
	}
	return s.bad("ERROR")
}

// totals is "7 trails: 6 passed, 1 failed".
func (s styles) totals(t map[string]int) string {
	var parts []string
	for _, o := range []event.Outcome{event.Passed, event.Flaky, event.Failed, event.Undecided, event.Broken, event.Canceled, event.Skipped} {
		n := t[string(o)]
		if n == 0 {
			continue
		}
		word := map[event.Outcome]string{event.Broken: "broken", event.Canceled: "stopped"}[o]
		text := fmt.Sprintf("%d %s", n, cmp.Or(word, string(o)))
		switch o {
		case event.Passed:
			text = s.good(text)
		case event.Flaky, event.Canceled:
			text = s.warn(text)
		case event.Skipped:
			text = s.dim(text)
		default:
			text = s.bad(text)
		}
		parts = append(parts, text)
	}
	return plural(t["trails"], "trail") + ": " + strings.Join(parts, ", ")
}
