package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// shell is a home, a workspace and a copy of the program, so that a test has a daemon of its own.
type shell struct {
	*testing.T
	home, work, program string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	root, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	s := &shell{t, filepath.Join(root, "home"), filepath.Join(root, "work"), filepath.Join(root, "trailblaze")}
	if err := os.Mkdir(s.work, 0o700); err != nil {
		t.Fatal(err)
	}
	s.install()
	t.Cleanup(func() {
		if out, err := s.try("daemon", "stop", "--all"); err != nil {
			t.Errorf("daemon stop: %v\n%s", err, out)
		}
		_ = os.RemoveAll(root)
	})
	return s
}

// install puts the program in place anew: another build, as far as anybody can tell.
func (s *shell) install() {
	s.Helper()
	data, err := os.ReadFile(binary)
	if err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(s.program+".new", data, 0o700); err != nil { //nolint:gosec // a program
		s.Fatal(err)
	}
	if err := os.Rename(s.program+".new", s.program); err != nil {
		s.Fatal(err)
	}
}

func (s *shell) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(waittest.Context(s), s.program, args...)
	cmd.Dir = s.work
	cmd.Env = append(os.Environ(), "TRAILBLAZE_HOME="+s.home, "TRAILBLAZE_PORT=0", "TRAILBLAZE_SESSION=e2e", "TMPDIR="+filepath.Dir(s.home))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

func (s *shell) try(args ...string) (string, error) {
	cmd, out := s.command(args...)
	err := cmd.Run()
	return out.String(), err
}

func (s *shell) must(args ...string) string {
	s.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out
}

// about is what the daemon says of itself.
type about struct {
	Running bool   `json:"running"`
	PID     int    `json:"pid"`
	Build   string `json:"build"`
	Hub     struct {
		Devices []struct{ ID, Session, URL string }
		Running int
	}
}

func (s *shell) daemon() about {
	s.Helper()
	var a about
	if err := json.Unmarshal([]byte(s.must("daemon", "status", "--json")), &a); err != nil {
		s.Fatal(err)
	}
	return a
}

// watched is a process whose end is an event.
type watched struct{ pid, fd int }

// browsersOf opens the browser processes that a daemon started.
func (s *shell) browsersOf(pid int) []watched {
	s.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var out []watched
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(data), ") ") // "pid (name) state ppid …"
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[1] != strconv.Itoa(pid) {
			continue
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		out = append(out, s.watch(child))
	}
	if len(out) == 0 {
		s.Fatal("the daemon has started no browser")
	}
	return out
}

func (s *shell) watch(pid int) watched {
	s.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		s.Skipf("this kernel cannot watch processes: %v", err)
	}
	s.Cleanup(func() { _ = unix.Close(fd) })
	return watched{pid, fd}
}

func (s *shell) ends(what string, w watched) {
	s.Helper()
	fds := []unix.PollFd{{Fd: int32(w.fd), Events: unix.POLLIN}} //nolint:gosec // a descriptor
	for {
		n, err := unix.Poll(fds, int(time.Minute.Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			s.Errorf("%s %d lives (%v)", what, w.pid, err)
		}
		return
	}
}

const hello = "url=data:text/html,<title>Hello</title><h1>Hello</h1><button>Go</button>"

// TestDaemonKilled: nothing outlives a daemon that is killed: not its browser, not for long what the browser kept on
// disk. The next command has a new one, and the session goes on.
func TestDaemonKilled(t *testing.T) {
	s := newShell(t)
	s.must("tool", "web_navigate", hello, "-s", "Open")
	was := s.daemon()
	browsers := s.browsersOf(was.PID)
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.home), "trailblaze-browser-*"))
	if len(left) == 0 {
		t.Fatal("the test does not see where the browser keeps its profile")
	}
	if err := syscall.Kill(was.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, b := range browsers {
		s.ends("browser", b)
	}
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(was.PID) + "/stat")
	t.Logf("daemon %d: %s", was.PID, stat)
	if out := s.must("daemon", "status", "--json"); !strings.Contains(out, `"running": false`) {
		t.Errorf("a dead daemon is said to run: %s", out)
	}
	out := s.must("snapshot")
	if !strings.Contains(out, "Hello") || !strings.Contains(out, "the daemon was lost") {
		t.Errorf("after the loss:\n%s", out)
	}
	now := s.daemon()
	if now.PID == was.PID || len(now.Hub.Devices) != 1 || now.Hub.Devices[0].Session != was.Hub.Devices[0].Session {
		t.Errorf("was %+v, is %+v", was, now)
	}
	for _, dir := range left {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			inside, _ := filepath.Glob(filepath.Join(dir, "*"))
			t.Errorf("%s is left, with %v", dir, inside)
		}
	}
}

