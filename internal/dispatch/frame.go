package dispatch

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// frame is the part of an invocation that changes while it lives; copies of an Invocation share it.
type frame struct {
	ctx      context.Context // ends with the invocation: a lifetime owner
	turn     chan struct{}   // children that act take turns here while this invocation has the session's turn
	acts     atomic.Bool     // it has the turn, so its children must not ask the session for it
	children atomic.Int32
	spent    atomic.Int64  // calls set off, counted in the top frame
	budget   *atomic.Int64 // the top frame's spent
	executed atomic.Pointer[tool.Call]

	mu      sync.Mutex
	holds   int
	release func() // of the turn
}

// begin takes charge of a turn; it is released when every hold is dropped.
func (f *frame) begin(release func()) (drop func()) {
	f.mu.Lock()
	f.release = release
	f.mu.Unlock()
	return f.hold()
}

// hold keeps the turn until drop. The tool's goroutine holds it besides the handler, because it may outlive the call.
func (f *frame) hold() (drop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holds++
	return sync.OnceFunc(func() {
		f.mu.Lock()
		f.holds--
		release := f.release
		last := f.holds == 0
		f.mu.Unlock()
		if last && release != nil {
			release()
		}
	})
}

// inTurn lets one action at a time act on a device; queries and assertions pass. Inside an action its nested actions
// take turns among themselves, since the action itself has the session's turn.
func (d *Dispatcher) inTurn(next Handler) Handler {
	return func(ctx context.Context, inv *Invocation) (*tool.Result, error) {
		if k := inv.Spec().Kind; k == tool.Query || k == tool.Assertion {
			return next(ctx, inv)
		}
		release, err := d.takeTurn(ctx, inv)
		if err != nil {
			return nil, err
		}
		drop := inv.frame.begin(release)
		defer drop()
		inv.frame.acts.Store(true)
		return next(ctx, inv)
	}
}

// takeTurn waits no longer than a call may take: a stuck action must not hold up everybody for ever.
func (d *Dispatcher) takeTurn(ctx context.Context, inv *Invocation) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	holder := inv.Parent
	for holder != nil && !holder.frame.acts.Load() {
		holder = holder.Parent
	}
	if holder == nil {
		return inv.Session.Act(ctx, inv.Authored.Name)
	}
	select {
	case holder.frame.turn <- struct{}{}:
		return func() { <-holder.frame.turn }, nil
	case <-ctx.Done():
		return nil, fault.Wrap(fmt.Errorf("another action of %s still runs: %w", holder.Authored.Name, ctx.Err()), "", "call "+inv.Authored.Name)
	}
}
