//go:build unix

package file

import "syscall"

// nonblock makes opening a named pipe return at once, whether or not anything is at its other end.
const nonblock = syscall.O_NONBLOCK
