package shell

import (
	"errors"
	"fmt"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
)

// Code is a process exit status.
type Code int

// The exit statuses. Scripts depend on them: never renumber.
const (
	ExitOK     Code = 0 // everything passed, or was skipped
	ExitFailed Code = 1 // the app is not as a trail says
	ExitBroken Code = 2 // we could not find out: no browser, a busy device, a deadline, a stop, our own fault
	ExitMisuse Code = 3 // the command line or a file is wrong
	ExitHealed Code = 4 // all passed, but some steps only because they were healed: the trail file is out of date
)

// ExitHelp is the end of every help text.
const ExitHelp = `Exit status:
  0  everything passed or was skipped
  1  a trail failed: the app is not as it says
  2  it could not be found out (no browser, a busy device, deadline, stop, internal error)
  3  the command line or a file is wrong
  4  everything passed, but steps had to be healed (run --heal): review the repair
The worst of a batch counts: 2, then 3, then 1, then 4.`

// rank orders statuses from good to bad: an unknown result hides more than a wrong file, and that more than a failure.
var rank = map[Code]int{ExitOK: 0, ExitHealed: 1, ExitFailed: 2, ExitMisuse: 3, ExitBroken: 4}

// Worst returns the status that a batch with both ends with.
func Worst(a, b Code) Code {
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// codeOfKind maps a class of fault to its status.
func codeOfKind(k fault.Kind) Code {
	switch k {
	case "":
		return ExitOK
	case fault.Assertion, fault.NotActed:
		return ExitFailed
	case fault.Invalid, fault.NotFound, fault.Unsupported, fault.Conflict, fault.Denied:
		return ExitMisuse // outside a trail, what is not found was named on the command line
	case fault.Timeout, fault.Canceled, fault.Unavailable, fault.Busy, fault.Degraded, fault.Internal:
		return ExitBroken
	}
	return ExitBroken
}

// CodeOfOutcome maps how a trail ended to its status. A broken one keeps the status of its cause.
func CodeOfOutcome(o event.Outcome, f *fault.Failure) Code {
	switch o {
	case event.Passed, event.Skipped, event.Flaky:
		return ExitOK
	case event.Healed:
		return ExitHealed
	case event.Failed:
		return ExitFailed
	case event.Broken:
		if f != nil && codeOfKind(f.Kind) == ExitMisuse && f.Kind != fault.NotFound {
			return ExitMisuse
		}
		return ExitBroken
	case event.Canceled, event.Undecided:
		return ExitBroken
	}
	return ExitBroken
}

// exitError ends a command with a status after it has said all there is to say.
type exitError struct{ code Code }

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// Exit is the error that ends a command with c, nil for success.
func Exit(c Code) error {
	if c == ExitOK {
		return nil
	}
	return exitError{c}
}

// CodeOf is the one place that turns an error into an exit status.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[exitError](err); ok {
		return e.code
	}
	return codeOfKind(fault.KindOf(err))
}

// CodeOfReply returns the exit status of a reply. A thing that a tool does not find on a device is missing on the
// screen; elsewhere, and in a call that was never carried out, the caller named one that does not exist.
func CodeOfReply(r *api.Reply) Code {
	switch {
	case r.Fault == nil && (r.Result == nil || !r.Result.IsError):
		return ExitOK
	case r.Fault == nil:
		return ExitFailed
	case r.Result != nil && r.Device != "" && r.Fault.Kind == fault.NotFound:
		return ExitFailed
	}
	return codeOfKind(r.Fault.Kind)
}
