package event

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// FailureOf turns an error into what reaches disk, wire and report. A nil error gives nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Kind: string(fault.KindOf(err)), Message: err.Error(), Hint: fault.HintOf(err)}
	if d := fault.DetailOf(err); d != nil {
		f.Looked, f.Candidates, f.Log = d.Looked, d.Candidates, d.Log
	}
	return f
}

// OutcomeOf is how something that ended with err ended.
func OutcomeOf(err error) Outcome {
	switch fault.KindOf(err) {
	case "":
		return Passed
	case fault.Assertion, fault.NotFound, fault.NotActed:
		return Failed
	case fault.Canceled:
		return Canceled
	case fault.Degraded:
		return Undecided
	default:
		if errors.Is(err, context.Canceled) {
			return Canceled
		}
		return Broken
	}
}
