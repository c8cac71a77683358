package cli

import (
	"errors"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// code is a process exit status.
type code int

// The exit statuses. Scripts depend on them: never renumber.
const (
	exitOK     code = 0 // everything passed, or was skipped
	exitFailed code = 1 // the app is not as a trail says
	exitBroken code = 2 // we could not find out: no browser, a busy device, a deadline, a stop, our own fault
	exitMisuse code = 3 // the command line or a file is wrong
)

// exitHelp stands at the end of every help text.
const exitHelp = `Exit status:
  0  everything passed or was skipped
  1  a trail failed: the app is not as it says
  2  it could not be found out (no browser, a busy device, deadline, stop, internal error)
  3  the command line or a file is wrong
The worst of a batch counts: 2, then 3, then 1.`

// rank orders statuses from good to bad: an unknown result hides more than a wrong file, and that more than a failure.
var rank = map[code]int{exitOK: 0, exitFailed: 1, exitMisuse: 2, exitBroken: 3}

// worst returns the status that a batch with both ends with.
func worst(a, b code) code {
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// codeOfKind maps a class of fault to its status.
func codeOfKind(k fault.Kind) code {
	switch k {
	case "":
		return exitOK
	case fault.Assertion, fault.NotActed:
		return exitFailed
	case fault.Invalid, fault.NotFound, fault.Unsupported, fault.Conflict, fault.Denied:
		return exitMisuse // outside a trail, what is not found was named on the command line
	case fault.Timeout, fault.Canceled, fault.Unavailable, fault.Busy, fault.Degraded, fault.Internal:
		return exitBroken
	}
	return exitBroken
}

// codeOfOutcome maps how a trail ended to its status. A broken one keeps the status of its cause.
func codeOfOutcome(o event.Outcome, f *event.Failure) code {
	switch o {
	case event.Passed, event.Skipped, event.Flaky:
		return exitOK
	case event.Failed:
		return exitFailed
	case event.Broken:
		if f != nil && codeOfKind(fault.Kind(f.Kind)) == exitMisuse && fault.Kind(f.Kind) != fault.NotFound {
			return exitMisuse
		}
		return exitBroken
	case event.Canceled, event.Undecided:
		return exitBroken
	}
	return exitBroken
}

// exitError ends a command with a status after it has said all there is to say.
type exitError struct{ code code }

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// exit is the error that ends a command with c, nil for success.
func exit(c code) error {
	if c == exitOK {
		return nil
	}
	return exitError{c}
}

// codeOf is the one place that turns an error into an exit status.
func codeOf(err error) code {
	if e, ok := errors.AsType[exitError](err); ok {
		return e.code
	}
	return codeOfKind(fault.KindOf(err))
}
