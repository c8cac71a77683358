package action

import (
	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// NoInput is the input of a tool that takes no arguments of its own.
type NoInput struct{ Note }

// Capability is what the device can do beyond the common, or why it cannot.
func Capability[T any](env tool.Env, what string) (T, error) {
	var zero T
	dev, err := Device(env)
	if err != nil {
		return zero, err
	}
	c, ok := driver.As[T](dev)
	if !ok {
		return zero, fault.New(fault.Unsupported, what, "device %s (%s) cannot do this", dev.Info().ID, dev.Info().Platform)
	}
	return c, nil
}

// NoEffect is the result of an action that by its nature leaves nothing to be seen, and why.
func NoEffect(why, format string, args ...any) *tool.Result {
	r := tool.TextResult(format, args...)
	r.Evidence = &tool.Evidence{None: why}
	return r
}
