// Package fault is the one error type that crosses package borders. An error names its kind (Kind), the operation
// (Op), the tool and the device, and the user's next move (Hint).
//
// Every caller uses it; the places that map it outward (exit codes in cli, isError in the transports) switch on Kind
// and nothing else. Values are immutable after construction, so they are safe to share between goroutines.
//
//	return fault.New(fault.NotFound, "resolve ref", "no element %s", ref).WithHint("take a new snapshot")
package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Kind is the class of a failure. The values reach disk and wire, so they are strings and never renumbered.
type Kind string

// The kinds, and the exit code each stands for in brackets.
const (
	Invalid     Kind = "invalid"      // the caller's input is wrong [3]
	NotFound    Kind = "not_found"    // a named thing does not exist; in a trail step: the element is not there [1]
	Assertion   Kind = "assertion"    // the app is not as the trail says [1]
	NotActed    Kind = "not_acted"    // an action could not be carried out on its element, or had no effect [1]
	Timeout     Kind = "timeout"      // a deadline passed [2]
	Canceled    Kind = "canceled"     // somebody asked us to stop [2]
	Unavailable Kind = "unavailable"  // browser, device or server is not there or went away [2]
	Unsupported Kind = "unsupported"  // this platform or device cannot do it [3]
	Conflict    Kind = "conflict"     // a name is taken, or means more than one thing [3]
	Busy        Kind = "busy"         // somebody else holds it now; later it may be free [2]
	Denied      Kind = "denied"       // policy or file confinement forbids it [3]
	Degraded    Kind = "inconclusive" // the evidence is too poor to say pass or fail [2]
	Internal    Kind = "internal"     // our own fault [2]
)

// Error is the error of this house. Zero fields are simply not printed.
type Error struct {
	Kind   Kind
	Op     string // verb noun, lower case: "click element"
	Tool   string
	Device string
	Hint   string // what the user can do next, a whole sentence
	Next   []Action
	Err    error // the cause
	Detail *Detail
}

// New makes an Error whose cause is the formatted message (%w works).
func New(kind Kind, op, format string, args ...any) *Error {
	return &Error{Kind: kind, Op: op, Err: fmt.Errorf(format, args...)}
}

// Wrap gives err an operation and a kind. For a nil err it returns nil. An empty kind keeps the kind err already has;
// context errors always keep theirs.
func Wrap(err error, kind Kind, op string) error {
	if err == nil {
		return nil
	}
	if inner := KindOf(err); kind == "" || inner == Canceled || inner == Timeout {
		kind = inner
	}
	return &Error{Kind: kind, Op: op, Err: err}
}

// WithHint returns a copy with advice for the user. An Action among args is also kept as data, so that each door
// can word it.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint, c.Next = fmt.Sprintf(format, args...), nil
	for _, arg := range args {
		if a, ok := arg.(Action); ok {
			c.Next = append(c.Next, a)
		}
	}
	return &c
}

// Error prints "op: cause" without the hint; callers that talk to people print Hint on a line of its own.
func (e *Error) Error() string {
	text := string(e.Kind)
	if e.Err != nil {
		text = e.Err.Error()
	}
	for _, before := range []string{e.Op, e.Tool} {
		if before != "" && !strings.HasPrefix(text, before+": ") { // the cause may be of the same operation
			text = before + ": " + text
		}
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf finds the outermost kind in err's chain. A bare context error is Canceled or Timeout; anything else is
// Internal.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Kind != "":
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return Internal
}

// HintOf returns the outermost hint in err's chain, or "".
func HintOf(err error) string {
	if e := hinted(err); e != nil {
		return e.Hint
	}
	return ""
}

// Text is an error with its hint, as a model reads it.
func Text(err error) string {
	if hint := HintOf(err); hint != "" {
		return err.Error() + ". " + hint
	}
	return err.Error()
}

// hinted returns the outermost error in err's chain that has a hint, or nil.
func hinted(err error) *Error {
	for err != nil {
		var e *Error
		if !errors.As(err, &e) || e.Hint != "" {
			return e
		}
		err = e.Err
	}
	return nil
}

// Detail describes the search behind a failure: the description searched for, the nearest candidates each with its
// difference, the changes of the screen since the last green run, and the attempts in order. Blocked says of an element
// that was found why nothing was sent to it: "hidden", "disabled", "covered", or the ref of what lies over it.
type Detail struct {
	Looked     string
	Blocked    string
	Candidates []string
	SinceGreen []string
	Log        []string
}

// WithDetail returns a copy that carries the search behind the failure.
func (e *Error) WithDetail(d Detail) *Error {
	c := *e
	c.Detail = &d
	return &c
}

// DetailOf returns the outermost detail in err's chain, or nil.
func DetailOf(err error) *Detail {
	for err != nil {
		var e *Error
		if !errors.As(err, &e) {
			return nil
		}
		if e.Detail != nil {
			return e.Detail
		}
		err = e.Err
	}
	return nil
}
