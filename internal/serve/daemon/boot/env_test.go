package boot

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestEnv: a path that somebody gave relative to where they stood leads there still from where the daemon stands,
// and of everything else only what programs need is handed on.
func TestEnv(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	given := []string{"TRAILBLAZE_POLICY=pol.yaml", "TRAILBLAZE_LOGS_DIR=", "TRAILBLAZE_BROWSER=chromium", "OTHER=pol.yaml", "TRAILBLAZE_SECRET_PW=x", "PATH=/bin"}
	want := []string{"TRAILBLAZE_POLICY=" + filepath.Join(dir, "pol.yaml"), "TRAILBLAZE_LOGS_DIR=", "TRAILBLAZE_BROWSER=chromium", "PATH=/bin"}
	if got := Env(given); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
