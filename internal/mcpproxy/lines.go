package mcpproxy

import (
	"bufio"
	"errors"
	"io"
)

// maxLine is the longest line that is relayed, and maxMessage the longest message to the daemon: its own bound.
const (
	maxLine    = 64 << 20
	maxMessage = 8 << 20
)

var errLong = errors.New("line longer than 64 MB")

// lines cuts a stream at newlines.
type lines struct {
	r   *bufio.Reader
	max int
}

func newLines(r io.Reader, max int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns a line in memory of its own, with its newline, which it adds to a last line without
// one. For a line that is too long it returns the beginning and errLong, and the stream goes on
// with the next.
func (l *lines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil && len(line) > l.max:
			return line[:1024], errLong
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull) && len(line) > l.max:
			return line[:1024], l.skip()
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return append(line, '\n'), nil
		default:
			return nil, err
		}
	}
}

// skip reads to the end of a line that is too long.
func (l *lines) skip() error {
	for {
		_, err := l.r.ReadSlice('\n')
		if err == nil {
			return errLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}
