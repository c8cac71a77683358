package hub_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
)

// What a client was given as secret is known to the calls of its client, in no file, and forgotten when the client
// leaves.
func TestSecretsOfASeat(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	leave := s.Enter()
	s.Hold(map[string]string{"pin": "tr0ub4dor"})
	if rep := r.Must(s, "web/a", "demo_echo", `{"text":"{{pin}}"}`); strings.Contains(rep.Result.Text(), "tr0ub4dor") {
		t.Errorf("told: %s", rep.Result.Text())
	}
	if done := r.Provider.Device("web/a").Done(); !strings.Contains(strings.Join(done, " "), "echo tr0ub4dor") {
		t.Errorf("the device got %q", done)
	}
	if rep := r.Must(s, "", "demo_say", `{"text":"tr0ub4dor"}`); strings.Contains(rep.Result.Text(), "tr0ub4dor") {
		t.Errorf("a management tool told: %s", rep.Result.Text())
	}
	r.Must(r.Client("mcp", "b"), "web/b", "demo_echo", `{"text":"{{pin}}"}`)
	leave()
	r.Must(s, "web/c", "demo_echo", `{"text":"{{pin}}"}`)
	for _, id := range []string{"web/b", "web/c"} { // another client's, and the next one's of the client
		if done := r.Provider.Device(id).Done(); !strings.Contains(strings.Join(done, " "), "echo {{pin}}") {
			t.Errorf("%s got %q", id, done)
		}
	}
	err := filepath.WalkDir(r.Home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "tr0ub4dor") {
			t.Errorf("it stands in %s (%v)", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
