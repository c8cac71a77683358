// Package permit lets a caller decide of each action of its calls before anything is sent.
//
// A caller that lets a model act in place of a recorded step puts a Permit into the context of the calls. The
// dispatcher asks it before a tool that acts runs, and a tool asks it when the element of its action is found, however
// deep the call is nested. An error refuses the action, and is what the model is told. What calls without a permit may
// do is the matter of the policy.
//
//	ctx = permit.With(ctx, p)
//	res, err := dispatcher.Call(ctx, session, dispatch.Agent, call) // err is of kind Denied where p refuses
//
// A permit is asked by one action at a time, and safe for concurrent use where its calls are made at once.
package permit

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Permit decides of actions.
type Permit interface {
	// Call is asked before a tool that acts runs.
	Call(s *tool.Spec, args tool.Args) error
	// Act is asked when the element of an action is found; n is nil where the action has none, a is nil where it is the
	// answer to a dialog.
	Act(on *screen.Snapshot, n *screen.Node, a driver.Action) error
}

type key struct{}

// With puts the actions of the calls made with ctx, and of those that they set off, under a permit.
func With(ctx context.Context, g Permit) context.Context { return context.WithValue(ctx, key{}, g) }

// Call asks the permit of a context whether a tool may run; what only looks always may.
func Call(ctx context.Context, s *tool.Spec, args tool.Args) error {
	g, ok := ctx.Value(key{}).(Permit)
	if !ok || s.Kind != tool.Action {
		return nil
	}
	return g.Call(s, args)
}

// Act asks the permit of a context whether an action may be made on an element.
func Act(ctx context.Context, on *screen.Snapshot, n *screen.Node, a driver.Action) error {
	g, ok := ctx.Value(key{}).(Permit)
	if !ok {
		return nil
	}
	return g.Act(on, n, a)
}
