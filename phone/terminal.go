package phone

import (
	"bytes"
	"io"
)

// terminal is the line discipline for a host that passes on keys as they are typed: it echoes them and hands out lines.
type terminal struct {
	in   io.Reader
	out  io.Writer
	line []byte
	full []byte
}

const (
	keyInterrupt = 3
	keyEnd       = 4
	keyBackspace = 8
	keyDelete    = 127
)

// Read implements io.Reader.
func (t *terminal) Read(b []byte) (int, error) {
	for len(t.full) == 0 {
		var typed [256]byte
		n, err := t.in.Read(typed[:])
		for _, k := range typed[:n] {
			if k == keyEnd && len(t.line) == 0 {
				return 0, io.EOF
			}
			t.press(k)
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(b, t.full)
	t.full = t.full[n:]
	return n, nil
}

func (t *terminal) press(k byte) {
	switch k {
	case '\r', '\n':
		_, _ = io.WriteString(t.out, "\r\n")
		t.full = append(append(t.full, t.line...), '\n')
		t.line = t.line[:0]
	case keyBackspace, keyDelete:
		if len(t.line) > 0 {
			t.line = t.line[:len(t.line)-1]
			_, _ = io.WriteString(t.out, "\b \b")
		}
	case keyInterrupt:
		_, _ = io.WriteString(t.out, "^C\r\n")
		t.line = t.line[:0]
		t.full = append(t.full, '\n')
	default:
		t.line = append(t.line, k)
		_, _ = t.out.Write([]byte{k})
	}
}

// returns writes lines for a terminal, whose ends are two characters.
type returns struct{ to io.Writer }

// Write implements io.Writer.
func (r returns) Write(b []byte) (int, error) {
	if _, err := r.to.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}
