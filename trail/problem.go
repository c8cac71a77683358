package trail

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Mode is the way in which Parse treats unknown keys.
type Mode int

// The modes. A file to check or play wants every slip reported; editing continues where the meaning is still clear,
// so that a file with a slip can be mended.
const (
	Strict  Mode = iota // unknown keys are errors
	Lenient             // unknown keys are warnings
)

// Severity distinguishes errors from warnings and notes.
type Severity string

// The severities. A file with a SeverityError is not runnable; a note only reports a decision ("read as v2 draft").
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// Problem is one mistake in a file, with the facts that a person needs to mend it.
type Problem struct {
	Path     string   `json:"path"`
	Pos      Pos      `json:"pos"`
	Severity Severity `json:"severity"`
	Key      string   `json:"key,omitempty"` // where in the document: trail[2].recording.web
	Message  string   `json:"message"`
	Excerpt  string   `json:"excerpt,omitempty"` // the source line and a caret under the place
	Hint     string   `json:"hint,omitempty"`
}

// String prints "path:line:col: error: message" with the excerpt and the hint on lines of their own, without a place
// where there is none.
func (p Problem) String() string {
	var b strings.Builder
	if p.Path != "" {
		fmt.Fprintf(&b, "%s:%d:%d: ", p.Path, p.Pos.Line, p.Pos.Col)
	}
	fmt.Fprintf(&b, "%s: %s", p.Severity, p.Message)
	if p.Excerpt != "" {
		b.WriteString("\n" + p.Excerpt)
	}
	if p.Hint != "" {
		b.WriteString("\n  hint: " + p.Hint)
	}
	return b.String()
}

// Problems are all that is wrong with a file, in file order.
type Problems []Problem

// Errors returns those that make the file unusable.
func (ps Problems) Errors() Problems { return ps.of(SeverityError) }

// Warnings returns those that do not.
func (ps Problems) Warnings() Problems { return ps.of(SeverityWarning) }

// Notes returns the remarks that ask nothing of the reader.
func (ps Problems) Notes() Problems { return ps.of(SeverityNote) }

func (ps Problems) of(s Severity) Problems {
	var out Problems
	for _, p := range ps {
		if p.Severity == s {
			out = append(out, p)
		}
	}
	return out
}

// Err returns the errors as one fault of kind Invalid, or nil when there are none.
func (ps Problems) Err() error {
	errs := ps.Errors()
	if len(errs) == 0 {
		return nil
	}
	lines := make([]string, len(errs))
	for i, p := range errs {
		lines[i] = p.String()
	}
	return &fault.Error{Kind: fault.Invalid, Op: "parse trail", Err: errors.New(strings.Join(lines, "\n"))}
}
