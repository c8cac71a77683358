package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// callsOf counts the finished calls of every session of the house by tool, as any later process would read them.
func (h *house) callsOf(tool string) (n int) {
	h.T.Helper()
	dirs, err := filepath.Glob(filepath.Join(h.Dir, "sessions", "*"))
	if err != nil {
		h.T.Fatal(err)
	}
	for _, dir := range dirs {
		if !exists(filepath.Join(dir, "events.ndjson")) {
			continue
		}
		for e, err := range event.Read(dir) {
			if err != nil {
				h.T.Fatalf("%s: %v", dir, err)
			}
			if e.Type == event.ToolCall && e.Call != nil && e.Call.Name == tool {
				n++
			}
		}
	}
	return n
}

// TestDaemonKilled: the daemon is killed under a connected client. The next call works on the same device at the same
// page; every finished call is in the session's file; the saved trail has what was done before and after, and plays.
func TestDaemonKilled(t *testing.T) {
	h := newHouse(t)
	c := h.connect()
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html", "intent": "Open the page"})
	c.call("web_type", map[string]any{"ref": "css=#name", "text": "Grace", "intent": "Give a name"})
	before := c.call("web_click", map[string]any{"ref": `button "Save"`, "intent": "Save it"})
	c.call("addToolCategory", map[string]any{"category": "TABS"})
	changes := c.changes.Load()

	h.kill()
	after := c.call("web_snapshot", nil)
	t.Logf("the call after the kill took %s: %.300s", after.took, after.text)
	if !strings.Contains(after.text, "Tool ground") {
		t.Errorf("the page is not open again: %s", after.text)
	}
	if after.device != before.device || after.device == "" {
		t.Errorf("device %q, before %q", after.device, before.device)
	}
	c.awaitChange(changes)
	if r := c.try(t.Context(), "web_listTabs", nil); r.failed {
		t.Errorf("the categories did not survive: %s", r.text)
	}
	for tool, want := range map[string]int{"web_navigate": 1, "web_type": 1, "web_click": 1} {
		if got := h.callsOf(tool); got != want {
			t.Errorf("%d calls of %s on disk, want %d", got, tool, want)
		}
	}
	c.call("web_type", map[string]any{"ref": "css=#name", "text": "Mary", "intent": "Give another name"})
	c.call("web_click", map[string]any{"ref": `button "Save"`, "intent": "Save that"})
	saved := c.call("session", map[string]any{"action": "SAVE", "title": "Two names"})
	trail := h.trail(saved.text)
	for _, want := range []string{"Give a name", "Grace", "Give another name", "Mary", "Save that"} {
		if !strings.Contains(trail, want) {
			t.Errorf("the trail lacks %q:\n%s", want, trail)
		}
	}
}

var trailPath = regexp.MustCompile(`\S+\.trail\.yaml`)

// trail reads the file a save names and replays it.
func (h *house) trail(said string) string {
	h.T.Helper()
	path := trailPath.FindString(said)
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.Work, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		h.T.Fatalf("%v, in %q", err, said)
	}
	if got := h.command(h.T.Context(), "run", path); got.code != 0 {
		h.T.Errorf("replay ended with %d\n%s%s\n%s", got.code, got.out, got.err, data)
	}
	return string(data)
}

// TestKilledMidCall: a call under way when the daemon dies is answered with what is not known, not repeated; a
// question is asked again.
func TestKilledMidCall(t *testing.T) {
	h := newHouse(t)
	c := h.connect("--categories", "ALL")
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	done := make(chan reply, 1)
	go func() {
		done <- c.try(context.WithoutCancel(t.Context()), "wait", map[string]any{"timeToWaitInSeconds": 30})
	}()
	h.awaitRunning("wait")
	h.kill()
	if r := waittest.Await(t, done, "the call under way is answered"); !r.failed || r.err != nil || !strings.Contains(r.text, "unknown whether it took effect") {
		t.Errorf("the call under way was answered %+v", r)
	}
	c.call("web_currentUrl", nil)
}

// awaitRunning returns once the daemon says that a call of the tool runs.
func (h *house) awaitRunning(tool string) {
	h.T.Helper()
	h.awaitStatus("a call of "+tool+" begins", func(s string) bool { return strings.Contains(s, `"`+tool+`"`) })
}

// idle is the status of a daemon with no call in flight.
var idle = regexp.MustCompile(`"running":\s*0\b`)

