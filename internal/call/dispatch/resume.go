package dispatch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// UnknownInvocation is the cause of a callback with an id that is not live. Its text and code are part of the wire.
type UnknownInvocation struct{ ID string }

// Error is the exact text the callback protocol promises.
func (e *UnknownInvocation) Error() string {
	return fmt.Sprintf("Unknown invocation ID: %s. The tool call may have completed or timed out.", e.ID)
}

// Code is the JSON-RPC code the callback protocol promises: invalid params.
func (e *UnknownInvocation) Code() int { return -32602 }

// OtherSession is the cause of a callback that means another session than that of its invocation.
type OtherSession struct{ Invocation, Session string }

// Error names the two that do not go together.
func (e *OtherSession) Error() string {
	return fmt.Sprintf("invocation %s does not belong to session %s", e.Invocation, e.Session)
}

// Code is the JSON-RPC code of it: invalid params.
func (e *OtherSession) Code() int { return -32602 }

type nestedKey struct{}

// IsNested reports whether ctx is that of a call by a tool or a trail, and not by a client. Such a call sees no more
// of a daemon than its own workspace.
func IsNested(ctx context.Context) bool { return ctx.Value(nestedKey{}) != nil }

func unknownInvocation(id string) error {
	return &fault.Error{Kind: fault.NotFound, Err: &UnknownInvocation{ID: id}}
}

// Resume calls a tool from inside the running call with this id, for tools in other processes. The call belongs to the
// session and device of that invocation, whichever client sent it, and ends with it at the latest.
//
// An empty id means the only call in flight; when there are several it is an error that says so.
func (d *Dispatcher) Resume(ctx context.Context, invocationID string, c tool.Call) (*tool.Result, error) {
	return d.ResumeIn(ctx, "", invocationID, c)
}

// ResumeIn is Resume for clients that also say which session they mean; another session's call is refused, and nothing
// is dispatched. The id id@bob means the call id, on the device of the actor bob.
func (d *Dispatcher) ResumeIn(ctx context.Context, sessionID, invocationID string, c tool.Call) (*tool.Result, error) {
	id, actor, several := strings.Cut(invocationID, "@")
	return d.inside(ctx, sessionID, id, c.Name, func(own context.Context, inv *Invocation) (*tool.Result, error) {
		if !several {
			return d.nested(own, inv, Script, c)
		}
		return (&env{d, inv}).CallOn(own, actor, c)
	})
}

// DelegateIn is ResumeIn for an agent that works behind a wire: the call is made in place of the one with this id, and
// recorded where that one would be, as by Env's Delegate.
func (d *Dispatcher) DelegateIn(
	ctx context.Context, sessionID, invocationID string, c tool.Call,
) (*tool.Result, error) {
	return d.inside(ctx, sessionID, invocationID, c.Name,
		func(own context.Context, inv *Invocation) (*tool.Result, error) {
			return (&env{d, inv}).Delegate(own, c)
		})
}

// inside makes a call from inside the running call with this id.
func (d *Dispatcher) inside(
	ctx context.Context, sessionID, invocationID, name string,
	call func(own context.Context, inv *Invocation) (*tool.Result, error),
) (*tool.Result, error) {
	inv, err := d.find(sessionID, invocationID)
	if err != nil {
		return nil, err
	}
	if sessionID != "" && sessionID != inv.Session.ID {
		return nil, &fault.Error{Kind: fault.Denied, Op: "call " + name, Err: &OtherSession{invocationID, sessionID}}
	}
	// Values of the context, such as the client, are those of the call; only the end is also that of the callback.
	own, cancel := context.WithCancelCause(inv.frame.ctx)
	defer cancel(errOver)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
	return call(own, inv)
}

func (d *Dispatcher) find(sessionID, id string) (*Invocation, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id != "" {
		inv := d.live[id]
		if inv == nil {
			return nil, unknownInvocation(id)
		}
		return inv, nil
	}
	var found []*Invocation
	for _, inv := range d.live {
		if inv.frame.children.Load() == 0 && (sessionID == "" || inv.Session.ID == sessionID) {
			found = append(found, inv)
		}
	}
	switch len(found) {
	case 0:
		return nil, unknownInvocation(id)
	case 1:
		return found[0], nil
	}
	return nil, fault.New(fault.Invalid, "resume call", "%d calls are in flight, so the invocation id is needed",
		len(found)).
		WithHint("Send back the trailblazeInvocationId that came in the call's _meta.")
}

// Live lists the calls in flight, oldest first, for status displays.
func (d *Dispatcher) Live() []*Invocation {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*Invocation, 0, len(d.live))
	for _, inv := range d.live {
		out = append(out, inv)
	}
	slices.SortFunc(out, func(a, b *Invocation) int { return cmp.Or(a.Started.Compare(b.Started), a.depth-b.depth) })
	return out
}

// stuck lists the tools that did not return when the dispatcher closed.
func (d *Dispatcher) stuck(cause error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for name := range d.working {
		names = append(names, name)
	}
	slices.Sort(names)
	return fault.Wrap(fmt.Errorf("still running: %s: %w", strings.Join(names, ", "), cause), fault.Timeout,
		"close dispatcher")
}
