//go:build unix && !linux

package proc

import "syscall"

// dieWithParent has no counterpart here; children notice that their pipe closed.
func dieWithParent(*syscall.SysProcAttr) {}

// Ended is not known here; callers wait until the process is forgotten.
func Ended(int) bool { return false }

// Bound does nothing: the system has no bound that holds for a program's mapped memory.
func Bound(uint64) error { return nil }

// AdoptOrphans does nothing: only Linux hands the processes that a child leaves behind to the child's parent.
func AdoptOrphans() (end func()) { return func() {} }
