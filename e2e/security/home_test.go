//go:build unix

package security

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenHome: a home in which others can write is refused by every command that would use it.
func TestOpenHome(t *testing.T) {
	h := newHouse(t)
	if err := os.Chmod(h.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"daemon", "start"}, {"session", "list"}, {"tool", "status"}} {
		if out, code := h.run(args...); code != 3 || !strings.Contains(out, "other users can write") {
			t.Errorf("%v: exit %d: %s", args, code, out)
		}
	}
	if err := os.Chmod(h.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, code := h.run("session", "list"); code != 0 {
		t.Errorf("closed again: exit %d: %s", code, out)
	}
}

// TestForeignReport: a report is not written over a page that is none, and is over one that is.
func TestForeignReport(t *testing.T) {
	h := newHouse(t)
	h.Write("trails/a.trail.yaml", "config: {id: a, title: A}\ntrail:\n  - step: Wait\n    recording: {web: [{web_wait: {seconds: 0}}]}\n")
	page := h.Write("out/report.html", "<h1>My page</h1>")
	out, code := h.run("run", "trails/a.trail.yaml", "--report-dir", filepath.Dir(page))
	if data, err := os.ReadFile(page); err != nil || string(data) != "<h1>My page</h1>" || code == 0 || !strings.Contains(out, "no report") {
		t.Errorf("exit %d, the page is %.60s (%v): %s", code, data, err, out)
	}
	fresh := filepath.Join(h.Work, "fresh")
	for range 2 {
		if out, code := h.run("run", "trails/a.trail.yaml", "--report-dir", fresh); code != 0 {
			t.Errorf("exit %d: %s", code, out)
		}
	}
}
