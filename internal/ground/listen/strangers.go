package listen

import (
	"net"
	"slices"
	"sync"
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

// Strangers are the connections that have not shown yet that they are a client's. The socket, which only the
// user's own programs reach, and the port have a list each, so that connections to the port never
// hold up the socket.
type Strangers struct {
	max          int
	socket, port list
}

// NewStrangers sets the bound far below the number of files that the process may open, so that the
// owner can always connect.
func NewStrangers() *Strangers {
	return &Strangers{max: max(2, min(maxStrangers, openFiles()/8))}
}

func (s *Strangers) of(c net.Conn) *list {
	if c.LocalAddr().Network() == "unix" {
		return &s.socket
	}
	return &s.port
}

// Add registers a new connection. Above the bound it closes the oldest; at the port not before that
// one's time is over, and until then the next one is not accepted.
func (s *Strangers) Add(c net.Conn) {
	l := s.of(c)
	old := l.add(c, s.max)
	switch {
	case old == nil:
	case l == &s.socket: // a full backlog there refuses clients, it does not hold them up
		l.cut(old)
	default:
		limit := time.NewTimer(time.Until(old.since.Add(strangerTime)))
		defer limit.Stop()
		select {
		case <-old.gone: // it has shown the token or closed
		case <-limit.C:
			l.cut(old)
		}
	}
}

// Remove reports whether c was a stranger, and takes it off the list.
func (s *Strangers) Remove(c net.Conn) bool { return s.of(c).remove(c) }

// Cut closes those that are left.
func (s *Strangers) Cut() {
	for _, l := range []*list{&s.socket, &s.port} {
		l.mu.Lock()
		for _, one := range l.all {
			one.cut = true
			_ = one.conn.Close()
		}
		l.mu.Unlock()
	}
}

// list is in order of arrival.
type list struct {
	mu  sync.Mutex
	all []*stranger
}

type stranger struct {
	conn  net.Conn
	since time.Time
	gone  chan struct{} // closed when it leaves the list
	cut   bool          // closed here; the server has not noticed yet
}

// add returns the connection to close for the new one, if any.
func (l *list) add(c net.Conn, most int) *stranger {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, &stranger{conn: c, since: time.Now(), gone: make(chan struct{})})
	here := 0
	for _, s := range l.all {
		if !s.cut {
			here++
		}
	}
	if here <= most {
		return nil
	}
	return l.all[slices.IndexFunc(l.all, func(s *stranger) bool { return !s.cut })]
}

func (l *list) cut(s *stranger) {
	l.mu.Lock()
	if slices.Contains(l.all, s) {
		s.cut = true
		_ = s.conn.Close()
	}
	l.mu.Unlock()
}

func (l *list) remove(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.all, func(s *stranger) bool { return s.conn == c })
	if i < 0 {
		return false
	}
	close(l.all[i].gone)
	l.all = slices.Delete(l.all, i, i+1)
	return true
}
