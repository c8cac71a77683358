//go:build unix

package link

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock takes a file for this process, or reports that another has it. The kernel gives it back however we end.
func TryLock(path string) (f *os.File, taken bool, err error) {
	return lock(path, unix.LOCK_EX|unix.LOCK_NB)
}

// waitLock waits until the file is free. Who holds it holds it for moments.
func waitLock(path string) (*os.File, error) {
	f, _, err := lock(path, unix.LOCK_EX)
	return f, err
}

func lock(path string, how int) (*os.File, bool, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	for {
		err = unix.Flock(int(f.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, true, nil
		}
		return nil, false, err
	}
	return f, false, nil
}
