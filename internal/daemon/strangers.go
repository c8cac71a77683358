package daemon

import (
	"net"
	"slices"
	"sync"
	"time"
)

const (
	// maxStrangers bounds the connections that have not shown the token. It stays far below the usual limit of 256 or 1024
	// descriptors, so that the owner can always connect.
	maxStrangers = 64
	// idleConnection is how long a connection may stay open between two requests.
	idleConnection = 2 * time.Minute
)

// strangers are the connections that have not shown the token yet, oldest first. One more than maxStrangers closes the oldest:
// a client shows the token with its first bytes.
type strangers struct {
	mu    sync.Mutex
	conns []net.Conn
	cut   map[net.Conn]bool // closed here; the server has not noticed yet
}

func (s *strangers) add(c net.Conn) {
	s.mu.Lock()
	s.conns = append(s.conns, c)
	var oldest net.Conn
	if len(s.conns) > maxStrangers {
		oldest = s.conns[0]
		s.conns = s.conns[1:]
		if s.cut == nil {
			s.cut = map[net.Conn]bool{}
		}
		s.cut[oldest] = true
	}
	s.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close()
	}
}

// remove reports whether c was a stranger.
func (s *strangers) remove(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cut[c] {
		delete(s.cut, c)
		return true
	}
	i := slices.Index(s.conns, c)
	if i < 0 {
		return false
	}
	s.conns = slices.Delete(s.conns, i, i+1)
	return true
}
