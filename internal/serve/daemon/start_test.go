package daemon

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
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
		_, err := dial.Dial(ctx, dial.Options{Home: p.home, Start: true})
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
