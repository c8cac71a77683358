package skill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestStates proves how an installed skill is judged, and what installing does to each state.
func TestStates(t *testing.T) {
	older := strings.Replace(source, "trailblaze", "trailblaze, before", 1)
	older = strings.Replace(older, "name: trailblaze, before", "name: trailblaze", 1) + "\nAn older line.\n"
	older = strings.Replace(older, unversioned, `version: "`+hash(older)+`"`, 1)
	tests := []struct {
		name, text string
		want       State
		install    fault.Kind
	}{
		{"nothing there", "", Absent, ""},
		{"ours", Text(), Current, ""},
		{"ours with other line ends", strings.ReplaceAll(Text(), "\n", "\r\n"), Current, ""},
		{"of another version", older, Outdated, ""},
		{"edited", Text() + "One more line.\n", Changed, fault.Conflict},
		{"somebody else's", "---\nname: other\n---\n", Foreign, fault.Conflict},
		{"empty", "\n", Foreign, fault.Conflict},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := PathIn(t.TempDir())
			if tt.text != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got, _, err := Look(path); got != tt.want || err != nil {
				t.Fatalf("Look = %s, %v, want %s", got, err, tt.want)
			}
			was, err := Install(path, false)
			if was != tt.want || (err != nil) != (tt.install != "") || err != nil && fault.KindOf(err) != tt.install {
				t.Errorf("Install = %s, %v, want %s and %q", was, err, tt.want, tt.install)
			}
			if err != nil {
				if got, _ := os.ReadFile(path); string(got) != tt.text {
					t.Errorf("refused, but the file became %q", got)
				}
			}
			if _, err := Install(path, true); err != nil {
				t.Errorf("forced: %v", err)
			}
			if got, version, err := Look(path); got != Current || version != Version() || err != nil {
				t.Errorf("after forcing Look = %s %s, %v, want current %s", got, version, err, Version())
			}
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".skill-*"))
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestFrontmatter proves what the skill standard asks of the head of the file.
func TestFrontmatter(t *testing.T) {
	parts := strings.SplitN(Text(), "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatal("the text does not begin with frontmatter")
	}
	var head struct {
		Name, Description string
		Metadata          map[string]string
	}
	if err := yaml.Unmarshal([]byte(parts[1]), &head); err != nil {
		t.Fatal(err)
	}
	if head.Name != Name || len(head.Description) < 50 || len(head.Description) > 1024 || head.Metadata["version"] != Version() {
		t.Errorf("frontmatter %+v, want name %s, a description of 50 to 1024 characters, version %s", head, Name, Version())
	}
	if n := len(strings.Split(Text(), "\n")); n > 150 {
		t.Errorf("the skill is %d lines long; a model reads all of it: at most 150", n)
	}
}
