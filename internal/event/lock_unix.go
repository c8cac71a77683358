//go:build unix

package event

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the file for this open handle, or fails at once. The kernel frees it when the handle closes, however the
// process ends, so a crash never leaves a session locked.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
