package mcpserver

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/hubtest"
)

// R215: every call of an MCP client is in the session's log with who made it and by which way, secrets masked.
func TestR215CallsAreLogged(t *testing.T) {
	r := newRig(t, hubtest.Options{})
	hubClient := r.Client("mcp", "")
	for want, c := range map[string]*client{
		"MCP_OVER_HTTP":  r.connect(legacy, mcp.ClientOptions{}),
		"MCP_OVER_STDIO": r.attach(hubClient, legacy, mcp.ClientOptions{}),
	} {
		c.must("demo_echo", `{"text":"open"}`)
		by := hubClient
		if want == "MCP_OVER_HTTP" {
			by = mustClient(t, r, c)
		}
		live, ok := r.RunningSession(by)
		if !ok {
			t.Fatal("no live session")
		}
		live.Memory.SetSecret("password", "hunter2")
		res := c.try("web_type", `{"ref":"e1","text":"hunter2","intent":"Log in"}`)
		events, err := live.Log.Events()
		if err != nil {
			t.Fatal(err)
		}
		var last *event.AgentTool
		for _, e := range events {
			if e.Type == event.McpAgentTool {
				last = e.AgentTool
			}
		}
		if last == nil {
			t.Fatalf("%s: nothing logged", want)
		}
		if last.ToolName != "web_type" || last.Transport != want || last.Client != "tester" || last.Duration <= 0 || last.IsError != res.IsError ||
			last.Call != metaOf(t, res.Meta)["callId"] || !strings.HasPrefix(by.ID(), last.ClientID) || last.ClientID == by.ID() {
			t.Errorf("%s: %+v", want, last)
		}
		if strings.Contains(string(last.Args), "hunter2") || !strings.Contains(string(last.Args), "e1") || strings.Contains(last.Result, "hunter2") {
			t.Errorf("%s: args %s, result %s", want, last.Args, last.Result)
		}
	}
}
