package proc

import (
	"strings"
	"sync"
)

// maxTail is how much of a program's output is kept: enough for the first lines of a crash report.
const maxTail = 8 << 10

// Tail keeps the end of what a program wrote. The zero value is ready. It is safe for concurrent use.
type Tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write implements io.Writer. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if n > maxTail {
		p = p[n-maxTail:]
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - maxTail; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return n, nil
}

// String returns what is kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.buf), "�")
}
