package mcp

import (
	"strings"
	"testing"
)

// TestUpgradeAtWork: the program is replaced and a shell uses it while a client is connected to the old build's
// daemon. That one makes way, the client's next call is served by the new one, in the same session at the same page.
func TestUpgradeAtWork(t *testing.T) {
	h := newHouse(t)
	c := h.connect()
	before := c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	h.install(upgraded)
	if got := h.version(); got != "" {
		t.Errorf("the new build is served by %s", got)
	}
	if s := h.command(t.Context(), "daemon", "start"); s.code != 0 {
		t.Fatalf("%s%s", s.out, s.err)
	}
	if pids := h.daemons(); len(pids) != 1 {
		t.Errorf("daemons %v, want the new one alone", pids)
	}
	r := c.call("web_snapshot", nil)
	if !strings.Contains(r.text, "Tool ground") || r.device != before.device {
		t.Errorf("on %s: %s", r.device, r.text)
	}
	if got := h.version(); got != "v2.0.0" {
		t.Errorf("the daemon is %s, want the new build", got)
	}
	if n := h.callsOf("web_navigate"); n != 1 {
		t.Errorf("%d calls of web_navigate on disk, want 1", n)
	}
}
