package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// clients are the connections that the daemon has, the one that asks among them.
func (s *shell) clients() int64 {
	s.Helper()
	places := boot.Places(s.home)
	if len(places) != 1 {
		s.Fatalf("%d daemons", len(places))
	}
	c, err := dial.At(s.Context(), places[0])
	if err != nil {
		s.Fatal(err)
	}
	defer c.Close()
	var about daemon.About
	if err := c.Get(s.Context(), "/v1/ping", &about); err != nil {
		s.Fatal(err)
	}
	return about.Clients
}

// lasting is a command that waits for half a minute: beside the connection of its call there is the one that asks.
func (s *shell) lasting(flags ...string) (*exec.Cmd, *bytes.Buffer) {
	s.Helper()
	cmd, out := s.command(append([]string{"tool", "web_wait", "seconds=30"}, flags...)...)
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = cmd.Process.Kill() })
	waittest.Until(s, func() bool { return s.daemon().Hub.Running == 1 }, "the call")
	if n := s.clients(); n != 2 {
		s.Fatalf("the daemon has %d connections, want those of the call and this question", n)
	}
	return cmd, out
}

// TestCommandStops: Ctrl-C ends a command and its call within a second; the death of its process ends the call too.
func TestCommandStops(t *testing.T) {
	s := newShell(t)
	s.must("tool", "web_navigate", hello)
	was := s.daemon()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		cmd, out := s.lasting()
		began := time.Now()
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if took := time.Since(began); took > testtime.Within(time.Second) {
			t.Errorf("%v: it ended after %s", sig, took)
		}
		waittest.Until(s, func() bool { return s.daemon().Hub.Running == 0 }, "the end of the call")
		if sig == syscall.SIGKILL {
			continue
		}
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(out.String(), "error: call web_wait: stopped") {
			t.Errorf("%v: exit status %d: %s", sig, cmd.ProcessState.ExitCode(), out)
		}
	}
	if now := s.daemon(); now.PID != was.PID {
		t.Errorf("the daemon is process %d, was %d", now.PID, was.PID)
	}
}

// TestCommandOnce: a command whose daemon dies is not carried out again, neither is one whose daemon hangs; the
// process says that nobody knows what became of it.
func TestCommandOnce(t *testing.T) {
	s := newShell(t)
	for name, end := range map[string]func(pid int){
		"went away":        func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) },
		"no sign of life":  func(pid int) { _ = syscall.Kill(pid, syscall.SIGSTOP) },
		"the call's error": func(int) { s.must("daemon", "stop") },
	} {
		s.must("tool", "web_navigate", hello)
		pid := s.daemon().PID
		cmd, out := s.lasting("--json")
		end(pid)
		_ = cmd.Wait()
		var doc struct {
			Error    struct{ Kind, Message string }
			ExitCode int
		}
		if err := json.Unmarshal(out.Bytes(), &doc); name != "the call's error" && (err != nil || doc.ExitCode != 2 ||
			!strings.Contains(doc.Error.Message, name) || !strings.Contains(doc.Error.Message, "not known whether the call took effect")) {
			t.Errorf("%s: %v %s", name, err, out)
		}
		if cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("%s: exit status %d: %s", name, cmd.ProcessState.ExitCode(), out)
		}
		if name != "went away" {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if a := s.daemon(); a.Running {
			t.Errorf("%s: daemon %d was started for it", name, a.PID)
		}
	}
}

