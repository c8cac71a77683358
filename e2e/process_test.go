package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// slow is a trail that makes five quick steps and then waits to be ended.
const slow = `config: {title: Slow}
trail:
  - step: Open
    recording: {web: [{web_navigate: {url: "data:text/html,<p>Hello</p>"}}]}
  - verify: One
    recording: {web: [{web_verifyTextVisible: {text: Hello}}]}
  - verify: Two
    recording: {web: [{web_verifyTextVisible: {text: Hello}}]}
  - verify: Three
    recording: {web: [{web_verifyTextVisible: {text: Hello}}]}
  - step: Wait
    recording: {web: [{web_wait: {seconds: 30}}]}
`

// finished are the steps before the wait.
const finished = 4

// binary is the product, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(housetest.Main(m, map[string]*string{"": &binary})) }

// running is a run that has come to its last step.
type running struct {
	cmd  *exec.Cmd
	home string
	log  string // events.ndjson of its session
	out  *strings.Builder
}

func start(t *testing.T) *running {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, "slow.trail.yaml")
	if err := os.WriteFile(file, []byte(slow), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &running{home: home, out: &strings.Builder{}}
	r.cmd = exec.CommandContext(waittest.Context(t), binary, "run", file, "--json")
	r.cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+home)
	r.cmd.Stdout = r.out
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	r.log = r.await(t)
	return r
}

// await returns the log's path as soon as the last step has begun, woken by the file system.
func (r *running) await(t *testing.T) string {
	t.Helper()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Log(err)
		}
	}()
	root := filepath.Join(r.home, "sessions")
	if err := w.Add(root); err != nil {
		t.Fatal(err)
	}
	timeout := time.After(2 * time.Minute)
	for {
		dirs, err := filepath.Glob(filepath.Join(root, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if err := w.Add(dir); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
				t.Fatal(err)
			}
			log := filepath.Join(dir, "events.ndjson")
			if data, err := os.ReadFile(log); err == nil && strings.Contains(string(data), fmt.Sprintf(`"step_started","step":{"index":%d`, finished)) {
				return log
			}
		}
		select {
		case <-w.Events:
		case err := <-w.Errors:
			t.Fatal(err)
		case <-timeout:
			t.Fatalf("the run did not come to its last step; sessions: %v", dirs)
		}
	}
}

// ended counts the steps that the log has as passed, reading it as any later process would.
func ended(t *testing.T, log string) int {
	t.Helper()
	n := 0
	for e, err := range event.Read(filepath.Dir(log)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == event.StepEnded && e.Step.Outcome == event.Passed {
			n++
		}
	}
	return n
}

// TestKillLosesNoFinishedStep: kill -9 in the middle of a run leaves every finished step in the log.
func TestKillLosesNoFinishedStep(t *testing.T) {
	r := start(t)
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = waittest.Ended(t, r.cmd.Wait, "the killed run ends")
	if n := ended(t, r.log); n != finished {
		t.Errorf("the log has %d finished steps, want %d", n, finished)
	}
}

// TestInterruptStopsAtOnce: an interrupt ends the run within a second, with the report written and exit status 2.
func TestInterruptStopsAtOnce(t *testing.T) {
	r := start(t)
	asked := time.Now()
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := waittest.Ended(t, r.cmd.Wait, "the interrupted run ends")
	t.Logf("stopped in %s", time.Since(asked))
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("ended with %v, want exit status 2", err)
	}
	if took := time.Since(asked); took > testtime.Within(time.Second) {
		t.Errorf("took %s to stop", took)
	}
	if n := ended(t, r.log); n != finished {
		t.Errorf("the log has %d finished steps, want %d", n, finished)
	}
	var doc struct {
		Outcome string `json:"outcome"`
		Report  string `json:"report"`
	}
	if err := json.Unmarshal([]byte(r.out.String()), &doc); err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	if doc.Outcome != string(event.Canceled) {
		t.Errorf("outcome %q, want canceled", doc.Outcome)
	}
	if info, err := os.Stat(doc.Report); err != nil || info.Size() == 0 {
		t.Errorf("no report at %q: %v", doc.Report, err)
	}
}

// R64, R65: runs that share a machine, a user and a folder of sessions do not meet: each passes, with a browser and a session
// of its own, and none needs a port that is given to it.
func TestRunsBesideEachOther(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "quick.trail.yaml")
	quick, _, _ := strings.Cut(slow, "  - step: Wait")
	if err := os.WriteFile(file, []byte(quick), 0o600); err != nil {
		t.Fatal(err)
	}
	const runs = 3
	outs := make(chan string, runs)
	for range runs {
		cmd := exec.CommandContext(waittest.Context(t), binary, "run", file, "--json")
		cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+home)
		go func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				out = append(out, err.Error()...)
			}
			outs <- string(out)
		}()
	}
	for range runs {
		if out := waittest.Await(t, outs, "all three runs end"); !strings.Contains(out, `"passed": 1`) && !strings.Contains(out, `"passed":1`) {
			t.Errorf("a run beside others:\n%s", out)
		}
	}
	if found, err := filepath.Glob(filepath.Join(home, "sessions", "*", "events.ndjson")); err != nil || len(found) != runs {
		t.Errorf("sessions: %v, %v", found, err)
	}
}
