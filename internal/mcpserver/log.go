package mcpserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	loggedArgs   = 4 << 10
	loggedResult = 300
)

// logCall adds to the session's log which client made a call and over which transport. The log
// masks the event.
func (cs *clientServer) logCall(
	req *mcp.CallToolRequest, client *clients.Client, call tool.Call, r *calls.Reply, err error, started time.Time,
) {
	live, ok := cs.s.o.Hub.RunningSession(client)
	if !ok || r == nil || r.Session != live.ID {
		return // the call used no device
	}
	e := &event.AgentTool{
		Call: r.CallID, ToolName: call.Name, Args: call.Args, Duration: time.Since(started),
		Transport: string(transportOf(req)),
		Session:   tail(req.Session.ID()), ClientID: short(client.ID()), Client: clientOf(req, client), Job: r.Job,
	}
	if len(e.Args) > loggedArgs || !json.Valid(e.Args) {
		e.Args = nil
	}
	switch {
	case err != nil:
		e.Result, e.IsError = err.Error(), true
	case r.Result != nil:
		e.Result, e.IsError = r.Result.Text(), r.Result.IsError
	}
	e.Result = head(e.Result, loggedResult)
	if _, err := live.Log.Append(event.Event{Type: event.McpAgentTool, AgentTool: e}); err != nil {
		cs.s.o.Log.Debug("call not logged", "tool", call.Name, "error", err)
	}
}

func transportOf(req *mcp.CallToolRequest) toolset.AgentToolTransport {
	if req.Extra != nil && req.Extra.Header != nil {
		return toolset.OverHTTP
	}
	return toolset.OverStdio
}

func clientOf(req *mcp.CallToolRequest, client *clients.Client) string {
	if c := req.ClientInfo(); c != nil && c.Name != "" {
		return c.Name
	}
	return client.State().Name
}

// short is the beginning of a client id: enough to tell clients apart, too little to act as one.
func short(id string) string { return id[:min(len(id), 11)] }

// tail is the end of a session id, whose beginning is the client id: enough to tell the sessions of
// one client apart.
func tail(id string) string { return id[max(0, len(id)-6):] }

// head is the beginning of a text.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// warnOnly passes on warnings and errors only: the SDK logs every request, and without sessions
// that is several lines for each.
type warnOnly struct{ slog.Handler }

var _ slog.Handler = warnOnly{}

// Enabled implements slog.Handler.
func (q warnOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (q warnOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnOnly{q.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (q warnOnly) WithGroup(name string) slog.Handler { return warnOnly{q.Handler.WithGroup(name)} }
