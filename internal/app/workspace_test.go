package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/config"
)

// TestConfigDirOfAnotherProject: a daemon that was started with one project's TRAILBLAZE_CONFIG_DIR obeys in another
// project the files of that.
func TestConfigDirOfAnotherProject(t *testing.T) {
	project := func(url string) (root, dir string) {
		root = t.TempDir()
		dir = filepath.Join(root, "trails", "config")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "trailblaze.yaml"), []byte("defaults:\n  base-url: "+url+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return root, dir
	}
	a, aDir := project("http://a.test")
	b, _ := project("http://b.test")
	home := t.TempDir()
	env := func(name string) string {
		return map[string]string{config.EnvConfigDir: aDir, config.EnvHome: home}[name]
	}
	for root, want := range map[string]string{a: "http://a.test", b: "http://b.test"} {
		workspaces := &Workspaces{Env: env, Log: slog.New(slog.DiscardHandler)}
		if got, _ := workspaces.Of(root).Memory().Get("baseUrl"); got != want {
			t.Errorf("in the project of %s the base URL is %v", want, got)
		}
	}
}
