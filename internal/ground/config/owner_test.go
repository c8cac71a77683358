package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
)

// samples are values of each kind that differ from every default.
var samples = map[string]string{"string": "./evil", "path": "own/x", "int": "7", "bool": "false", "duration": "7s",
	"time": "7s", "size": "777x777"}

// projectDoors are the files by which a project gives settings.
var projectDoors = []string{fileName, filepath.Join("trails", "config", fileName)}

// Every setting has an owner, and what no project may name is the user's.
func TestEverySettingHasAnOwner(t *testing.T) {
	for _, k := range Keys() {
		if !slices.Contains([]Owner{UserOnly, ProjectNarrows, ProjectSets}, k.Owner) {
			t.Errorf("%s has the owner %q", k.Name, k.Owner)
		}
		about := strings.Fields(strings.NewReplacer("-", " ", ",", "", "/", " ").Replace(k.Name + " " + k.Help))
		for _, word := range []string{"browser", "home", "port", "proxy", "sessions", "reports", "daemon"} {
			if slices.Contains(about, word) && k.Owner != UserOnly && k.Kind != "bool" {
				t.Errorf("%s (%s) is about a %s and no user's setting", k.Name, k.Help, word)
			}
		}
	}
}

// What a project says of a setting that is the user's has no effect, by whichever file, and a person is told.
func TestAProjectGivesNoUsersSetting(t *testing.T) {
	for _, k := range Keys() {
		for _, door := range projectDoors {
			root := t.TempDir()
			path := filepath.Join(root, door)
			value := samples[k.Kind]
			if len(choices[k.Name]) > 0 {
				value = choices[k.Name][1]
			}
			write(t, path, "target: x\ndefaults: { "+k.Name+": "+value+" }\n")
			c := load(t, root, nil)
			got, _ := c.Get(k.Name)
			if used := got.Source == path; used != (k.Owner != UserOnly) {
				t.Errorf("%s in %s, %s: %+v", k.Name, door, k.Owner, got)
			}
			if k.Owner != UserOnly {
				continue
			}
			if got.Value != k.Default || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], path+": "+k.Name) ||
				!strings.Contains(c.Warnings[0], "config set "+k.Name) || !strings.Contains(c.Warnings[0], k.Env) {
				t.Errorf("%s in %s: %+v, warnings %q", k.Name, door, got, c.Warnings)
			}
			if err := c.Owned(k.Name, value); err == nil {
				t.Errorf("%s may be written into %s", k.Name, door)
			}
		}
	}
}

// A path that a project may give stays in the project, also by a link.
func TestAProjectNamesNoPathOutside(t *testing.T) {
	for _, text := range []string{"trailsDir: ../other", "trailsDir: /tmp", "defaults: { trails-dir: out }",
		"defaults: { trails-dir: a/../../x }", "defaults: { policy: ../policy.yaml }", "defaults: { policy: out/policy.yaml }"} {
		root, outside := t.TempDir(), t.TempDir()
		if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(outside, "policy.yaml"), "")
		write(t, filepath.Join(root, fileName), text+"\n")
		c := load(t, root, nil)
		if c.TrailsDir() != filepath.Join(root, "trails") || c.String("policy") != "" || len(c.Warnings) != 1 ||
			!strings.Contains(c.Warnings[0], "is outside of the project") {
			t.Errorf("%s: trails in %s, policy %q, warnings %q", text, c.TrailsDir(), c.String("policy"), c.Warnings)
		}
	}
}

// A project adds to what the user says of a setting that it may narrow; what is said for one command holds alone.
func TestAProjectNarrows(t *testing.T) {
	tests := []struct {
		name, user, project, env string
		file, added              string
		alone                    bool
		calls                    int
	}{
		{"nobody", "", "", "", "", "", false, 50},
		{"the project", "", "policy: p.yaml, max-llm-calls: 10", "", "", "p.yaml", false, 10},
		{"both", "policy: u.yaml, max-llm-calls: 20", "policy: p.yaml, max-llm-calls: 10", "", "HOME/u.yaml", "p.yaml", false, 10},
		{"a project that widens", "max-llm-calls: 20", "max-llm-calls: 1000", "", "", "", false, 20},
		{"the command", "policy: u.yaml", "policy: p.yaml", "c.yaml", "c.yaml", "", true, 50},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root, home := t.TempDir(), t.TempDir()
			write(t, filepath.Join(home, fileName), "defaults: { "+tt.user+" }\n")
			write(t, filepath.Join(root, fileName), "defaults: { "+tt.project+" }\n")
			c := load(t, root, map[string]string{homedir.Env: home, "TRAILBLAZE_POLICY": tt.env})
			user, project, alone := c.Policies()
			if user != strings.Replace(tt.file, "HOME", home, 1) || project != tt.added || alone != tt.alone ||
				c.Int("max-llm-calls") != tt.calls {
				t.Errorf("policies %q %q %t, calls %d", user, project, alone, c.Int("max-llm-calls"))
			}
		})
	}
}

// The user's own file is for its user alone, also one that was open before; a project's keeps its mode.
func TestModeOfTheUsersFile(t *testing.T) {
	root := t.TempDir()
	c := &Config{Home: filepath.Join(root, "home")}
	project := filepath.Join(root, fileName)
	mode := func(path string) os.FileMode {
		t.Helper()
		if err := c.Set(path, "jobs", "2"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if m := mode(c.UserFile()); m != 0o600 {
		t.Errorf("a new file has mode %o", m)
	}
	if err := os.Chmod(c.UserFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	if m := mode(c.UserFile()); m != 0o600 {
		t.Errorf("a file that was open has mode %o", m)
	}
	if m := mode(project); m != 0o644 {
		t.Errorf("a project's file has mode %o", m)
	}
}
