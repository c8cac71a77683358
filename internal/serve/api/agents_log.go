package api

import (
	"cmp"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const (
	loggedArgs   = 4 << 10
	loggedResult = 300
)

// log adds to the session's log which client made a call and over which transport. The log masks the event.
func (c *agentCall) log(call tool.Call, r *calls.Reply, err error) {
	live, ok := c.o.Hub.RunningSession(c.client)
	if !ok || r == nil || r.Session != live.ID {
		return // the call used no device
	}
	e := &event.AgentTool{
		Call: r.CallID, ToolName: call.Name, Args: call.Args, Duration: time.Since(c.started),
		Transport: c.r.Transport, Session: tail(c.r.Connection), ClientID: short(c.client.ID()),
		Client: cmp.Or(c.r.Program, c.client.State().Name), Job: r.Job,
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
		c.o.Log.Debug("call not logged", "tool", call.Name, "error", err)
	}
}

// short returns the beginning of a client id: enough to distinguish clients, too little to act as one.
func short(id string) string { return id[:min(len(id), 11)] }

// tail returns the end of a session id, whose beginning is the client id: enough to distinguish the sessions of one
// client.
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
