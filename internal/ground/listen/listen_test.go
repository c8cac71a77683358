package listen_test

import (
	"errors"
	"net"
	"syscall"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// flaky is a real listener whose first accepts fail as they do when no more files may be open.
type flaky struct {
	net.Listener
	left int
}

func (f *flaky) Accept() (net.Conn, error) {
	if f.left > 0 {
		f.left--
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}

// A listener goes on after accept errors, and ends when it is closed.
func TestAcceptErrorsAreSurvived(t *testing.T) {
	real, err := listen.TCP(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	l := listen.Steady(&flaky{real, 3})
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	got, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after its end: %v", err)
	}
	stuck := listen.Steady(&flaky{real, 1 << 30})
	done := make(chan error, 1)
	go func() { _, err := stuck.Accept(); done <- err }()
	_ = stuck.Close()
	if err := <-done; !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed while it pauses: %v", err)
	}
}