func (h *house) awaitStatus(what string, is func(status string) bool) {
	h.T.Helper()
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) { // there is no event across processes: the question itself takes its time
		if s := h.command(h.T.Context(), "daemon", "status", "--json"); s.code == 0 && is(s.out) {
			return
		}
	}
	h.T.Fatalf("it never came that %s", what)
}

// TestUpgrade: the binary is replaced and the old daemon dies; the next call is served by the new build.
func TestUpgrade(t *testing.T) {
	h := newHouse(t)
	c := h.connect()
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	if got := h.version(); got != "v1.0.0" {
		t.Fatalf("the daemon is %s", got)
	}
	h.install(upgraded)
	h.kill()
	if r := c.call("web_snapshot", nil); !strings.Contains(r.text, "Tool ground") {
		t.Errorf("the page is not open again: %s", r.text)
	}
	if got := h.version(); got != "v2.0.0" {
		t.Errorf("the daemon is %s, want the new build", got)
	}
}

// TestUpgradeInPeace: nobody kills anybody. The new build's daemon starts beside the old one, which makes way: the
// client is told that tools may have changed, and its next call is served by the new build, at the same page.
func TestUpgradeInPeace(t *testing.T) {
	h := newHouse(t)
	c := h.connect()
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	changes := c.changes.Load()
	h.install(upgraded)
	if s := h.command(t.Context(), "daemon", "start"); s.code != 0 {
		t.Fatalf("%s%s", s.out, s.err)
	}
	c.awaitChange(changes)
	if r := c.call("web_snapshot", nil); !strings.Contains(r.text, "Tool ground") {
		t.Errorf("the page is not open again: %s", r.text)
	}
	if got := h.version(); got != "v2.0.0" {
		t.Errorf("the daemon is %s, want the new build", got)
	}
	if got := h.callsOf("web_snapshot"); got != 1 {
		t.Errorf("%d snapshots on disk, want one", got)
	}
}

// TestStopStays: a daemon that was stopped is not started again behind its user's back, and is when its client calls.
func TestStopStays(t *testing.T) {
	h := newHouse(t)
	c := h.connect()
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	if s := h.command(t.Context(), "daemon", "stop"); s.code != 0 {
		t.Fatalf("%s%s", s.out, s.err)
	}
	for range 30 { // commands take time, and starting a daemon takes less
		if s := h.command(t.Context(), "daemon", "status"); !strings.Contains(s.out, "No daemon is running") {
			t.Fatalf("after stop: %s", s.out)
		}
	}
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
}

// TestFrontEnds: a signal, and the end of stdin, end a front at once, with status 0 and nothing but JSON on stdout.
func TestFrontEnds(t *testing.T) {
	h := newHouse(t)
	for name, end := range map[string]func(*exec.Cmd, io.Closer) error{
		"SIGTERM": func(c *exec.Cmd, _ io.Closer) error { return c.Process.Signal(syscall.SIGTERM) },
		"SIGINT":  func(c *exec.Cmd, _ io.Closer) error { return c.Process.Signal(os.Interrupt) },
		"stdin":   func(_ *exec.Cmd, in io.Closer) error { return in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(waittest.Context(t), h.Binary, "mcp")
			cmd.Env, cmd.Dir = h.Env, h.Work
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			if line, err := lines.ReadString('\n'); err != nil || !json.Valid([]byte(line)) {
				t.Errorf("stdout has %q, %v", line, err)
			}
			began := time.Now()
			if err := end(cmd, in); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
				t.Errorf("stdout goes on with %q, %v", rest, err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("ended with %v", err)
			}
			if took := time.Since(began); took > testtime.Within(200*time.Millisecond) {
				t.Errorf("took %s to end", took)
			}
		})
	}
}

var versionIn = regexp.MustCompile(`v\d+\.0\.0`)

func (h *house) version() string {
	h.T.Helper()
	return versionIn.FindString(h.command(h.T.Context(), "daemon", "status", "--json").out)
}

// TestFrontLeavesTheDaemon: the end of a client ends its front at once, and no more.
func TestFrontLeavesTheDaemon(t *testing.T) {
	h := newHouse(t)
	c := h.connect()
	c.call("web_navigate", map[string]any{"url": h.url + "/ground.html"})
	pids := h.daemons()
	began := time.Now()
	if err := c.s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if took := time.Since(began); took > testtime.Within(time.Second) {
		t.Errorf("the front took %s to end", took)
	}
	again := h.connect()
	again.call("web_snapshot", nil)
	if now := h.daemons(); len(now) != 1 || len(pids) != 1 || now[0] != pids[0] {
		t.Errorf("daemons %v, then %v", pids, now)
	}
}
