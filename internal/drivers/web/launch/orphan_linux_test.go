package launch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestReapEndsOrphan: a browser whose owner was killed is ended with its files, at whichever moment of its start.
func TestReapEndsOrphan(t *testing.T) {
	// t.TempDir's path is so long that the browser would keep its temporary files beside its profile (see environ).
	dir, err := os.MkdirTemp("/tmp", "tb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	dead := exec.CommandContext(t.Context(), "true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	path, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		profile := filepath.Join(dir, fmt.Sprintf("trailblaze-browser-%s-%d-%d", host, dead.Process.Pid, i))
		if err := os.Mkdir(profile, 0o700); err != nil {
			t.Fatal(err)
		}
		b := &Browser{Path: path, profile: profile, tail: &tail{}}
		started := make(chan struct{})
		go func() {
			defer close(started)
			_ = b.start(t.Context(), Options{}) // it ends while it starts, or later
		}()
		moment := time.NewTimer(time.Duration(i*25) * time.Millisecond)
		for waiting := true; waiting; {
			select {
			case <-moment.C:
				waiting = false
			case <-started:
				waiting = false
			}
		}
		for began := time.Now(); ; { // a process that is not there yet is no orphan
			Reap()
			select {
			case <-started:
			default:
				if time.Since(began) < testtime.Within(5*time.Second) {
					continue
				}
				t.Fatal("the orphan still starts")
			}
			break
		}
		waittest.Await(t, b.proc.Done(), "the browser ends")
		b.proc.Kill()
		if b.Conn != nil {
			_ = b.Conn.Close()
		}
		Reap()
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Fatalf("moment %d: left behind: %v", i, left)
		}
	}
}
