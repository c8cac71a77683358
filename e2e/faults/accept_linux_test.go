package faults

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// That the daemon cannot accept a connection stands in its log, and it accepts again when it can.
func TestAcceptErrorsAreLogged(t *testing.T) {
	h := newHouse(t)
	h.Start()
	var before unix.Rlimit
	if err := unix.Prlimit(h.Boot.PID, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		t.Fatal(err)
	}
	few := unix.Rlimit{Cur: 3, Max: before.Max} // no descriptor beyond those that are open
	if err := unix.Prlimit(h.Boot.PID, unix.RLIMIT_NOFILE, &few, nil); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() {
		_, err := h.send("test", "device", map[string]any{"action": "LIST"})
		answered <- err
	}()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for late := time.After(time.Minute); !strings.Contains(h.log(), "too many open files"); {
		select {
		case <-look.C:
		case <-late:
			t.Fatalf("the log says: %s", h.log())
		}
	}
	if err := unix.Prlimit(h.Boot.PID, unix.RLIMIT_NOFILE, &before, nil); err != nil {
		t.Fatal(err)
	}
	if err := waittest.Await(t, answered, "the request is answered"); err != nil {
		t.Errorf("when it could accept again: %v", err)
	}
	if !strings.Contains(strings.ToLower(h.log()), "accept") {
		t.Errorf("the log says: %s", h.log())
	}
}
