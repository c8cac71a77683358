package cli

import (
	"encoding/json"
	"fmt"

	"charm.land/lipgloss/v2"
)

// printf writes to standard output. A reader that went away is no error of ours.
func (a *app) printf(format string, args ...any) { _, _ = fmt.Fprintf(a.Out, format, args...) }

// errorf writes to standard error.
func (a *app) errorf(format string, args ...any) { _, _ = fmt.Fprintf(a.Err, format, args...) }

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
