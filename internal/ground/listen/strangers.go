package listen

import (
	"context"
	"net"
	"slices"
	"sync/atomic"
	"time"
)

const (
	// maxStrangers bounds the connections of one listener that have not shown the token.
	maxStrangers = 64
	// strangerTime is the least time that each of them has for it at the port, however many more come: a client shows the
	// token with its first bytes.
	strangerTime = 100 * time.Millisecond
	// IdleTime limits the time for which a connection stays open between two requests.
	IdleTime = 2 * time.Minute
	// HeaderTime limits the time for the head of a request, or a handshake.
	HeaderTime = 10 * time.Second
)

// Conn is a connection of a Listener that bounds strangers. It is a stranger until it is admitted or closed.
type Conn struct {
	net.Conn
	of       *Listener
	since    time.Time
	gone     chan struct{} // closed when it is no stranger any more
	admitted atomic.Bool
}

// enter registers a new connection. Above the bound it closes the oldest stranger; at a port not before that one's
// time is over, and until then the next one is not accepted. A full backlog of a socket refuses clients, it does not
// hold them up.
func (l *Listener) enter(inner net.Conn) net.Conn {
	c := &Conn{Conn: inner, of: l, since: time.Now(), gone: make(chan struct{})}
	l.mu.Lock()
	l.strangers = append(l.strangers, c)
	oldest, over := l.strangers[0], len(l.strangers) > max(2, min(maxStrangers, openFiles()/8))
	l.mu.Unlock()
	if !over {
		return c
	}
	if l.Addr().Network() != "unix" {
		limit := time.NewTimer(time.Until(oldest.since.Add(strangerTime)))
		defer limit.Stop()
		select {
		case <-oldest.gone:
		case <-l.closed:
		case <-limit.C:
		}
	}
	if oldest.leave() {
		_ = oldest.Conn.Close()
	}
	return c
}

// leave takes the connection off the list, and reports whether it was a stranger.
func (c *Conn) leave() bool {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	i := slices.Index(c.of.strangers, c)
	if i >= 0 {
		c.of.strangers = slices.Delete(c.of.strangers, i, i+1)
		close(c.gone)
	}
	return i >= 0
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// CloseWrite ends what is sent, where the connection can.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Close()
}

// Admit notes that a connection is a client's, and reports whether it was a stranger.
func Admit(c net.Conn) bool {
	known, ok := c.(*Conn)
	if !ok || !known.leave() {
		return false
	}
	known.admitted.Store(true)
	return true
}

// Admitted reports whether a connection has been admitted.
func Admitted(c net.Conn) bool {
	known, ok := c.(*Conn)
	return ok && known.admitted.Load()
}

// Cut closes the strangers that are left.
func (l *Listener) Cut() {
	l.mu.Lock()
	left := slices.Clone(l.strangers)
	l.mu.Unlock()
	for _, c := range left {
		_ = c.Close()
	}
}

type connKey struct{}

// WithConn is a ConnContext of http.Server: it keeps the connection for ConnOf.
func WithConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// ConnOf returns the connection of a request, nil when none is known.
func ConnOf(ctx context.Context) net.Conn {
	c, _ := ctx.Value(connKey{}).(net.Conn)
	return c
}