// TestCommandSees: a command sees the folder, the files, the environment and the terminal of its own process, and nothing
// of the daemon's.
func TestCommandSees(t *testing.T) {
	s := newShell(t)
	s.must("tool", "web_navigate", "url=data:text/html,<input aria-label=Word>")
	at := filepath.Join(s.work, "below")
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Fatal(err)
	}
	args := filepath.Join(at, "args.json")
	if err := os.WriteFile(args, []byte(`{"script":"6*7"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(change func(*exec.Cmd), words ...string) string {
		t.Helper()
		cmd, out := s.command(words...)
		cmd.Dir = at
		if change != nil {
			change(cmd)
		}
		if err := cmd.Run(); err != nil && !strings.Contains(out.String(), "error:") {
			t.Errorf("%v: %v\n%s", words, err, out)
		}
		return out.String()
	}
	input := func(text string) func(*exec.Cmd) { return func(c *exec.Cmd) { c.Stdin = strings.NewReader(text) } }
	file := func(c *exec.Cmd) {
		f, err := os.Open(args)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		c.Stdin, c.ExtraFiles = f, []*os.File{f}
	}
	env := func(more ...string) func(*exec.Cmd) { return func(c *exec.Cmd) { c.Env = append(c.Env, more...) } }
	for _, tt := range []struct {
		name   string
		change func(*exec.Cmd)
		words  string
		want   string
	}{
		{"a pipe", input(`{"script":"6*7"}`), "tool web_evaluate --args -", "42"},
		{"a file as input", file, "tool web_evaluate --args -", "42"},
		{"no input", nil, "tool web_evaluate --args -", "not JSON"},
		{"a file by its name", nil, "tool web_evaluate --args @args.json", "42"},
		{"input by its name", input(`{"script":"6*7"}`), "tool web_evaluate --args=@/dev/stdin", "42"},
		{"a file that the process has open", file, "tool web_evaluate --args @/dev/fd/3", "42"},
		{"a secret", env("TRAILBLAZE_SECRET_WORD=canary-7391"), "tool web_navigate url=data:text/html,canary-7391", "••••"},
		{"a device", env("TRAILBLAZE_DEVICE=web/nowhere"), "tool web_currentUrl", "web/nowhere"},
		{"a home in its folder", env("TRAILBLAZE_HOME=../../home"), "tool web_currentUrl", "on web/below"},
		{"a folder", nil, "snapshot --screenshot shot.png", "shot.png"},
		{"a picture's folder", env("TMPDIR=" + at), "tool getScreenshot", at + "/trailblaze-pictures-"},
		{"a mistake", nil, "tool web_clack", "web_clack"},
		{"help", nil, "tool --help", "Exit status:"},
	} {
		if got := in(tt.change, strings.Fields(tt.words)...); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s: %s, want %q", tt.name, tt.words, got, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(at, "shot.png")); err != nil {
		t.Error(err)
	}
	if log := s.must("daemon", "logs", "-n", "1000"); strings.Contains(log, "canary-7391") {
		t.Error("the daemon's log has a secret of the environment")
	}
	if len(boot.Places(s.home)) != 1 {
		t.Error("there is another daemon")
	}
	for more, colours := range map[string]bool{"": true, "NO_COLOR=1": false, "TERM=dumb": false} {
		if got := s.onTerminal(more, "tool", "web_clack"); strings.Contains(got, "\x1b[1;31merror:") != colours {
			t.Errorf("%q: colours %v wanted: %q", more, colours, got)
		}
	}
}

// onTerminal runs a command whose output is a terminal.
func (s *shell) onTerminal(env string, args ...string) string {
	s.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = master.Close() }()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		s.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		s.Fatal(err)
	}
	cmd, _ := s.command(args...)
	cmd.Env = append(cmd.Env, "TERM=xterm", env)
	cmd.Stdout, cmd.Stderr = slave, slave
	_ = cmd.Run()
	_ = slave.Close()
	buf := make([]byte, 4096) // more than it says
	k, _ := master.Read(buf)
	return string(buf[:k])
}

// TestCommandsAtOnce: commands that run side by side keep apart; a reader that goes away ends its own.
func TestCommandsAtOnce(t *testing.T) {
	s := newShell(t)
	s.must("tool", "web_navigate", hello)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			cmd, out := s.command("tool", "web_currentUrl", fmt.Sprintf("n=%d", i))
			_ = cmd.Run()
			if !strings.Contains(out.String(), "n") || cmd.ProcessState.ExitCode() != 3 {
				t.Errorf("%d: exit status %d: %s", i, cmd.ProcessState.ExitCode(), out)
			}
		})
	}
	all.Wait()
	cmd, _ := s.command("snapshot")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	cmd.Stdout = w
	_ = cmd.Run()
	_ = w.Close()
	if st, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !st.Signaled() || st.Signal() != syscall.SIGPIPE {
		t.Errorf("without a reader it ended with %v", cmd.ProcessState)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	cmd, out := s.command("snapshot", "--json")
	cmd.Stdout = full
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("on a full disk: exit status %d: %s", cmd.ProcessState.ExitCode(), out)
	}
}
