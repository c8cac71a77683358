package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

// TestEdit proves that a settings file changes only where it should: comments, order and layout stay.
func TestEdit(t *testing.T) {
	const busy = "# mine\ntargets: [shop] # apps\n\ndefaults: # all of them\n  # how many\n  jobs: 2   # at once\n  retries: 1\n  " +
		"llm:\n    - a\n\n# after\nproviders: {}\n"
	tests := []struct{ name, before, key, value, want string }{
		{"a new file", "", "jobs", "3", "defaults:\n  jobs: 3\n"},
		{"no defaults yet", "# mine\ntargets: [shop]\n", "jobs", "3", "# mine\ntargets: [shop]\ndefaults:\n  jobs: 3\n"},
		{"no newline at the end", "targets: [shop]", "jobs", "3", "targets: [shop]\ndefaults:\n  jobs: 3\n"},
		{"defaults of nothing", "defaults:\ntargets: []\n", "jobs", "3", "defaults:\n  jobs: 3\ntargets: []\n"},
		{"defaults null", "defaults: null # none\n", "jobs", "3", "defaults: # none\n  jobs: 3\n"},
		{"replace", busy, "jobs", "3", strings.Replace(busy, "jobs: 2   #", "jobs: 3   #", 1)},
		{"add after the last", busy, "timeout", "2m", strings.Replace(busy, "    - a\n", "    - a\n  timeout: 2m\n", 1)},
		{"take out", busy, "retries", "-", strings.Replace(busy, "  retries: 1\n", "", 1)},
		{"take out the last", "defaults: # x\n  # y\n  jobs: 2\n", "jobs", "-", "defaults: {} # x\n  # y\n"},
		{"flow: replace", "defaults: { jobs: 2, retries: 1 } # c\n", "jobs", "3", "defaults: { jobs: 3, retries: 1 } # c\n"},
		{"flow: add", "defaults: {}\n", "jobs", "3", "defaults: { jobs: 3 }\n"},
		{"flow: take out", "defaults: {jobs: 2, retries: 1}\n", "jobs", "-", "defaults: { retries: 1 }\n"},
		{"a value in quotes", "defaults:\n  base-url: \"http://a#b\" # c\n", "base-url", "http://x/#y", "defaults:\n  base-url: \"http://x/#y\" # c\n"},
		{"a value that looks like something else", "", "browser", "0123", "defaults:\n  browser: \"0123\"\n"},
		{"an empty value", "", "base-url", "", "defaults:\n  base-url: \"\"\n"},
		{"a quoted key", "defaults:\n  \"jobs\": 2\n", "jobs", "3", "defaults:\n  \"jobs\": 3\n"},
		{"lines end as they did", "a: 1\r\ndefaults:\r\n  jobs: 2\r\n", "jobs", "3", "a: 1\r\ndefaults:\r\n  jobs: 3\r\n"},
		{"wide indent", "defaults:\n      jobs: 2\n", "retries", "1", "defaults:\n      jobs: 2\n      retries: 1\n"},
		{"upstream's spelling", "defaults:\n  step-timeout: 1s\n", "defaults.step_timeout", "2s", "defaults:\n  step-timeout: 2s\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sub", fileName)
			if tt.before != "" {
				write(t, path, tt.before)
			}
			var err error
			if tt.value == "-" {
				_, err = new(Config).Unset(path, tt.key)
			} else {
				err = new(Config).Set(path, tt.key, tt.value)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestEditRefuses proves that what cannot be is refused and the file stays as it is.
func TestEditRefuses(t *testing.T) {
	tests := []struct {
		name, before, key, value string
		kind                     fault.Kind
		say                      string
	}{
		{"no such key", "", "job", "3", fault.NotFound, "jobs"},
		{"not its kind", "", "jobs", "many", fault.Invalid, `jobs "many"`},
		{"none of its values", "", "screenshots", "always", fault.Invalid, "failure, steps, off"},
		{"not YAML", "defaults: {", "jobs", "3", fault.Invalid, fileName},
		{"not a mapping", "defaults: 7\n", "jobs", "3", fault.Invalid, "must be a mapping"},
		{"a flow over lines", "defaults: {\n  jobs: 2\n}\n", "retries", "3", fault.Unsupported, "by hand"},
		{"an anchor", "x: &d { jobs: 2 }\ndefaults: *d\n", "jobs", "3", fault.Unsupported, "by hand"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), fileName)
			if tt.before != "" {
				write(t, path, tt.before)
			}
			err := new(Config).Set(path, tt.key, tt.value)
			if fault.KindOf(err) != tt.kind || !strings.Contains(err.Error()+fault.HintOf(err), tt.say) {
				t.Errorf("Set = %v (%s), want %s that says %q", err, fault.HintOf(err), tt.kind, tt.say)
			}
			if got, _ := os.ReadFile(path); string(got) != tt.before {
				t.Errorf("the file became %q", got)
			}
		})
	}
	if was, err := new(Config).Unset(filepath.Join(t.TempDir(), fileName), "jobs"); was || err != nil {
		t.Errorf("Unset of what is not there = %t, %v, want false and no error", was, err)
	}
}

// TestEditThroughLink proves that a linked file keeps its link and its mode.
func TestEditThroughLink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.yaml"), filepath.Join(dir, fileName)
	if err := os.WriteFile(real, []byte("defaults: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := new(Config).Set(link, "jobs", "3"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode became %v, %v, want 0600", info, err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".trailblaze-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// FuzzSet: whatever the file holds, a setting is written so that it is read back and all else is the same, or
// refused.
func FuzzSet(f *testing.F) {
	f.Add("defaults:\n  jobs: 2\n", "http://x")
	f.Add("defaults: { base-url: 'a' } # b\n", "a # b")
	f.Add("defaults:\n\n  # c\n  x: [1,\n 2]\n", "\"")
	f.Fuzz(func(t *testing.T, text, value string) {
		path := filepath.Join(t.TempDir(), fileName)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if new(Config).Set(path, "base-url", value) != nil {
			if got, _ := os.ReadFile(path); string(got) != text {
				t.Fatalf("refused, but %q became %q", text, got)
			}
			return
		}
		got, _ := os.ReadFile(path)
		var doc map[string]any
		if err := yaml.Unmarshal(got, &doc); err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		if d, _ := doc["defaults"].(map[string]any); d["base-url"] == nil || strings.Count(string(got), "#") < strings.Count(text, "#") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// TestWorkspaceOf proves which folder a client works in.
func TestWorkspaceOf(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "w", "trails", "config", fileName), "")
	for _, dir := range []string{"w/a/b", "g/.git", "g/c", "plain/d"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ name, dir, env, want string }{
		{"the settings file above", "w/a/b", "", "w"},
		{"the repository above", "g/c", "", "g"},
		{"nothing above", "plain/d", "", "plain/d"},
		{"the environment", "plain/d", filepath.Join(root, "w", "trails", "config"), "w"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := WorkspaceOf(filepath.Join(root, tt.dir), func(k string) string { return map[string]string{homedir.EnvConfig: tt.env}[k] })
			if want := filepath.Join(root, tt.want); got != want {
				t.Errorf("WorkspaceOf(%s) = %s, want %s", tt.dir, got, want)
			}
		})
	}
}
