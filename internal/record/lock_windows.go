package record

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// openLock opens what is locked. A folder cannot be locked on Windows; a file in the user's own temporary folder stands
// for it.
func openLock(root *os.Root, folder string) (*os.File, error) {
	path, err := filepath.Abs(filepath.Join(root.Name(), folder))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(path))
	return os.OpenFile(filepath.Join(os.TempDir(), "trailblaze-save-"+hex.EncodeToString(sum[:8])+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
}

func tryLock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{})
}
