//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/launch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// stopBound is how long an interrupted run may take to end.
const stopBound = time.Second

// TestInterrupt proves that a run that is interrupted stops at once, says so, and still writes its report.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	if _, err := launch.Find(""); err != nil {
		t.Fatal("no browser on this machine: run `make browser`")
	}
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	var out, errs bytes.Buffer
	cmd := slowRun(t, dir, home, "--json", "--report-dir", filepath.Join(dir, "out"))
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin(t, cmd, home)
	start := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = waittest.Ended(t, cmd.Wait, "the run ends")
	took := time.Since(start)
	t.Logf("stopped in %s", took)
	if took > testtime.Within(stopBound) {
		t.Errorf("stopped in %s, want less than %s", took, testtime.Within(stopBound))
	}
	var doc struct {
		ExitCode int            `json:"exitCode"`
		Totals   map[string]int `json:"totals"`
		Report   string         `json:"report"`
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("output is not JSON: %v\n%s\n%s", err, out.String(), errs.String())
	}
	if doc.ExitCode != 2 || cmd.ProcessState.ExitCode() != 2 || doc.Totals["canceled"] != 1 {
		t.Errorf("exit %d, document %+v; want status 2 and one canceled trail", cmd.ProcessState.ExitCode(), doc)
	}
	if _, err := os.Stat(doc.Report); err != nil {
		t.Errorf("the report was not written: %v", err)
	}
}

// TestKilled proves that a run that is killed loses no finished step: its log tells them all.
func TestKilled(t *testing.T) {
	t.Parallel()
	if _, err := launch.Find(""); err != nil {
		t.Fatal("no browser on this machine: run `make browser`")
	}
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	cmd := slowRun(t, dir, home)
	begin(t, cmd, home)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = waittest.Ended(t, cmd.Wait, "the run ends")
	show := ours(t, home, "session", "show", "last", "--json")
	out, err := show.Output()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Report struct {
			Trails []struct {
				Outcome  string
				Attempts []struct {
					Steps []struct{ Text, Outcome string }
				}
			}
		}
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	steps := doc.Report.Trails[0].Attempts[0].Steps
	if doc.Report.Trails[0].Outcome != "canceled" || len(steps) != 2 || steps[0].Outcome != "passed" || steps[1].Outcome != "canceled" {
		t.Errorf("the log tells %+v, want a canceled trail with its first step passed", doc.Report)
	}
}

// slowRun is a run whose second step waits half a minute.
func slowRun(t *testing.T, dir, home string, flags ...string) *exec.Cmd {
	t.Helper()
	file := filepath.Join(dir, "slow.trail.yaml")
	text := "config: { title: Slow }\ntrail:\n  - step: Open\n    recording:\n      web: [ { web_navigate: { url: 'about:blank' } } ]\n" +
		"  - step: Wait\n    recording:\n      web: [ { web_wait: { seconds: 30 } } ]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return ours(t, home, append([]string{"run", file}, flags...)...)
}

// ours is this test binary as the command.
func ours(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Args[0] = "trailblaze" // by which the test binary knows that it is the command
	cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+home)
	return cmd
}

// begin starts a slow run and returns when it waits.
func begin(t *testing.T, cmd *exec.Cmd, home string) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, func() bool {
		logs, _ := filepath.Glob(filepath.Join(home, "sessions", "*", "events.ndjson"))
		for _, l := range logs {
			data, err := os.ReadFile(l)
			if err == nil && bytes.Contains(data, []byte(`"name":"web_wait"`)) {
				return true
			}
		}
		return false
	}, "the run begins its last step")
}
