package launch

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// endOrphan kills the browser that still uses a profile and returns when it has ended. A browser that starts while
// its owner is killed would otherwise keep making files that nothing removes.
func endOrphan(profile string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			continue
		}
		// The descriptor is opened before the name is read: afterwards the number may belong to another process.
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		if line, err := os.ReadFile(f); err == nil && strings.Contains(string(line), "--user-data-dir="+profile+"\x00") &&
			unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil {
			// small
			end := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} //nolint:gosec
			_, _ = unix.Poll(end, int(orphanTimeout/time.Millisecond)) //nolint:gosec
		}
		_ = unix.Close(fd)
	}
}
