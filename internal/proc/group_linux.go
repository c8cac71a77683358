//go:build linux

package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// dieWithParent makes the kernel kill the child when we die without having cleaned up (kill -9).
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// zombie says whether a process has ended and only its entry is left.
func zombie(pid int) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	at := bytes.LastIndexByte(data, ')') // the name before it may be anything
	return at >= 0 && bytes.HasPrefix(data[at:], []byte(") Z"))
}
