// Package listen opens every port and socket of the product, so that all of them have the same defences: they listen
// on this machine only, continue after an accept error, and bound the connections of strangers.
//
//	l, err := listen.TCP(ctx, 0)
//	l.Bounded = true
//	conn, err := l.Accept()
//	listen.Admit(conn) // it has shown who it is
package listen

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"
)

// TCP listens on a port of 127.0.0.1; 0 is any free one.
func TCP(ctx context.Context, port int) (*Listener, error) {
	return open(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Unix listens on a socket, whose file goes with the listener.
func Unix(ctx context.Context, path string) (*Listener, error) { return open(ctx, "unix", path) }

func open(ctx context.Context, network, address string) (*Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if sock, ok := l.(*net.UnixListener); ok {
		sock.SetUnlinkOnClose(true)
	}
	return Steady(l), nil
}

// Steady returns a listener that accepts again after an accept error, such as that of a process which may open no more
// files, until it is closed.
func Steady(l net.Listener) *Listener { return &Listener{Listener: l, closed: make(chan struct{})} }

const (
	firstPause = 5 * time.Millisecond
	maxPause   = time.Second
)

// Listener accepts connections until it is closed.
type Listener struct {
	net.Listener
	Warn func(err error) // is called with each accept error; nil ignores them
	// Bounded limits the connections that have not been admitted, far below the number of files that the process may
	// open, so that the owner can always connect.
	Bounded bool

	once      sync.Once
	closed    chan struct{}
	mu        sync.Mutex
	strangers []*Conn // in order of arrival
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		c, err := l.Listener.Accept()
		if err == nil && l.Bounded {
			return l.enter(c), nil
		}
		if err == nil || errors.Is(err, net.ErrClosed) {
			return c, err
		}
		if l.Warn != nil {
			l.Warn(err)
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-l.closed:
			t.Stop()
			return nil, net.ErrClosed
		}
	}
}

// Close implements net.Listener.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
