package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
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
		return map[string]string{homedir.EnvConfig: aDir, homedir.Env: home}[name]
	}
	for root, want := range map[string]string{a: "http://a.test", b: "http://b.test"} {
		workspaces := &Workspaces{Env: env, Log: slog.New(slog.DiscardHandler)}
		if got, _ := workspaces.Of(root).Memory().Get("baseUrl"); got != want {
			t.Errorf("in the project of %s the base URL is %v", want, got)
		}
	}
}

// TestYAMLToolsOfADaemon: a YAML tool may call a management tool, as a script may, and its arguments are checked.
func TestYAMLToolsOfADaemon(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "trails", "config", "tools")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, action := range map[string]string{"shop_list": "LIST", "shop_wrong": "FORGET"} {
		text := "id: " + name + "\ndescription: d\nparameters: []\ntools: [{config: {action: " + action + "}}]\n"
		if err := os.WriteFile(filepath.Join(dir, name+".tool.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	workspaces := &Workspaces{Env: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler)}
	specs, problems, err := workspaces.Tools(t.Context(), root)
	if err != nil || len(specs) != 1 || specs[0].Name != "shop_list" {
		t.Errorf("loaded are %v, %v", specs, err)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), `"FORGET" is not one of`) {
		t.Errorf("problems %v", problems)
	}
}
