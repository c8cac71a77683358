package link

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock takes a file for this process, or reports that another has it. The kernel gives it back however we end.
func TryLock(path string) (f *os.File, taken bool, err error) {
	return lock(path, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
}

// waitLock waits until the file is free. Who holds it holds it for moments.
func waitLock(path string) (*os.File, error) {
	f, _, err := lock(path, windows.LOCKFILE_EXCLUSIVE_LOCK)
	return f, err
}

func lock(path string, how uint32) (*os.File, bool, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, false, err
	}
	if err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{}); err != nil {
		_ = f.Close()
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return nil, true, nil
		}
		return nil, false, err
	}
	return f, false, nil
}
