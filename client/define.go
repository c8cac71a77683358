package client

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// ExecutionMode says how the calls of a tool's body reach Trailblaze. The body is the same in each.
type ExecutionMode string

// The modes.
const (
	InProcess ExecutionMode = "in_process" // straight, in the process of Trailblaze: inprocess.Tools
	RPC       ExecutionMode = "rpc"        // over the API, from a tool server in another process: package toolserver
)

// Body is what a tool does. Its arguments are a struct whose fields are the parameters.
type Body[In, Out any] func(ctx context.Context, tb *Client, in In) (Out, error)

// Define makes a tool of a body, to be run in either mode; see tool.Define for what In and Out become.
func Define[In, Out any](s tool.Spec, body Body[In, Out]) tool.Tool {
	return tool.Define(s, func(ctx context.Context, env tool.Env, in In) (Out, error) {
		e, ok := env.(Env)
		if !ok {
			var none Out
			return none, fault.New(fault.Internal, "run "+s.Name, "it has no client").
				WithHint("Register what inprocess.Tools makes of it, or serve it with toolserver.Run.")
		}
		return body(ctx, e.Client(), in)
	})
}

// Env is the world of a tool whose body has a client.
type Env interface {
	tool.Env
	Client() *Client
}
