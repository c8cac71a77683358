//go:build unix && !linux

package proc

import "syscall"

// dieWithParent has no counterpart here; children notice that their pipe closed.
func dieWithParent(*syscall.SysProcAttr) {}
