package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page/gen/bundle"
)

// TestBundleIsCurrent proves that the embedded script is what src says.
func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := bundle.Build("src/index.ts")
	if err != nil {
		t.Fatal(err)
	}
	if page.Source != string(want) {
		t.Error("dist/page.js is out of date; run go generate ./internal/drivers/web/page")
	}
}

var imports = regexp.MustCompile(`from '\./(\w+)'`)

// TestNoCircles: no file of the script imports one that imports it, directly or through others.
func TestNoCircles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("src/*.ts")
	if err != nil || len(files) < 2 {
		t.Fatalf("found %d files, %v", len(files), err)
	}
	done := map[string]bool{} // false: it is being followed
	var follow func(name string, way []string)
	follow = func(name string, way []string) {
		if ended, met := done[name]; met {
			if !ended {
				t.Errorf("a circle of imports: %s", strings.Join(append(way, name), " → "))
			}
			return
		}
		done[name] = false
		text, err := os.ReadFile(filepath.Join("src", name+".ts"))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			follow(string(m[1]), append(way, name))
		}
		done[name] = true
	}
	for _, f := range files {
		follow(strings.TrimSuffix(filepath.Base(f), ".ts"), nil)
	}
}
