package proc

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReap: what a killed process left is removed; what belongs to a living one, to another host, or to nobody we know, stays.
func TestReap(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"trailblaze-browser-h-11-a", "trailblaze-browser-h-12-b", "trailblaze-browser-h-old", "trailblaze-browser-k-11-a", "other-11-a", "trailblaze-upload-h-11-a"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	reap(dir, "-h-", func(pid int) bool { return pid == 12 }, func(folder string) { told = append(told, filepath.Base(folder)) })
	if diff := cmp.Diff([]string{"trailblaze-browser-h-11-a", "trailblaze-upload-h-11-a"}, told); diff != "" {
		t.Error(diff)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"other-11-a", "trailblaze-browser-h-12-b", "trailblaze-browser-h-old", "trailblaze-browser-k-11-a"}, left); diff != "" {
		t.Error(diff)
	}
}
