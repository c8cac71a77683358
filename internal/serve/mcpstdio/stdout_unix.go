//go:build unix

package mcpstdio

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func seize() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "take stdout")
	}
	if err := unix.Dup2(2, 1); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "take stdout")
	}
	return os.NewFile(uintptr(fd), "client"), nil
}
