package daemon

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// client runs a client process and gives what it printed.
func (p place) client(exe string) (string, error) {
	var out bytes.Buffer
	err := proc.Run(p.Context(), proc.Spec{Path: exe, Args: []string{"client"}, Stdout: &out, Stderr: &out})
	return strings.TrimSpace(out.String()), err
}

// TestManyClientsOneDaemon: ten processes at once start one daemon, and all of them reach it.
func TestManyClientsOneDaemon(t *testing.T) {
	p := newPlace(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pids := make([]string, 10)
	var all sync.WaitGroup
	for i := range pids {
		all.Go(func() {
			var err error
			if pids[i], err = p.client(exe); err != nil {
				t.Errorf("client: %v: %s", err, pids[i])
			}
		})
	}
	waittest.Join(t, all.Wait, "every client finds the daemon")
	slices.Sort(pids)
	if got := slices.Compact(pids); len(got) != 1 || got[0] == "" {
		t.Fatalf("daemons %v, want one", got)
	}
	c, err := p.find()
	if err != nil || strconv.Itoa(c.Boot.PID) != pids[0] {
		t.Errorf("found %+v, %v", c, err)
	}
}

// TestFilesAreOurs: nobody else may read what opens the door.
func TestFilesAreOurs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there the profile folder is closed by its access list")
	}
	p := newPlace(t)
	c := p.dial()
	for path, want := range map[string]os.FileMode{
		c.Place.Dir: 0o700, c.Place.BootFile(): 0o600, c.Place.LogFile(): 0o600, c.Place.LockFile(): 0o600, c.Boot.Socket: 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s is %o, want %o", filepath.Base(path), got, want)
		}
	}
	if len(c.Boot.Token) < 43 {
		t.Errorf("the token has %d characters", len(c.Boot.Token))
	}
	for name, spoil := range map[string]func(){
		"too open": func() { _ = os.Chmod(c.Place.BootFile(), 0o644) },
		"a link": func() {
			_ = os.Chmod(c.Place.BootFile(), 0o600)
			_ = os.Rename(c.Place.BootFile(), c.Place.BootFile()+".real")
			_ = os.Symlink(c.Place.BootFile()+".real", c.Place.BootFile())
		},
	} {
		spoil()
		if _, err := p.find(); fault.KindOf(err) != fault.Denied {
			t.Errorf("%s: a boot file that may be a trap is believed: %v", name, err)
		}
	}
	_ = os.Rename(c.Place.BootFile()+".real", c.Place.BootFile())
	_ = os.Chmod(c.Place.BootFile(), 0o600)
}

// TestKilled: after kill -9 the boot file and the socket are there still; nobody takes them for a daemon, and the next
// client starts one that has another token.
func TestKilled(t *testing.T) {
	p := newPlace(t)
	old := p.dial()
	osp, err := os.FindProcess(old.Boot.PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := osp.Kill(); err != nil {
		t.Fatal(err)
	}
	p.gone(old)
	if _, err := os.Stat(old.Place.BootFile()); err != nil {
		t.Fatalf("the test needs what a killed daemon leaves: %v", err)
	}
	if _, err := p.find(); fault.KindOf(err) != fault.NotFound {
		t.Errorf("found %v, want that there is none", err)
	}
	fresh := p.dial()
	if fresh.Boot.PID == old.Boot.PID || fresh.Boot.Token == old.Boot.Token || fresh.Boot.Socket != old.Boot.Socket {
		t.Errorf("after %+v comes %+v", old.Boot, fresh.Boot)
	}
	if err := fresh.Get(t.Context(), "/hello", nil); err != nil {
		t.Error(err)
	}
	if err := (&dial.Daemon{Boot: old.Boot, Place: old.Place}).Get(t.Context(), "/hello", nil); fault.KindOf(err) != fault.Denied {
		t.Errorf("the old token: %v", err)
	}
}

// TestKilledOfLate: the socket of a daemon that was killed takes connections while its last threads end. A client does
// not take it for one that serves.
func TestKilledOfLate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("whether a process has ended before it is forgotten is known on Linux")
	}
	p := newPlace(t)
	live := p.dial()
	dead := exec.Command("sleep", "60")
	if err := dead.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = dead.Wait() }()
	if err := dead.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, func() bool { return proc.Ended(dead.Process.Pid) }, "the process ends")
	late := live.Boot
	late.PID = dead.Process.Pid
	if err := boot.Write(live.Place, late); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = boot.Write(live.Place, live.Boot) }() // so that it can be stopped
	if _, err := p.find(); fault.KindOf(err) != fault.NotFound {
		t.Errorf("got %v, want that none is found", err)
	}
}

