package phone

import (
	"fmt"
	"sync"
	"time"
)

const maxLines = 20_000

// logLine is a line of the log, as a process sends it.
type logLine struct {
	Level  string `json:"level"` // V D I W E F
	Tag    string `json:"tag"`
	Line   string `json:"line"`
	Ms     int64  `json:"ms"`
	Thread int    `json:"thread"`
	PID    int    `json:"pid"`
}

// log keeps the last lines of all processes.
type log struct {
	mu    sync.Mutex
	lines []logLine
	first int           // the number of the first line that is kept
	grown chan struct{} // is closed when a line comes
}

func newLog() *log { return &log{grown: make(chan struct{})} }

func (l *log) add(line logLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	if over := len(l.lines) - maxLines; over > 0 {
		l.lines = append([]logLine(nil), l.lines[over+maxLines/10:]...)
		l.first += over + maxLines/10
	}
	close(l.grown)
	l.grown = make(chan struct{})
}

// say adds a line of the phone itself.
func (l *log) say(level, tag, format string, args ...any) {
	l.add(logLine{Level: level, Tag: tag, Line: fmt.Sprintf(format, args...), Ms: time.Now().UnixMilli(),
		PID: systemPID, Thread: systemPID})
}

// since returns the lines from a number on, the number of the next one, and what is closed when it comes.
func (l *log) since(from int) ([]logLine, int, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from = max(from, l.first)
	next := l.first + len(l.lines)
	if from >= next {
		return nil, next, l.grown
	}
	return append([]logLine(nil), l.lines[from-l.first:]...), next, l.grown
}

func (l *log) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.first += len(l.lines)
	l.lines = nil
}

// format writes a line as logcat does by default.
func (l logLine) format(kind string) string {
	at := time.UnixMilli(l.Ms)
	switch kind {
	case "brief":
		return fmt.Sprintf("%s/%-8s(%5d): %s\n", l.Level, l.Tag, l.PID, l.Line)
	case "tag":
		return fmt.Sprintf("%s/%-8s: %s\n", l.Level, l.Tag, l.Line)
	case "raw":
		return l.Line + "\n"
	case "time":
		return fmt.Sprintf("%s %s/%-8s(%5d): %s\n", at.Format("01-02 15:04:05.000"), l.Level, l.Tag, l.PID, l.Line)
	case "epoch":
		return fmt.Sprintf("%10d.%03d %5d %5d %s %-8s: %s\n", l.Ms/1000, l.Ms%1000, l.PID, l.Thread, l.Level, l.Tag, l.Line)
	}
	return fmt.Sprintf("%s %5d %5d %s %-8s: %s\n", at.Format("01-02 15:04:05.000"), l.PID, l.Thread, l.Level,
		l.Tag, l.Line)
}
