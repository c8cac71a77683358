package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/trail"
)

// TestUpstreamTrails replays the web trails of a checkout of the original, as they are: TRAILBLAZE_UPSTREAM is its
// folder. Trails that cannot be replayed anywhere without a model, the network or an app of their own are listed with the
// reason.
func TestUpstreamTrails(t *testing.T) {
	root := os.Getenv("TRAILBLAZE_UPSTREAM")
	if root == "" {
		t.Skip("TRAILBLAZE_UPSTREAM names no checkout")
	}
	played := 0
	err := filepath.WalkDir(filepath.Join(root, "trails"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "trail.yaml" && !strings.HasSuffix(e.Name(), ".trail.yaml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		tr, problems := trail.Parse(name, data, trail.Strict)
		if err := problems.Err(); err != nil {
			t.Errorf("%s is not read: %v", name, err)
			return nil
		}
		why := obstacle(tr, filepath.Dir(path))
		if why == "" {
			played++
		}
		t.Run(name, func(t *testing.T) {
			if why != "" {
				t.Skip(why)
			}
			cmd := exec.Command(binary, "run", path, "--no-report")
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+t.TempDir())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if played == 0 {
		t.Error("there is nothing to replay in the checkout")
	}
}

// obstacle says why a trail cannot be replayed from its own files, "" when it can.
func obstacle(t *trail.Trail, dir string) string {
	if d := t.DriverFor([]string{"web"}); d != "PLAYWRIGHT_NATIVE" {
		return "is for the driver " + d
	}
	opened := false
	for _, s := range t.Resolve([]string{"web"}) {
		if s.State == trail.StateUndeclared {
			return "needs a model: " + s.Step.Text
		}
		for _, c := range s.Calls {
			var args struct {
				URL          string         `json:"url"`
				NodeSelector map[string]any `json:"nodeSelector"`
			}
			if err := json.Unmarshal(c.Args, &args); err != nil {
				return err.Error()
			}
			if _, err := os.Stat(filepath.Join(dir, args.URL)); args.URL != "" && err != nil {
				return "needs the network: " + args.URL
			}
			opened = opened || args.URL != ""
			if index, ok := args.NodeSelector["index"]; ok && len(args.NodeSelector) == 1 {
				return fmt.Sprintf("counts the elements of another tree: %s of index %v", c.Name, index)
			}
		}
	}
	if !opened {
		return "opens no page"
	}
	return ""
}
