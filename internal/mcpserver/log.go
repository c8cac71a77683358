package mcpserver

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	loggedArgs   = 4 << 10
	loggedResult = 300
)

// logCall adds to the live session who made a call, and how it reached us (R215). The session's log masks it.
func (h *host) logCall(req *mcp.CallToolRequest, seat *hub.Seat, call tool.Call, r *hub.Reply, err error, started time.Time) {
	live, ok := h.s.o.Hub.LiveSession(seat)
	if !ok || r == nil || r.Session != live.ID {
		return // it was not about a device
	}
	e := &event.AgentTool{
		Call: r.CallID, ToolName: call.Name, Args: call.Args, Duration: time.Since(started), Transport: string(transportOf(req)),
		Session: tail(req.Session.ID()), Handle: short(seat.Handle()), Client: clientOf(req, seat), Job: r.Job,
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
		h.s.o.Log.Debug("call not logged", "tool", call.Name, "error", err)
	}
}

func transportOf(req *mcp.CallToolRequest) toolset.AgentToolTransport {
	if req.Extra != nil && req.Extra.Header != nil {
		return toolset.OverHTTP
	}
	return toolset.OverStdio
}

func clientOf(req *mcp.CallToolRequest, seat *hub.Seat) string {
	if c := req.ClientInfo(); c != nil && c.Name != "" {
		return c.Name
	}
	return seat.State().Name
}

// short is the beginning of a handle: enough to tell seats apart, too little to take one.
func short(id string) string { return id[:min(len(id), 11)] }

// tail is the end of a session id, which begins with the handle: enough to tell sessions of one seat apart.
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
