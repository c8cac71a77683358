package cli

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// again does something now and whenever the screen has changed, until Ctrl-C.
func (c *driveCmd) again(ctx context.Context, once func(context.Context) error) error {
	return fault.New(fault.Unsupported, "watch screen", "not yet")
}
