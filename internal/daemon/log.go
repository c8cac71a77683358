package daemon

import (
	"io"
	"log/slog"
	"os"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/link"
)

// maxLog is how large a log may be when a daemon starts; then it begins anew, the old one kept beside it.
const maxLog = 4 << 20

func openLog(path string) (*slog.Logger, io.Closer, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		_ = os.Rename(path, path+".1")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, fault.Wrap(err, fault.Denied, "open daemon's log")
	}
	return slog.New(slog.NewTextHandler(f, nil)), f, nil
}

// LogTail is the last n lines of a daemon's log.
func LogTail(p link.Place, n int) ([]byte, error) {
	data, err := os.ReadFile(p.LogFile())
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "read daemon's log")
	}
	return lines(data, n), nil
}
