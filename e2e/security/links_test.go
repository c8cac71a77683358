//go:build unix

package security

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestLinksAmongSessions: a link in the folder of sessions, in place of a session, its log or a blob, is not followed
// by any resource, list or route.
func TestLinksAmongSessions(t *testing.T) {
	h := newHouse(t)
	h.Start()
	h.must("web_navigate", map[string]any{"url": served(t, "<h1>x</h1>")})
	outside := filepath.Join(h.Root, "outside")
	if err := os.MkdirAll(filepath.Join(outside, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	blob := strings.Repeat("a", 64)
	for _, name := range []string{"events.ndjson", filepath.Join("blobs", blob)} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(mark+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sessions := filepath.Join(h.Dir, "sessions")
	if _, err := os.Stat(sessions); err != nil {
		t.Fatal(err)
	}
	const whole, log = "2026_01_01_00_00_00_link_1000", "2026_01_01_00_00_00_link_2000"
	if err := os.MkdirAll(filepath.Join(sessions, log, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		whole: outside, filepath.Join(log, "events.ndjson"): filepath.Join(outside, "events.ndjson"),
		filepath.Join(log, "blobs", blob): filepath.Join(outside, "blobs", blob),
	} {
		if err := os.Symlink(to, filepath.Join(sessions, link)); err != nil {
			t.Fatal(err)
		}
	}
	agent := h.agent()
	for _, id := range []string{whole, log} {
		for _, part := range []string{"", "/events", "/recording", "/screenshot"} {
			res, err := agent.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "trailblaze://sessions/" + id + part})
			if err == nil {
				t.Errorf("%s%s: %v", id, part, res)
			}
		}
		client, host := h.unix()
		if status, _, body := knock(t, client, "GET", "http://"+host+"/v1/blobs/"+id+"/"+blob, "",
			map[string][]string{"Authorization": {"Bearer " + h.Boot.Token}}); status == 200 || strings.Contains(body, mark) {
			t.Errorf("blob of %s: %d %s", id, status, body)
		}
		h.run("session", "show", id)
	}
	h.run("session", "list")
	h.mu.Lock()
	defer h.mu.Unlock()
	if strings.Contains(h.heard.String(), mark) {
		t.Error("what stands outside came out")
	}
}
