package daemon

import (
	"bytes"
	"log/slog"
	"os"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
)

// maxLog limits the size of a log; then it begins anew, the old one kept beside it.
const maxLog = 4 << 20

// logFile is a log of bounded size. A follower gets each line as it is written; a slow one loses
// lines.
type logFile struct {
	path string

	mu        sync.Mutex
	f         *os.File
	size      int64
	followers map[chan []byte]struct{}
}

func openLog(path string) (*slog.Logger, *logFile, error) {
	l := &logFile{path: path, followers: map[chan []byte]struct{}{}}
	if err := l.open(); err != nil {
		return nil, nil, fault.Wrap(err, fault.Denied, "open daemon's log")
	}
	return slog.New(slog.NewTextHandler(l, nil)), l, nil
}

// open opens the file, a fresh one when it has grown large.
func (l *logFile) open() error {
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		_ = os.Rename(l.path, l.path+".1")
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_ = f.Chmod(0o600)
	l.f, l.size = f, 0
	if info, err := f.Stat(); err == nil {
		l.size = info.Size()
	}
	return nil
}

// Write appends a line.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return 0, os.ErrClosed
	}
	if l.size > maxLog {
		_ = l.f.Close()
		if err := l.open(); err != nil {
			l.f = nil
			return 0, err
		}
	}
	n, err := l.f.Write(line)
	l.size += int64(n)
	for c := range l.followers {
		select {
		case c <- bytes.Clone(line):
		default:
		}
	}
	return n, err
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return nil
	}
	err := l.f.Close()
	l.f = nil
	return err
}

// follow gives the lines from now on.
func (l *logFile) follow() (lines <-chan []byte, stop func()) {
	c := make(chan []byte, 256)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.followers[c] = struct{}{}
	return c, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.followers, c)
	}
}

// LogTail is the last n lines of a daemon's log.
func LogTail(p boot.Place, n int) ([]byte, error) {
	data, err := os.ReadFile(p.LogFile())
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "read daemon's log")
	}
	return lines(data, n), nil
}

// lines are the last n lines of a log.
func lines(data []byte, n int) []byte {
	if n == 0 {
		return nil
	}
	for i := len(data) - 2; i >= 0; i-- {
		if data[i] == '\n' {
			if n--; n == 0 {
				return data[i+1:]
			}
		}
	}
	return data
}
