package manage

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

// TestIdle: the user's file says when an unused daemon ends, the environment wins, 0 is never.
func TestIdle(t *testing.T) {
	tests := []struct {
		name, file, env string
		want            time.Duration
	}{
		{"nothing said", "", "", 30 * time.Minute},
		{"in the file", "defaults: {idle: 2h}", "", 2 * time.Hour},
		{"the environment wins", "defaults: {idle: 2h}", "5m", 5 * time.Minute},
		{"never", "defaults: {idle: 0}", "", -1},
		{"never, says the environment", "defaults: {idle: 2h}", "0", -1},
		{"nonsense is reported by what is served", "", "soon", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, "trailblaze.yaml"), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			env := map[string]string{"TRAILBLAZE_HOME": home, "TRAILBLAZE_IDLE": tt.env}
			c := &daemonCmd{Shell: &shell.Shell{Streams: shell.Streams{Env: func(name string) string { return env[name] }}}}
			if got := c.idle(home); got != tt.want {
				t.Errorf("idle = %v, want %v", got, tt.want)
			}
		})
	}
}