// TestControlLane: a wedged call keeps nobody from asking what goes on, reading the log and stopping the daemon.
func TestControlLane(t *testing.T) {
	p := newPlace(t)
	c := p.dial()
	defer hold(t, c)()
	begun := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asking sync.WaitGroup
	asking.Go(func() {
		_ = c.Stream(ctx, "/wedged", writer(func(b []byte) (int, error) {
			begun <- nil
			return len(b), nil
		}))
	})
	if err := waittest.Await(t, begun, "the call begins"); err != nil {
		t.Fatal(err)
	}
	var about About
	if err := c.Get(t.Context(), "/v1/ping", &about); err != nil || about.PID != c.Boot.PID || about.Build != c.Boot.Build {
		t.Errorf("ping: %+v, %v", about, err)
	}
	var text bytes.Buffer
	if err := c.Stream(t.Context(), "/v1/log?lines=1", &text); err != nil || bytes.Count(text.Bytes(), []byte("\n")) != 1 {
		t.Errorf("log: %q, %v", text.Bytes(), err)
	}
	began := time.Now()
	p.end(c)
	if took := time.Since(began); took > testtime.Within(5*time.Second) {
		t.Errorf("stopping took %v", took)
	}
	waittest.Join(t, asking.Wait, "the call ends with its daemon")
	for _, path := range []string{c.Boot.Socket, c.Place.BootFile()} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is left", path)
		}
	}
}

// TestLogFollowed: what is written comes to who follows, as it is written.
func TestLogFollowed(t *testing.T) {
	p := newPlace(t)
	c := p.dial()
	lines := make(chan string, 10)
	ctx, cancel := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() {
		_ = c.Stream(ctx, "/v1/log?lines=1&follow=1", writer(func(b []byte) (int, error) {
			lines <- string(b)
			return len(b), nil
		}))
	})
	if line := waittest.Await(t, lines, "the first line of the log"); !strings.Contains(line, "listening") {
		t.Errorf("the first is %q", line)
	}
	for range 2 {
		if err := c.Post(t.Context(), "/v1/retire", nil); err != nil {
			t.Fatal(err)
		}
	}
	if line := waittest.Await(t, lines, "the line of the newer daemon"); !strings.Contains(line, "newer daemon") {
		t.Errorf("then %q", line)
	}
	cancel()
	waittest.Join(t, following.Wait, "following ends")
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// TestCannotStart: whoever waits for a daemon that dies is told at once, with what it said last.
func TestCannotStart(t *testing.T) {
	p := newPlace(t)
	t.Setenv(envFail, "before")
	began := time.Now()
	_, err := dial.Dial(t.Context(), dial.Options{Home: p.home, Start: true})
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "nothing works") || time.Since(began) > testtime.Within(5*time.Second) {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	t.Setenv(envFail, "after")
	c := p.dial()
	if err := c.Get(t.Context(), "/hello", nil); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "the file is wrong") ||
		fault.HintOf(err) != "Mend it." {
		t.Errorf("a daemon that cannot serve says %v (%s)", err, fault.HintOf(err))
	}
	p.gone(c)
	t.Setenv(envFail, "")
	t.Setenv(boot.EnvNoStart, "1")
	if _, err := dial.Dial(t.Context(), dial.Options{Home: p.home, Start: true}); fault.KindOf(err) != fault.Unavailable ||
		!strings.Contains(err.Error(), boot.EnvNoStart) {
		t.Errorf("with %s: %v", boot.EnvNoStart, err)
	}
}

// TestTakenPort: a port that somebody else has is no reason not to serve.
func TestTakenPort(t *testing.T) {
	p := newPlace(t)
	one := p.dial()
	t.Setenv(envPort, strconv.Itoa(one.Boot.Port))
	t.Setenv(envHome, filepath.Join(p.home, "b"))
	second, err := dial.Dial(t.Context(), dial.Options{Home: filepath.Join(p.home, "b"), Start: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.end(second)
	var about About
	if err := second.Get(t.Context(), "/v1/ping", &about); err != nil || about.Port != 0 || !strings.Contains(about.TCP, "TRAILBLAZE_PORT") {
		t.Errorf("%+v, %v", about, err)
	}
}
