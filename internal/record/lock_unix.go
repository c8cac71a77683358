//go:build unix

package record

import (
	"os"

	"golang.org/x/sys/unix"
)

// openLock opens what is locked: the folder itself, so that no lock file is left in it.
func openLock(root *os.Root, folder string) (*os.File, error) { return root.Open(folder) }

func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
