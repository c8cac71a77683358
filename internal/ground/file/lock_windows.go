package file

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// lock takes one byte far behind the end: others cannot read a locked range on Windows, and reports read a log while
// it is written.
func lock(f *os.File, wait bool) error {
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}

// OpenFolderLock opens the file that stands for a folder's lock. A folder cannot be locked on Windows; a file in the
// user's own temporary folder stands for it.
func OpenFolderLock(root *os.Root, folder string) (*os.File, error) {
	path, err := filepath.Abs(filepath.Join(root.Name(), folder))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(path))
	return os.OpenFile(filepath.Join(os.TempDir(), "trailblaze-save-"+hex.EncodeToString(sum[:8])+".lock"),
		os.O_RDWR|os.O_CREATE, 0o600)
}
