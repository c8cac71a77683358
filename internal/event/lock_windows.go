package event

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the file for this open handle, or fails at once. One byte far behind the end is locked, because a locked
// range cannot be read by others on Windows and reports read a log while it is written.
func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
