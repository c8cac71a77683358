package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestWatch proves that a screen that is watched is shown again when it changes, that whoever acts on it is not kept
// from it, and that Ctrl-C ends the watch without complaint.
func TestWatch(t *testing.T) {
	s := newSitting(t)
	s.shell(`trailblaze tool web_navigate url='data:text/html,<h1>First</h1>'`, 0)
	cmd := exec.CommandContext(waittest.Context(t), binary, "snapshot", "--watch")
	cmd.Env, cmd.Dir = s.env, s.work
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	await := func(words string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), words) {
				return
			}
		}
		t.Fatalf("the watch ended before it showed %q", words)
	}
	await(`heading "First"`)
	s.shell(`trailblaze tool web_navigate url='data:text/html,<h1>Second</h1>'`, 0)
	await(`heading "Second"`)
	s.shell(`trailblaze tool web_evaluate script='setTimeout(() => document.querySelector("h1").textContent = "Third", 300), 1'`, 0)
	await(`heading "Third"`) // it changed by itself
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the watch ended with %v, want success", err)
	}
}
