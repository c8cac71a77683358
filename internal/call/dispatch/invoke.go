package dispatch

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/redact"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var (
	errClosed = fmt.Errorf("the dispatcher is closing: %w", context.Canceled)
	errOver   = fmt.Errorf("the call is over: %w", context.Canceled)
)

// tooLong is the cause of a call's own deadline.
type tooLong struct{ limit time.Duration }

// Error names the time limit of the call.
func (e tooLong) Error() string { return fmt.Sprintf("it took longer than %v", e.limit) }

// Unwrap makes it the timeout that it is.
func (e tooLong) Unwrap() error { return context.DeadlineExceeded }

type idKey struct{}

// WithID sets the id of the call that is made with ctx, for callers that must be able to name a call before it
// answers. The id must be as hard to guess as crypto/rand.Text, and used once. Calls from inside it get ids of their
// own.
func WithID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, idKey{}, id)
}

// takeID returns the id for an invocation, and the context for the calls that it sets off, which must not get the
// same.
func takeID(ctx context.Context, inv *Invocation) (string, context.Context) {
	id, _ := ctx.Value(idKey{}).(string)
	if id == "" {
		return rand.Text(), ctx
	}
	ctx = context.WithValue(ctx, idKey{}, "")
	if inv.Parent != nil || inv.Role != Top {
		return rand.Text(), ctx
	}
	return id, ctx
}

// invoke makes an invocation of inv (its Session, Caller, Parent, Role and Authored are set), runs it and forgets it.
func (d *Dispatcher) invoke(ctx context.Context, inv *Invocation) (*tool.Result, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(errOver)
	inv.ID, ctx = takeID(ctx, inv)
	if inv.Parent != nil || inv.Caller == Replay {
		ctx = context.WithValue(ctx, nestedKey{}, true)
	}
	inv.Started = time.Now()
	inv.Call = inv.Authored
	inv.frame = &frame{ctx: ctx}
	inv.frame.budget = &inv.frame.spent
	if p := inv.Parent; p != nil {
		inv.depth, inv.frame.budget = p.depth+1, p.frame.budget
	}
	if t, ok := d.Registry().Get(inv.Authored.Name); ok {
		inv.Tool = t
	}
	if err := d.enter(inv); err != nil {
		return nil, err
	}
	defer d.leave(inv)
	defer context.AfterFunc(d.quit, func() { end(errClosed) })()
	return d.logged(ctx, inv)
}

func (d *Dispatcher) enter(inv *Invocation) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return fault.New(fault.Unavailable, "call "+inv.Authored.Name, "%w", errClosed)
	case inv.Session == nil:
		return fault.New(fault.Invalid, "call "+inv.Authored.Name, "there is no session")
	case inv.Session.Closed():
		return fault.New(fault.Conflict, "call "+inv.Authored.Name, "session %s has ended", inv.Session.ID)
	case inv.Parent != nil && d.live[inv.Parent.ID] == nil:
		return unknownInvocation(inv.Parent.ID)
	}
	d.live[inv.ID] = inv
	if p := inv.Parent; p != nil {
		p.frame.children.Add(1)
	}
	return nil
}

func (d *Dispatcher) leave(inv *Invocation) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.live, inv.ID)
	if p := inv.Parent; p != nil {
		p.frame.children.Add(-1)
	}
}

// carryOut runs the tool under its deadline, then what it delegated. Middleware sees nothing that is not masked.
func (d *Dispatcher) carryOut(ctx context.Context, inv *Invocation) (*tool.Result, error) {
	defer inv.frame.keeps(inv)()
	res, err := d.run(ctx, inv)
	if err == nil && !res.IsError {
		res = inv.frame.composed(inv.Spec(), res)
		if len(res.Delegates) > 0 {
			res, err = d.delegate(ctx, inv, res)
		}
	}
	m := inv.Session.Memory
	return redact.Result(m, durable(inv, res)), redact.Error(m, err)
}

