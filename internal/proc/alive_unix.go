//go:build unix

package proc

import (
	"errors"
	"syscall"
)

// Alive reports whether a process with this id exists. A process of somebody else is alive; one that has ended, and
// whose parent has not asked how, is not: in a container it may stay like that for ever.
func Alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return (err == nil || !errors.Is(err, syscall.ESRCH)) && !zombie(pid)
}
