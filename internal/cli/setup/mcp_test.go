package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestMCPSetups: every client's set-up is well-formed, starts the command, and stands in the documentation.
func TestMCPSetups(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(mcpClients) != len(mcpConfigs) {
		t.Errorf("%d clients, %d set-ups", len(mcpClients), len(mcpConfigs))
	}
	for client, text := range mcpConfigs {
		if !slices.Contains(mcpClients, client) {
			t.Errorf("%s is not listed", client)
		}
		var body []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "#") {
				body = append(body, line)
			}
		}
		block := strings.Join(body, "")
		if !strings.Contains(string(doc), block) {
			t.Errorf("docs/mcp.md lacks the set-up of %s:\n%s", client, block)
		}
		var v any
		switch client {
		case "codex": // TOML: nothing here reads it
		case "goose":
			if err := yaml.Unmarshal([]byte(block), &v); err != nil {
				t.Errorf("%s: %v", client, err)
			}
		default:
			if err := json.Unmarshal([]byte(block), &v); err != nil {
				t.Errorf("%s: %v", client, err)
			}
		}
	}
}

// TestMCPLog: a log that cannot be written is no reason to fail, and one that has grown large begins anew.
func TestMCPLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run", "mcp.log")
	l := &lazyFile{path: path}
	if _, err := l.Write([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, largeLog+1), 0o600); err != nil {
		t.Fatal(err)
	}
	l = &lazyFile{path: path}
	if _, err := l.Write([]byte("two\n")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "two\n" {
		t.Errorf("log has %d bytes, %v", len(data), err)
	}
}
