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
)

// stopBound is how long an interrupted run may take to end. The promise is one second; a machine that runs all tests at
// once gets some more.
const stopBound = 3 * time.Second

// TestInterrupt proves that a run that is interrupted stops at once, says so, and still writes its report.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	if _, err := launch.Find(""); err != nil {
		t.Skip("no browser on this machine")
	}
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	file := filepath.Join(dir, "slow.trail.yaml")
	text := "config: { title: Slow }\ntrail:\n  - step: Wait\n    recording:\n      web: [ { web_navigate: { url: 'about:blank' } }, { web_wait: { seconds: 30 } } ]\n" +
		"  - step: Never\n    recording:\n      web: [ { web_wait: { seconds: 30 } } ]\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "run", file, "--json", "--report-dir", filepath.Join(dir, "out"))
	cmd.Args[0] = "trailblaze" // by which the test binary knows that it is the command
	cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+home)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool {
		logs, _ := filepath.Glob(filepath.Join(home, "sessions", "*", "events.ndjson"))
		for _, l := range logs {
			data, err := os.ReadFile(l)
			if err == nil && bytes.Contains(data, []byte(`"name":"web_wait"`)) {
				return true
			}
		}
		return false
	})
	start := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	took := time.Since(start)
	t.Logf("stopped in %s", took)
	if took > stopBound {
		t.Errorf("stopped in %s, want less than %s", took, stopBound)
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

// waitFor waits until something holds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(60 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatal("waited a minute in vain")
		case <-t.Context().Done():
			t.Fatal("the test ended")
		}
	}
}
