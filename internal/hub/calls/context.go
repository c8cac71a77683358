package calls

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
)

type callKey struct{}

// From is the call that a context belongs to, nil outside one.
func From(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// ClientFrom is the client that calls a tool.
func ClientFrom(ctx context.Context) (*clients.Client, bool) {
	c := From(ctx)
	if c == nil {
		return nil, false
	}
	return c.client, true
}
