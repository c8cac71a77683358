package daemon

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/file"
	"github.com/trailblaze-dev/trailblaze/internal/testtime/waittest"
)

// TestHomeOfTheStarted: a daemon serves the home its client meant, although it stands in another folder than its
// client, where a relative TRAILBLAZE_HOME is another one.
func TestHomeOfTheStarted(t *testing.T) {
	p := newPlace(t)
	t.Chdir(filepath.Dir(p.home))
	t.Setenv(envHome, filepath.Base(p.home))
	c := p.dial()
	if err := c.Get(t.Context(), "/hello", nil); err != nil {
		t.Error(err)
	}
}

// TestStartIsNotWaitedForLonger: whoever starts the daemon may be stopped; who waits for that one gives up when asked
// to.
func TestStartIsNotWaitedForLonger(t *testing.T) {
	p := newPlace(t)
	build, err := boot.Build()
	if err != nil {
		t.Fatal(err)
	}
	dir := boot.PlaceOf(p.home, build).Dir
	if err := boot.Private(dir); err != nil {
		t.Fatal(err)
	}
	held, err := file.TryOpenLocked(filepath.Join(dir, "start.lock"))
	if err != nil {
		t.Fatalf("lock: %v", err)
	}
	defer func(f *os.File) { _ = f.Close() }(held) // and with it what still waits there
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := client.Dial(ctx, client.Options{Home: p.home, Start: true})
		done <- err
	}()
	select {
	case err := <-done:
		if fault.KindOf(err) != fault.Timeout {
			t.Errorf("got %v, want a timeout", err)
		}
	case <-time.After(time.Minute):
		t.Error("it waits although its context has ended")
	}
}

// TestAhead: a daemon that was started ahead is the one that the next Dial finds, and while it starts no other client
// starts one. Where one runs nothing is started.
func TestAhead(t *testing.T) {
	p := newPlace(t)
	boot.Ahead(os.Environ())
	other := exec.CommandContext(t.Context(), os.Args[0], "client")
	var said bytes.Buffer
	other.Stdout = &said
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	c := p.dial()
	if err := waittest.Ended(t, other.Wait, "the other client ends"); err != nil || strings.TrimSpace(said.String()) != strconv.Itoa(c.Boot.PID) {
		t.Errorf("another client found %q, want %d: %v", said.String(), c.Boot.PID, err)
	}
	boot.Ahead(os.Environ())
	if again := p.dial(); again.Boot.PID != c.Boot.PID || strings.Count(p.log(c), "msg=listening") != 1 {
		t.Errorf("%d after %d:\n%s", again.Boot.PID, c.Boot.PID, p.log(c))
	}
	t.Setenv(boot.EnvNoStart, "1")
	empty := newPlace(t)
	boot.Ahead(os.Environ())
	if _, err := empty.find(); fault.KindOf(err) != fault.NotFound {
		t.Errorf("although none may be started: %v", err)
	}
}

// TestAheadOfNobody: a daemon that was started ahead and listens before anybody dials is found as any other, and holds
// up no later start.
func TestAheadOfNobody(t *testing.T) {
	p := newPlace(t)
	build, err := boot.Build()
	if err != nil {
		t.Fatal(err)
	}
	boot.Ahead(os.Environ())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, err = client.At(ctx, boot.PlaceOf(p.home, build)); err != nil; _, err = client.At(ctx, boot.PlaceOf(p.home, build)) {
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
	first := p.dial()
	daemon, err := os.FindProcess(first.Boot.PID)
	if err == nil {
		err = daemon.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.gone(first)
	if next := p.dial(); next.Boot.PID == first.Boot.PID {
		t.Error("the daemon that was killed was found again")
	}
}
