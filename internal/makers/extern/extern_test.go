package extern_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// R44, R157, R91: a tool in another process calls a built-in tool of the session that it was called from; that call is
// an event nested in its own, on the same device.
func TestCallback(t *testing.T) {
	r := start(t, acme(""))
	out := r.must("acme_back", `{"tool":"web_click","args":{"ref":"e1"}}`)
	got, _ := out["got"].(map[string]any)
	if got["success"] != true || got["type"] != "call_tool_result" {
		t.Fatalf("callback: %v", got)
	}
	if st, ok := r.sources[0].(source.Started); !ok || !strings.HasPrefix(st.Started(), "started MCP server acme (pid ") {
		t.Error("R249, R250: it does not say what it started")
	}
	calls := r.calls()
	if len(calls) != 2 || calls[0].Name != "web_click" || calls[0].Parent != calls[1].ID || calls[0].Caller != "script" {
		t.Errorf("events: %+v", calls)
	}
	if res, err := r.call("acme_back", `{"tool":"web_click","args":{"ref":"e1"}}`); err != nil || len(res.Made) != 1 || res.Made[0].Evidence == nil {
		t.Errorf("the click is not there for the verdict: %+v %v", res, err)
	}
}
