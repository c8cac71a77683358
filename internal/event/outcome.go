package event

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/fault"
)

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
