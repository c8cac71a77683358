package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPrecedence proves flag > environment > workspace file > user file > default, and that the source is told.
func TestPrecedence(t *testing.T) {
	root := t.TempDir()
	homeDir := filepath.Join(root, "home")
	write(t, filepath.Join(homeDir, fileName), "defaults: { jobs: 2, retries: 2, timeout: 2m, viewport: 200x200 }\n")
	manifest := filepath.Join(root, "w", "trails", "config", fileName)
	write(t, manifest, "targets: [shop]\ndefaults: { jobs: 3, retries: 3, timeout: 3m, target: shop }\n")
	deep := filepath.Join(root, "w", "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{homedir.Env: homeDir, "TRAILBLAZE_JOBS": "4", "TRAILBLAZE_RETRIES": "4"}
	c, err := Load(Sources{Dir: deep, Env: func(k string) string { return env[k] }, Flags: map[string]string{"jobs": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Setting{
		"jobs":        {"jobs", "5", "flag", ProjectSets, nil},
		"retries":     {"retries", "4", "$TRAILBLAZE_RETRIES", ProjectSets, nil},
		"timeout":     {"timeout", "3m", manifest, ProjectSets, nil},
		"viewport":    {"viewport", "200x200", filepath.Join(homeDir, fileName), ProjectSets, nil},
		"screenshots": {"screenshots", "failure", "default", ProjectSets, nil},
	}
	for _, s := range c.Settings() {
		if w, ok := want[s.Key]; ok && s != w {
			t.Errorf("%s = %+v, want %+v", s.Key, s, w)
		}
	}
	if c.Int("jobs") != 5 || c.Duration("timeout") != 3*time.Minute || !c.Bool("headless") {
		t.Errorf("typed values: jobs %d timeout %s headless %t", c.Int("jobs"), c.Duration("timeout"), c.Bool("headless"))
	}
	if w, h := c.Size("viewport"); w != 200 || h != 200 {
		t.Errorf("viewport %dx%d, want 200x200", w, h)
	}
	if c.Workspace != filepath.Join(root, "w") || len(c.Warnings) != 0 {
		t.Errorf("workspace %s warnings %v, want the folder above and none", c.Workspace, c.Warnings)
	}
	if c.Sessions() != filepath.Join(homeDir, "sessions") {
		t.Errorf("sessions in %s, want below home", c.Sessions())
	}
}

func TestBadValues(t *testing.T) {
	tests := []struct{ name, file, env, want string }{
		{"not a number", "defaults: { jobs: many }", "", `jobs "many"`},
		{"negative", "defaults: { retries: -1 }", "", "must not be negative"},
		{"not a duration", "", "TRAILBLAZE_TIMEOUT=5", "$TRAILBLAZE_TIMEOUT"},
		{"zero duration", "", "TRAILBLAZE_TIMEOUT=0s", "more than zero"},
		{"negative time", "defaults: { idle: -1m }", "", "must not be negative"},
		{"not a size", "defaults: { viewport: big }", "", "1280x800"},
		{"a list", "defaults: { jobs: [1] }", "", "single value"},
		{"not a mapping", "defaults: 7", "", "must be a mapping"},
		{"not YAML", "defaults: {", "", fileName},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, filepath.Join(home, fileName), tt.file)
			env := map[string]string{homedir.Env: home}
			if k, v, ok := strings.Cut(tt.env, "="); ok {
				env[k] = v
			}
			_, err := Load(Sources{Dir: home, Env: func(k string) string { return env[k] }})
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load = %v, want an invalid fault that says %q", err, tt.want)
			}
		})
	}
}

func TestUnknownKeysAreWarnings(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, fileName), "tragets: []\ndefaults: { base_url: x, odd: 1 }\n")
	c, err := Load(Sources{Dir: home, Env: func(k string) string { return map[string]string{homedir.Env: home}[k] }})
	path := filepath.Join(home, fileName)
	want := []string{path + `:1: unknown key "tragets"; did you mean targets?`, path + `:2: unknown key "defaults.base_url"; did you mean base-url?`,
		path + `:2: unknown key "defaults.odd"`}
	if d := cmp.Diff(want, c.Warnings); err != nil || d != "" {
		t.Errorf("Load = %v, warnings (-want +got):\n%s", err, d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("defaults: { jobs: 3 }"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, out, _, err := parse(data)
		if err != nil && out != nil {
			t.Errorf("settings %v with error %v", out, err)
		}
	})
}
