package policy

import (
	"sync"
	"time"
)

// maxSampled limits the decisions that are remembered of sessions: beyond it everything is logged once more.
const maxSampled = 4096

// sample remembers the decisions logged of a session, so that one that is allowed a thousand times is logged once.
type sample struct {
	mu       sync.Mutex
	reported map[[2]string]bool
	upTo     map[string]uint64 // the newest request looked at, by session
	deaf     time.Time         // until then no name server is asked
}

func newSample() *sample {
	return &sample{reported: map[[2]string]bool{}, upTo: map[string]uint64{}}
}

func (s *sample) first(session, subject string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]string{session, subject}
	if s.reported[key] {
		return false
	}
	if len(s.reported) >= maxSampled {
		clear(s.reported)
	}
	s.reported[key] = true
	return true
}

func (s *sample) since(session string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.upTo[session]
}

func (s *sample) noteSequence(session string, seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.upTo) >= maxSampled {
		clear(s.upTo)
	}
	s.upTo[session] = max(s.upTo[session], seq)
}

func (s *sample) isDeaf() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.deaf)
}

func (s *sample) setDeaf(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaf = time.Now().Add(d)
}
