package cli

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestDaemonEnv: a path that somebody gave relative to where they stood leads there still from where the daemon stands.
func TestDaemonEnv(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	a := &app{Streams: Streams{Environ: func() []string {
		return []string{"TRAILBLAZE_POLICY=pol.yaml", "TRAILBLAZE_LOGS_DIR=", "TRAILBLAZE_BROWSER=chromium", "OTHER=pol.yaml"}
	}}}
	want := []string{"TRAILBLAZE_POLICY=" + filepath.Join(dir, "pol.yaml"), "TRAILBLAZE_LOGS_DIR=", "TRAILBLAZE_BROWSER=chromium", "OTHER=pol.yaml"}
	if got := a.daemonEnv(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
