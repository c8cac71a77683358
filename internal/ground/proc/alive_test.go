package proc

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

// TestAlive: a process that has ended is not alive, even while nobody has asked how it ended.
func TestAlive(t *testing.T) {
	if !Alive(os.Getpid()) {
		t.Error("we are not alive")
	}
	if runtime.GOOS != "linux" {
		t.Skip("whether a zombie is one is known on Linux")
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	if !Alive(cmd.Process.Pid) {
		t.Error("a process that runs is not alive")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// it cannot be waited for: that would end the state that is tested
	waittest.Until(t, func() bool { return !Alive(cmd.Process.Pid) }, "the process ends")
	if err := cmd.Process.Signal(os.Kill); err != nil {
		t.Errorf("it was asked how it ended: %v", err)
	}
	_ = cmd.Wait()
}
