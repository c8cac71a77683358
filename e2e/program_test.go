package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// R45: a program that a team builds with a tool in Go in it plays a trail that calls the tool, and its daemon has it too.
func TestExampleProgram(t *testing.T) {
	if !*withExamples {
		t.Skip("make examples runs this")
	}
	t.Parallel()
	s := newSitting(t)
	bin := filepath.Join(filepath.Dir(s.work), "bin")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", filepath.Join(bin, "acme"), "../examples/acme-program")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.env = append(s.env, "PATH="+bin+string(filepath.ListSeparator)+filepath.Dir(binary)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	copyTree(t, filepath.Join("..", "examples", "acme-program", "trails"), filepath.Join(s.work, "trails"))
	s.save("trails/config/trailblaze.yaml", "")
	s.shell("acme check trails", 0)
	s.shell("acme run trails --base-url "+s.shop, 0)
	if !strings.Contains(s.last, "1 passed") {
		t.Errorf("run: %s", s.last)
	}
	s.shell("acme config set --workspace base-url "+s.shop, 0)
	s.shell("acme tool acme_addToCart product='Firefly Lamp'", 0)
	if !strings.Contains(s.last, `{"added":1}`) {
		t.Errorf("tool: %s", s.last)
	}
	s.shell("acme toolbox acme_addToCart", 0)
	if !strings.Contains(s.last, "how many") {
		t.Errorf("toolbox: %s", s.last)
	}
	s.shell("acme session save --title Lamp", 0)
	saved, err := os.ReadFile(filepath.Join(s.work, "trails", "lamp.trail.yaml"))
	if text := string(saved); err != nil || !strings.Contains(text, "- acme_addToCart:") || strings.Contains(text, "web_click") {
		t.Errorf("saved\n%s %v", saved, err)
	}
	s.shell("acme daemon stop", 0)
	s.shell("trailblaze check trails", 3)
	if !strings.Contains(s.last, `there is no tool "acme_addToCart"`) {
		t.Errorf("the program without the tool: %s", s.last)
	}
}
