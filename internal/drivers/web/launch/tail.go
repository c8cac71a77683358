package launch

import (
	"strings"
	"sync"
)

// maxTail is how much of the browser's output is kept: enough for a crash report's first lines.
const maxTail = 8 << 10

// tail keeps the end of what the browser wrote.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - maxTail; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// noise reports whether a line is a complaint of every browser that runs without a desktop.
func noise(line string) bool {
	for _, s := range []string{"ERROR:dbus/", "crashpad/util/file", ": unexpected operator", "ERROR:gpu/", "vaapi",
		"google_apis/gcm"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	return false
}

// String returns the kept lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var kept []string
	for line := range strings.Lines(string(t.buf)) {
		if !noise(line) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}