// TestDaemonTerminated: SIGTERM ends a call under way. Its caller is told, its event is on disk, and nothing is
// left.
func TestDaemonTerminated(t *testing.T) {
	s := newShell(t)
	s.must("tool", "web_navigate", hello)
	was := s.daemon()
	browsers := s.browsersOf(was.PID)
	process := s.watch(was.PID)
	cmd, out := s.command("tool", "web_wait", "seconds=60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, func() bool { return s.daemon().Hub.Running > 0 }, "the call runs")
	if err := syscall.Kill(was.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if exit := (&exec.ExitError{}); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(out.String(), "the daemon is stopping") {
		t.Errorf("the call ended with %v:\n%s", err, out)
	}
	s.ends("daemon", process)
	for _, b := range browsers {
		s.ends("browser", b)
	}
	found := false
	for e, err := range event.Read(filepath.Join(s.home, "sessions", was.Hub.Devices[0].Session)) {
		if err != nil {
			t.Fatal(err)
		}
		found = found || e.Type == event.ToolCall && e.Call != nil && e.Call.Name == "web_wait" && e.Call.IsError
	}
	if !found {
		t.Error("the cancelled call is not in the log")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.home), "trailblaze-browser-*")); len(left) > 0 {
		t.Errorf("profiles are left: %v", left)
	}
}

// TestDaemonUpgraded: the first command of a new build takes over what the old build's daemon had open, which ends.
func TestDaemonUpgraded(t *testing.T) {
	s := newShell(t)
	s.must("tool", "web_navigate", hello)
	was := s.daemon()
	process := s.watch(was.PID)
	s.install()
	out := s.must("snapshot")
	s.ends("the old daemon", process)
	now := s.daemon()
	if now.Build == was.Build || len(now.Hub.Devices) != 1 || now.Hub.Devices[0].Session != was.Hub.Devices[0].Session {
		t.Errorf("was %+v, is %+v", was, now)
	}
	if !strings.Contains(out, "Hello") {
		t.Errorf("the page is not open again:\n%s", out)
	}
}

// TestDaemonLogs: the log is followed while it is written, and ends with the daemon.
func TestDaemonLogs(t *testing.T) {
	s := newShell(t)
	s.must("daemon", "start")
	cmd, errs := s.command("daemon", "logs", "-f", "-n", "1")
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if first, err := lines.ReadString('\n'); !strings.Contains(first, "listening") { // it follows: else the stop may come first
		t.Errorf("followed: %q, %v", first, err)
	}
	s.must("daemon", "stop")
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("following ended with %v: %s", err, errs)
	}
	if text := s.must("daemon", "logs"); !strings.Contains(text, "listening") || !strings.Contains(text, "ended") {
		t.Errorf("the log of an ended daemon: %s", text)
	}
	t.Logf("followed: %s", rest)
}

// TestDaemonByCurl is the example of docs/daemon.md: a client needs HTTP and JSON, and nothing of ours (R231).
func TestDaemonByCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip(err)
	}
	s := newShell(t)
	s.must("daemon", "start")
	var at struct{ Boot, Socket string }
	if err := json.Unmarshal([]byte(s.must("daemon", "status", "--json")), &at); err != nil {
		t.Fatal(err)
	}
	var boot struct{ Token string }
	data, err := os.ReadFile(at.Boot)
	if err == nil {
		err = json.Unmarshal(data, &boot)
	}
	if err != nil {
		t.Fatal(err)
	}
	ask := func(token string) (status, body string) {
		call := `{"url": "data:text/html,<h1>Hello</h1>"}`
		out, err := exec.Command(curl, "-sS", "-w", "\n%{http_code}", "--unix-socket", at.Socket,
			"http://trailblaze/v1/tools/web_navigate?client=my-program&intent=Open+the+page&workspace="+s.work, "-H", "Authorization: Bearer "+token,
			"-H", "Content-Type: application/json", "-d", call).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		cut := bytes.LastIndexByte(out, '\n')
		return string(out[cut+1:]), string(out[:cut])
	}
	if status, body := ask("wrong"); status != "401" || !strings.Contains(body, "daemon.json") {
		t.Errorf("a wrong token: %s %s", status, body)
	}
	status, body := ask(boot.Token)
	for _, want := range []string{`"schema":"trailblaze.reply/1"`, `"device":"web"`, "Hello"} {
		if status != "200" || !strings.Contains(body, want) {
			t.Errorf("%s, without %s: %s", status, want, body)
		}
	}
}
