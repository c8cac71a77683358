//go:build linux

package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent makes the kernel kill the child when we die without having cleaned up (kill -9).
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// Ended reports whether a process has ended, and only its entry and threads that are just ending are left.
func Ended(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	at := bytes.LastIndexByte(data, ')') // the name before it may be anything
	return at >= 0 && bytes.HasPrefix(data[at:], []byte(") Z"))
}

// Bound bounds the memory of our own process, which ends when it needs more, and has it leave no core behind.
func Bound(memory uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory})
}
