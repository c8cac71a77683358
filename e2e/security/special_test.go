//go:build unix

package security

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSpecialFiles: a named pipe, a device or a huge file in place of a trail, an argument file, a policy or settings
// is refused at once by its name, in the command line and in the daemon.
func TestSpecialFiles(t *testing.T) {
	h := newHouse(t)
	h.Write("trails/huge.trail.yaml", strings.Repeat("# x\n", 1<<20))
	h.Write("trails/good.trail.yaml", "config: {id: good, title: Good}\ntrail:\n  - step: Wait\n    recording: {web: [{web_wait: {seconds: 0}}]}\n")
	pipe, zero := filepath.Join(h.Work, "trails", "pipe.trail.yaml"), filepath.Join(h.Work, "trails", "zero.trail.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	quick := func(what string, f func() (string, int), says string) {
		t.Helper()
		began := time.Now()
		out, code := f()
		if code != 3 || !strings.Contains(out, says) {
			t.Errorf("%s: exit %d, want 3 and %q: %.400s", what, code, says, out)
		}
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("%s took %s", what, d)
		}
	}
	for name, says := range map[string]string{"pipe": "named pipe", "zero": "device", "huge": "larger than"} {
		path := filepath.Join("trails", name+".trail.yaml")
		quick("check "+name, func() (string, int) { return h.run("check", path) }, says)
		quick("run "+name, func() (string, int) { return h.run("run", path, "--no-report") }, says)
		quick("args "+name, func() (string, int) {
			return h.run("run", "trails/good.trail.yaml", "--no-report", "--args-file", path)
		}, says)
		quick("policy "+name, func() (string, int) {
			return h.run("run", "trails/good.trail.yaml", "--no-report", "--policy", filepath.Join(h.Work, path))
		}, says)
	}
	h.Start()
	for _, name := range []string{"pipe", "zero", "huge"} {
		if a := h.call("trail", map[string]any{"action": "RUN", "file": "trails/" + name + ".trail.yaml"}); a.kind() != "invalid" &&
			(a.Result == nil || !a.Result.IsError) {
			t.Errorf("the daemon, %s: %.400s", name, a.raw)
		}
	}
	h.must("web_navigate", map[string]any{"url": served(t, "<h1>x</h1>")}) // it still answers
}
