//go:build linux

package proc

import "syscall"

// dieWithParent makes the kernel kill the child when we die without having cleaned up (kill -9).
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