// run starts the tool and answers when it returns, or soon after ctx or the deadline ends, whichever is first. A tool
// that ignores its context keeps running alone: it can no longer call other tools, it keeps the action lock until it
// really is over (two actions at once would make each other's effects unprovable), and Close waits for it.
func (d *Dispatcher) run(parent context.Context, inv *Invocation) (*tool.Result, error) {
	limit, run := d.prepare(inv)
	ctx, cancel := context.WithTimeoutCause(parent, limit, tooLong{limit})
	type answer struct {
		res *tool.Result
		err error
	}
	done := make(chan answer, 1)
	finish := inv.frame.hold()
	if err := d.begin(inv.Call.Name); err != nil {
		cancel()
		finish()
		return nil, err
	}
	go func() {
		defer d.end(inv.Call.Name)
		defer cancel()
		defer finish()
		defer func() { // one bad tool must not end all sessions
			if v := recover(); v != nil {
				done <- answer{nil, panicked(inv, v)}
			}
		}()
		res, err := run(ctx, &env{d: d, inv: inv})
		done <- answer{res, err}
	}()
	select {
	case a := <-done:
		return settle(ctx, inv, a.res, a.err)
	case <-ctx.Done():
	}
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case a := <-done:
		return settle(ctx, inv, a.res, a.err)
	case <-t.C:
		return settle(ctx, inv, nil, context.Cause(ctx))
	}
}

func (d *Dispatcher) begin(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return fault.New(fault.Unavailable, "call "+name, "%w", errClosed)
	}
	d.working[name]++
	d.running.Add(1)
	return nil
}

func (d *Dispatcher) end(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.working[name]--; d.working[name] == 0 {
		delete(d.working, name)
	}
	d.running.Done()
}

// carrier is a call of a tool that is ready to run.
type carrier func(ctx context.Context, e tool.Env) (*tool.Result, error)

// prepare returns the time limit of this call, and the call.
func (d *Dispatcher) prepare(inv *Invocation) (limit time.Duration, run carrier) {
	var own time.Duration
	defer func() {
		if v := recover(); v != nil {
			err := panicked(inv, v)
			run = func(context.Context, tool.Env) (*tool.Result, error) { return nil, err }
		}
		s := inv.Spec()
		if dev := inv.Session.Device; s.PhoneTimeout > 0 && dev != nil && dev.Info().Platform != driver.WebPlatform {
			own = cmp.Or(own, s.PhoneTimeout)
		}
		limit = cmp.Or(max(own, 0), max(s.Timeout, 0), d.timeout)
	}()
	if p, ok := inv.Tool.(tool.Preparer); ok {
		own, run = p.Prepare(inv.Call.Args)
		return 0, run
	}
	return 0, func(ctx context.Context, e tool.Env) (*tool.Result, error) {
		return inv.Tool.Run(ctx, e, inv.Call.Args)
	}
}

func panicked(inv *Invocation, v any) error {
	f := fault.New(fault.Internal, "run tool", "it panicked: %v", v).
		WithHint("This is a bug in the tool %s.", inv.Call.Name).
		WithDetail(fault.Detail{Log: stack()})
	f.Tool = inv.Call.Name
	return f
}

func stack() []string {
	lines := strings.Split(strings.ReplaceAll(string(debug.Stack()), "\t", "  "), "\n")
	return lines[:min(len(lines), 40)]
}

// settle brings every answer of a tool into one form: never neither result nor error, errors as faults that name the
// tool.
func settle(ctx context.Context, inv *Invocation, res *tool.Result, err error) (*tool.Result, error) {
	if err == nil {
		if res == nil {
			res = tool.TextResult("Done.")
		}
		if res.IsError && res.Fault == nil {
			c := *res
			c.Fault = res.Err()
			res = &c
		}
		return res, nil
	}
	kind := fault.KindOf(err)
	if ended, cause := ctx.Err(), context.Cause(ctx); ended != nil && (errors.Is(err, ended) || errors.Is(err, cause)) {
		switch kind = fault.KindOf(ended); {
		case err == ended: //nolint:errorlint // exactly this value: it says less than its cause
			err = cause
		case !strings.Contains(err.Error(), cause.Error()):
			err = fmt.Errorf("%w (%w)", err, cause)
		}
	}
	f := &fault.Error{Kind: kind, Tool: inv.Call.Name, Err: err}
	var inner *fault.Error
	if errors.As(err, &inner) && inner.Tool == inv.Call.Name && inner.Kind == kind {
		return res, err
	}
	if f.Kind == fault.Timeout && inv.Session.Device != nil {
		f = outOfTime(f, inv.Session.Device)
	}
	return res, f
}

