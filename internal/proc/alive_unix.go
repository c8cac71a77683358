//go:build unix

package proc

import (
	"errors"
	"syscall"
)

// Alive reports whether a process with this id exists. A process of somebody else is alive.
func Alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || !errors.Is(err, syscall.ESRCH)
}
