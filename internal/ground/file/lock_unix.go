//go:build unix

package file

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func lock(f *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		switch err := unix.Flock(int(f.Fd()), how); {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		default:
			return err
		}
	}
}

func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }

// OpenFolderLock opens the file that stands for a folder's lock: the folder itself, so that nothing is left in it.
func OpenFolderLock(root *os.Root, folder string) (*os.File, error) { return root.Open(folder) }
