package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/demo"
)

// R44, R62, R105, R125, R250: the example of tools in Python does what its README says, on the shop that it is written for:
// a login, a retry and a delegate. It needs the environment that the README makes.
func TestExamplePythonTools(t *testing.T) {
	from := filepath.Join("..", "examples", "acme-python")
	python, err := filepath.Abs(filepath.Join(from, ".venv", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(python); err != nil {
		t.Skip("examples/acme-python/.venv is not there: make it as the README says")
	}
	s := newSitting(t)
	if err := os.RemoveAll(filepath.Join(s.work, "trails")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"acme_tools.py", "trails/cart.trail.yaml", "trailblaze.yaml"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.work, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), ".venv/bin/python", python)
		if err := os.WriteFile(filepath.Join(s.work, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.shell("trailblaze run trails --trust --repeat 2 --base-url "+s.shop+" --secret password="+demo.Password, 0)
	if !strings.Contains(s.last, "2 passed") {
		t.Errorf("run: %s", s.last)
	}
}
