package dispatch

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// frame is the part of an invocation that changes while it lives; copies of an Invocation share it.
type frame struct {
	ctx      context.Context                    // ends with the invocation: a lifetime owner
	acting   atomic.Pointer[session.ActionLock] // of its children; nil: it is no action, and they ask those above it
	children atomic.Int32
	spent    atomic.Int64  // calls set off, counted in the top frame
	budget   *atomic.Int64 // the top frame's spent
	executed atomic.Pointer[tool.Call]
	secrets  []string        // that its arguments and those of the calls above hold; set before it runs
	kept     json.RawMessage // see keeps

	mu    sync.Mutex
	holds int
	made  []tool.Made // by calls that the tool made while it ran, those that succeeded
}

// note keeps what a call that the tool made left behind, or what the calls in its place did.
func (f *frame) note(c tool.Call, res *tool.Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made = appendMade(f.made, c, res)
}

// appendMade appends a call, or those that were made in its place.
func appendMade(made []tool.Made, c tool.Call, res *tool.Result) []tool.Made {
	if len(res.Made) > 0 {
		return append(slices.Clip(made), res.Made...)
	}
	return append(slices.Clip(made), tool.Made{Call: c, Evidence: res.Evidence})
}

// composed is the result of a tool that is not built in, or that makes the calls in its arguments, together with the
// calls that it made while it ran. Such a tool does not vouch for them: a verdict looks at each.
func (f *frame) composed(s *tool.Spec, res *tool.Result) *tool.Result {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.Origin == "" && s.Calls == nil || len(f.made) == 0 {
		return res
	}
	out := *res
	out.Made = slices.Clone(f.made) // a result that is passed on has brought some of them along
	return &out
}

// keeps notes, when done is called, the changes in memory by a tool that is not built in: a replay needs the call for
// them, whatever its kind. Built-in tools declare them in their Spec. Secrets are left out.
func (f *frame) keeps(inv *Invocation) (done func()) {
	m := inv.Session.Memory
	if inv.Role == Inner || inv.Spec().Origin == "" || m == nil {
		return func() {}
	}
	before := m.Public()
	return func() {
		now := m.Public()
		maps.DeleteFunc(now, func(name string, v any) bool {
			was, had := before[name]
			return had && reflect.DeepEqual(was, v)
		})
		if len(now) > 0 {
			f.kept, _ = json.Marshal(now) // what is no JSON is no value of a later run
		}
	}
}

// hold keeps the action lock until drop. The tool's goroutine holds it besides the handler, because it may outlive
// the call.
func (f *frame) hold() (drop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holds++
	return sync.OnceFunc(func() {
		f.mu.Lock()
		f.holds--
		last := f.holds == 0
		f.mu.Unlock()
		if lock := f.acting.Load(); last && lock != nil {
			lock.Release()
		}
	})
}

// turn lets one action at a time act on a device, until end; queries and assertions pass. Inside an action its nested
// actions wait for each other, since the action itself holds the session's lock; those on another device wait for that
// of the other session.
func (d *Dispatcher) turn(ctx context.Context, inv *Invocation) (end func(), err error) {
	if k := inv.Spec().Kind; k == tool.Query || k == tool.Assertion {
		return func() {}, nil
	}
	// A stuck action must not hold up others forever.
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	within := inv.Parent
	for within != nil && (within.Session != inv.Session || within.frame.acting.Load() == nil) {
		within = within.Parent
	}
	var lock *session.ActionLock
	if within == nil {
		lock, err = inv.Session.Act(ctx, inv.Authored.Name)
	} else if lock, err = within.frame.acting.Load().Acquire(ctx, inv.Authored.Name); err != nil {
		err = fault.Wrap(err, "", "call "+inv.Authored.Name)
	}
	if err != nil {
		return nil, err
	}
	inv.frame.acting.Store(lock)
	return inv.frame.hold(), nil
}
