package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

var withExamples = flag.Bool("examples", false, "test all examples, and fail where the environment of one is missing (`make examples` makes them)")

// R44, R62, R105, R125, R131, R250: the examples of tools in other languages do what their READMEs say, on the shop that they
// are written for: a login, a condition, a retry and a delegate. The trail is played twice at once, so a server is spoken to
// over HTTP, too.
func TestExampleServers(t *testing.T) {
	for _, ex := range []struct{ name, needs, env string }{
		{"acme-python", ".venv", ""},
		{"acme-python", ".venv", "    env: { PYTHONPATH: .venv/mcp1 }"}, // the same server on version 1 of its SDK
		{"acme-go", "bin", ""},
		{"acme-typescript", "node_modules", ""},
	} {
		t.Run(strings.TrimSpace(ex.name+ex.env), func(t *testing.T) {
			from, err := filepath.Abs(filepath.Join("..", "examples", ex.name))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(from, ex.needs)); err != nil {
				if *withExamples {
					t.Fatalf("%v: `make examples` makes it", err)
				}
				t.Skipf("%v: `make examples` makes it", err)
			}
			s := newSitting(t)
			copyExample(t, from, s.work, ex.needs)
			if ex.env != "" {
				settings, err := os.ReadFile(filepath.Join(s.work, "trailblaze.yaml"))
				if err != nil {
					t.Fatal(err)
				}
				s.save("trailblaze.yaml", strings.Replace(string(settings), "trailsDir:", ex.env+"\ntrailsDir:", 1))
			}
			s.shell("trailblaze run trails --trust --repeat 2 -j 2 --base-url "+s.shop+" --secret password="+demo.Password, 0)
			if !strings.Contains(s.last, "2 passed") {
				t.Errorf("run: %s", s.last)
			}
			s.shell("trailblaze run trails --trust --secret password="+demo.Password, 1)
			if !strings.Contains(s.last, "give it with --base-url") {
				t.Errorf("run without an address: %s", s.last)
			}
		})
	}
}

// copyExample copies the workspace of an example, but links what was installed for it.
func copyExample(t *testing.T, from, to, installed string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		source, target := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case e.Name() == installed:
			err = os.Symlink(source, target)
		case e.IsDir():
			copyTree(t, source, target)
		default:
			var data []byte
			if data, err = os.ReadFile(source); err == nil {
				err = os.WriteFile(target, data, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
