package cli

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// dial finds the daemon, or starts it.
func (a *app) dial(context.Context) (caller, error) {
	if a.daemon != nil {
		return a.daemon, nil
	}
	return nil, fault.New(fault.Unavailable, "call daemon", "there is none yet")
}
