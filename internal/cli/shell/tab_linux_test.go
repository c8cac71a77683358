package shell

import (
	"os"
	"testing"
)

// TestStarted proves that a process is told from a later one with the same number.
func TestStarted(t *testing.T) {
	ours, first := started(os.Getpid()), started(1)
	if ours == "" || ours != started(os.Getpid()) || ours == first {
		t.Errorf("we started at %q, the first process at %q", ours, first)
	}
	if got := started(1 << 30); got != "" {
		t.Errorf("a process that is not there started at %q", got)
	}
}
