package hub

import (
	"context"
	"errors"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// ResumeIn calls a tool from inside a call that is in flight in any workspace: see dispatch.Dispatcher.ResumeIn. The
// lease of that call covers it. Without an id there is no such call, because that of another workspace must not be
// taken for it.
func (w *workspaces) ResumeIn(ctx context.Context, sessionID, invocationID string, c tool.Call) (*tool.Result, error) {
	return w.inside(invocationID, func(d *dispatch.Dispatcher) (*tool.Result, error) {
		return d.ResumeIn(ctx, sessionID, invocationID, c)
	})
}

// DelegateIn makes a call in place of one that is in flight in any workspace: see dispatch.Dispatcher.DelegateIn. The
// lease of that call covers it.
func (w *workspaces) DelegateIn(
	ctx context.Context, sessionID, invocationID string, c tool.Call,
) (*tool.Result, error) {
	return w.inside(invocationID, func(d *dispatch.Dispatcher) (*tool.Result, error) {
		return d.DelegateIn(ctx, sessionID, invocationID, c)
	})
}

// inside finds the dispatcher that knows an invocation.
func (w *workspaces) inside(
	invocationID string, call func(*dispatch.Dispatcher) (*tool.Result, error),
) (*tool.Result, error) {
	for _, d := range w.dispatchers() {
		if invocationID == "" {
			break
		}
		res, err := call(d)
		if _, unknown := errors.AsType[*dispatch.UnknownInvocation](err); !unknown {
			return res, err
		}
	}
	return nil, &fault.Error{Kind: fault.NotFound, Err: &dispatch.UnknownInvocation{ID: invocationID}}
}

// dispatchers are those of the loaded workspaces.
func (w *workspaces) dispatchers() []*dispatch.Dispatcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []*dispatch.Dispatcher
	for _, ws := range w.byRoot {
		select {
		case <-ws.ready:
			if ws.err == nil {
				out = append(out, ws.dispatcher)
			}
		default:
		}
	}
	return out
}
