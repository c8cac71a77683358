package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

// script runs a script of clients/ with the house's configuration and passes on what it found.
func (h *house) script(name string, more map[string]any) {
	h.T.Helper()
	if !*withClients {
		h.T.Skip("needs the npm packages: make e2e-mcp")
	}
	env := map[string]string{}
	for _, e := range h.Env[len(os.Environ()):] {
		k, v, _ := strings.Cut(e, "=")
		env[k] = v
	}
	cfg := map[string]any{"binary": h.Binary, "env": env, "cwd": h.Work, "url": h.url}
	maps.Copy(cfg, more)
	text, err := json.Marshal(cfg)
	if err != nil {
		h.T.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.T.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", filepath.Join("clients", name), string(text))
	out, err := cmd.CombinedOutput()
	h.T.Logf("%s", out)
	if err != nil {
		h.T.Errorf("%s: %v", name, err)
	}
}

// TestEveryTool: every tool, through the official TypeScript SDK, with arguments that fit and arguments that do not: no
// schema is rejected, no call hangs, every mistake is named.
func TestEveryTool(t *testing.T) { newHouse(t).script("tools.mjs", nil) }

// TestProgressAndCancel: signs of life and cancellation as the TypeScript SDK sees them.
func TestProgressAndCancel(t *testing.T) { newHouse(t).script("long.mjs", nil) }

// TestNewEra: the protocol without sessions, by the SDK that speaks it.
func TestNewEra(t *testing.T) { newHouse(t).script("era.mjs", nil) }

// TestSavedSessionReplays: a session driven through the SDK becomes a trail that plays green, without a model.
func TestSavedSessionReplays(t *testing.T) {
	h := newHouse(t)
	shop, err := demo.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shop.Close() })
	h.script("save.mjs", map[string]any{"shop": shop.URL})
	var trails []string
	err = filepath.WalkDir(h.Work, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".trail.yaml") && !strings.HasSuffix(path, "ground.trail.yaml") {
			trails = append(trails, path)
		}
		return err
	})
	if err != nil || len(trails) != 1 {
		t.Fatalf("saved %v (%v), want one trail", trails, err)
	}
	data, err := os.ReadFile(trails[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", data)
	for _, want := range []string{"Open the shop", "Put the mug in the cart", "Look for a lamp", "web_click", "nodeSelector"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the trail lacks %q", want)
		}
	}
	if got := h.command(t.Context(), "run", trails[0]); got.code != 0 {
		t.Errorf("replay ended with %d\n%s%s", got.code, got.out, got.err)
	}
}
