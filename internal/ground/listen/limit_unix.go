//go:build unix

package listen

import "syscall"

// openFiles returns the number of files that the process may open.
func openFiles() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil || l.Cur > 1<<20 {
		return 1 << 20
	}
	return int(l.Cur) //nolint:gosec,unconvert // at most 1<<20; signed on some systems
}
