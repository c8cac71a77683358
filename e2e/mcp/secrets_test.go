package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecretsOfTheClient: a secret in the environment that an MCP client starts the proxy with is typed for that
// client, though the daemon was started without it. Another client has it not, and it is in no file.
func TestSecretsOfTheClient(t *testing.T) {
	const value = "c4nary-of-the-client"
	h := newHouse(t)
	if s := h.command(t.Context(), "daemon", "start"); s.code != 0 {
		t.Fatal(s.err)
	}
	other := h.connect("--device", "web/other", "--categories", "ALL")
	h.Env = append(h.Env, "TRAILBLAZE_SECRET_CARD_CODE="+value)
	c := h.connect("--categories", "ALL")
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	r := c.call("web_fillSecret", map[string]any{"ref": "css=#name", "name": "cardCode", "intent": "Give the code"})
	saved := c.call("session", map[string]any{"action": "SAVE", "title": "With a code"})
	for _, text := range []string{r.text, c.call("web_snapshot", nil).text, saved.text} {
		if strings.Contains(text, value) {
			t.Errorf("a reply has it: %s", text)
		}
	}
	other.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	if r := other.try(t.Context(), "web_fillSecret", map[string]any{"ref": "css=#name", "name": "cardCode"}); !r.failed {
		t.Errorf("another client has it: %s", r.text)
	}
	for _, dir := range []string{h.Dir, h.Work} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), value) {
				t.Errorf("it stands in %s", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
