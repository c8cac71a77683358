package extern

import (
	"io"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// body is the body of an answer. Unless it is a stream of events, which are bounded one by one, it ends with an error
// beyond its bound.
type body struct {
	io.ReadCloser
	closed  func()
	left    int
	bounded bool
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.bounded && b.left < 0 {
		return 0, fault.New(fault.Unavailable, "", "it sent an answer of more than %d MiB", maxMessage>>20)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	defer b.closed()
	return b.ReadCloser.Close()
}
