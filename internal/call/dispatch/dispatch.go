// Package dispatch is the one way to call a tool. Every caller (agent, MCP client, script, RPC, CLI, replay) goes
// through Dispatcher.Call; deadlines, depth, platform gates, token expansion, validation, redaction, events and
// recording are steps of that one call, so no path can forget them.
//
// A Dispatcher is safe for concurrent use. An Invocation exists exactly as long as its call runs.
//
// What a call gives back: a *tool.Result, with IsError when the tool failed; or a *fault.Error when the call could
// not be carried out (unknown tool, wrong arguments, wrong platform, too deep, deadline, cancelled, device gone).
//
//	d := dispatch.New(dispatch.Options{Registry: reg})
//	defer d.Close(context.WithoutCancel(ctx))
//	res, err := d.Call(ctx, s, dispatch.CLI, tool.Call{Name: name, Args: args})
package dispatch

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Caller is the kind of a caller.
type Caller string

// The callers.
const (
	CLI    Caller = "cli"
	Replay Caller = "replay"
	MCP    Caller = "mcp"
	Agent  Caller = "agent"
	Script Caller = "script"
	API    Caller = "api"
	Nested Caller = "tool"
	Person Caller = "person" // acts by hand, and the call says what they did
)

// Role is the role of a call for its parent. Top and Delegate calls are recorded when their spec is recordable.
type Role string

// The roles.
const (
	Top      Role = "top"
	Delegate Role = "delegate"
	Inner    Role = "nested"
)

// Invocation is one call in flight. It is immutable; the dispatcher and middleware that change the call pass a copy on.
type Invocation struct {
	ID       string // cannot be guessed: whoever holds it may act in its session
	Session  *session.Session
	Caller   Caller
	Parent   *Invocation // nil for Top
	Role     Role
	Call     tool.Call // as executed: tokens expanded
	Authored tool.Call // as written
	Args     tool.Args // those of Call, decoded; from validation on. Nobody changes them
	Tool     tool.Tool // nil when there is none of that name
	Warnings []string  // of token expansion
	Started  time.Time

	depth int
	frame *frame
}

// Spec is the spec of the tool being called, nil when there is none of that name.
func (inv *Invocation) Spec() *tool.Spec {
	if inv.Tool == nil {
		return nil
	}
	return inv.Tool.Spec()
}

// Handler carries out an invocation.
type Handler func(ctx context.Context, inv *Invocation) (*tool.Result, error)

// Middleware wraps a handler.
type Middleware func(next Handler) Handler

// Counter takes note of a call that is over.
type Counter func(ctx context.Context, inv *Invocation, res *tool.Result, err error, took time.Duration)

// The default bounds of a Dispatcher.
const (
	DefaultTimeout  = 30 * time.Second
	DefaultMaxDepth = 16
	// DefaultMaxCalls is there because depth alone bounds nothing: a tool that delegates to itself twice doubles its
	// calls at every level.
	DefaultMaxCalls = 10_000
	// grace is the time for a cancelled tool to describe the end itself; its own words are better than ours.
	grace = 50 * time.Millisecond
)

// Options shape a Dispatcher.
type Options struct {
	Registry *tool.Registry
	// Middleware sees every call after its tokens are expanded and its arguments are found valid, outermost first.
	// Delegates and nested calls pass through it on their own; a parent's handler returns after theirs.
	Middleware []Middleware
	// Counter is called after every call that the middleware saw, with how long it took; may be nil.
	Counter  Counter
	Timeout  time.Duration // of a call whose tool does not say; 0: DefaultTimeout
	MaxDepth int           // of nested and delegated calls; 0: DefaultMaxDepth
	MaxCalls int           // that one call from outside may set off in all; 0: DefaultMaxCalls
}

// Dispatcher calls tools. Close it to wait for tools that outlived their calls.
type Dispatcher struct {
	registry atomic.Pointer[tool.Registry]
	schemas  sync.Map // *tool.Spec -> *argument.Checker, compiled once
	handler  Handler  // the middleware and the tool
	counter  Counter
	timeout  time.Duration
	maxDepth int
	maxCalls int64

	mu      sync.Mutex
	live    map[string]*Invocation
	working map[string]int // tools by name that have not returned
	closed  bool
	running sync.WaitGroup // tools, abandoned ones too
	quit    context.Context
	stop    context.CancelCauseFunc
}

// New makes a Dispatcher.
func New(o Options) *Dispatcher {
	d := &Dispatcher{timeout: o.Timeout, maxDepth: o.MaxDepth, live: map[string]*Invocation{}, working: map[string]int{}}
	if d.timeout <= 0 {
		d.timeout = DefaultTimeout
	}
	if d.maxDepth <= 0 {
		d.maxDepth = DefaultMaxDepth
	}
	if d.maxCalls = int64(o.MaxCalls); d.maxCalls <= 0 {
		d.maxCalls = DefaultMaxCalls
	}
	d.registry.Store(o.Registry)
	d.quit, d.stop = context.WithCancelCause(context.Background())
	d.handler, d.counter = d.carryOut, o.Counter
	for _, v := range slices.Backward(o.Middleware) {
		d.handler = v(d.handler)
	}
	return d
}

// Registry is the set of tools that calls find now.
func (d *Dispatcher) Registry() *tool.Registry { return d.registry.Load() }

// SetRegistry replaces the set of tools, for reloads. Running calls keep their tool.
func (d *Dispatcher) SetRegistry(r *tool.Registry) {
	d.registry.Store(r)
	d.schemas.Clear()
}

// Call calls a tool in a session and returns when it and everything it delegated is done.
func (d *Dispatcher) Call(ctx context.Context, s *session.Session, from Caller, c tool.Call) (*tool.Result, error) {
	return d.invoke(ctx, &Invocation{Session: s, Caller: from, Role: Top, Authored: c})
}

// Close cancels what runs and waits until every tool has returned, at most until ctx ends.
func (d *Dispatcher) Close(ctx context.Context) error {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.stop(errClosed)
	done := make(chan struct{})
	go func() {
		d.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return d.stuck(ctx.Err())
	}
}
