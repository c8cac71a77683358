// Package dispatch is the one way to call a tool. Every caller (agent, MCP client, script, RPC, CLI, replay) goes through
// Dispatcher.Call; deadlines, depth, platform gates, token expansion, validation, redaction, events and recording are
// middleware around that one call, so no path can forget them.
//
// A Dispatcher is safe for concurrent use. An Invocation exists exactly as long as its call runs.
package dispatch

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Caller says who called.
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
)

// Role says what a call is to its parent. Top and Delegate calls are recorded when their spec is recordable.
type Role string

// The roles.
const (
	Top      Role = "top"
	Delegate Role = "delegate"
	Inner    Role = "nested"
)

// Invocation is one call in flight. It is immutable; middleware that changes the call passes a copy on.
type Invocation struct {
	ID       string
	Session  *session.Session
	Caller   Caller
	Parent   *Invocation // nil for Top
	Role     Role
	Call     tool.Call // as executed: tokens expanded
	Authored tool.Call // as written
	Tool     tool.Tool
}

// Handler carries out an invocation.
type Handler func(ctx context.Context, inv *Invocation) (*tool.Result, error)

// Middleware wraps a handler.
type Middleware func(next Handler) Handler