// outOfTime names the device of a call that took too long, and adds advice.
func outOfTime(f *fault.Error, dev driver.Device) *fault.Error {
	if fault.HintOf(f) == "" {
		f = f.WithHint("Look at the screen again: what kept the device busy may have ended. If it has not, open the page " +
			"or the app anew, or give the call more time.")
	}
	f.Device = dev.Info().ID
	return f
}

// env is the world as a running tool sees it.
type env struct {
	d   *Dispatcher
	inv *Invocation
}

var _ tool.Env = (*env)(nil)

// Device implements tool.Env.
func (e *env) Device() driver.Device { return e.inv.Session.Device }

// Memory implements tool.Env.
func (e *env) Memory() *memory.Store { return e.inv.Session.Memory }

// InvocationID is for tools that hand the call to another process, which calls back with it.
func (e *env) InvocationID() string { return e.inv.ID }

// SessionID goes with InvocationID.
func (e *env) SessionID() string { return e.inv.Session.ID }

// Within reports whether this call was set off by the one with this id, however deep.
func (e *env) Within(invocationID string) bool {
	for inv := e.inv.Parent; inv != nil; inv = inv.Parent {
		if inv.ID == invocationID {
			return true
		}
	}
	return false
}

// Call implements tool.Env.
func (e *env) Call(ctx context.Context, c tool.Call) (*tool.Result, error) {
	return e.d.nested(ctx, e.inv, Nested, c)
}

// CallOn makes a nested call on the device of another actor of the trail.
func (e *env) CallOn(ctx context.Context, actor string, c tool.Call) (*tool.Result, error) {
	on := e.inv.Session.Of(actor)
	if on == nil {
		return nil, fault.New(fault.NotFound, "call "+c.Name, "there is no actor %q here", actor).
			WithHint("Actors are those of config.actors in the trail that is played.")
	}
	return e.d.within(ctx, e.inv, on, Nested, Inner, c)
}

// Delegate makes a call in place of this one, while it runs: it is recorded where this one would be, if this one
// delegates. It is for tools that know their next call only after the last.
func (e *env) Delegate(ctx context.Context, c tool.Call) (*tool.Result, error) {
	role := Inner
	if s := e.inv.Spec(); e.inv.Role != Inner && s != nil && s.Delegating {
		role = Delegate
	}
	return e.d.within(ctx, e.inv, e.inv.Session, Agent, role, c)
}

// Log is the log of the session, for events beside calls.
func (e *env) Log() *event.Log { return e.inv.Session.Log }

// Registry is the tools that calls find.
func (e *env) Registry() *tool.Registry { return e.d.Registry() }

// nested calls a tool from inside a running one, as long as both contexts live.
func (d *Dispatcher) nested(ctx context.Context, parent *Invocation, from Caller, c tool.Call) (*tool.Result, error) {
	return d.within(ctx, parent, parent.Session, from, Inner, c)
}

func (d *Dispatcher) within(
	ctx context.Context, parent *Invocation, on *session.Session, from Caller, role Role, c tool.Call,
) (*tool.Result, error) {
	ctx, cancel := context.WithCancelCause(tool.WithViewer(ctx, nil)) // what a tool sees is not what its caller is shown
	defer cancel(errOver)
	defer context.AfterFunc(parent.frame.ctx, func() { cancel(context.Cause(parent.frame.ctx)) })()
	res, err := d.invoke(ctx, &Invocation{Session: on, Caller: from, Parent: parent, Role: role, Authored: c})
	if err == nil && !res.IsError {
		parent.frame.note(c, res)
	}
	if res != nil {
		own := *res
		// A tool that passes this result on is recorded as itself, and does not make the delegates again.
		own.Record, own.Delegates = nil, nil
		res = &own
	}
	return res, err
}

// step returns the step that the call is a part of, also where a call above it is on another device.
func (inv *Invocation) step() int {
	for inv.Parent != nil {
		inv = inv.Parent
	}
	return inv.Session.Step()
}

// path names the calls from the top one down to inv.
func (inv *Invocation) path() []string {
	var out []string
	for i := inv; i != nil; i = i.Parent {
		out = append(out, i.Authored.Name)
	}
	slices.Reverse(out)
	return out
}
