package session

import (
	"path/filepath"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// resume takes over what the session was.
func (s *Session) resume(root string) error {
	const op = "resume session"
	if root == "" {
		return fault.New(fault.Invalid, op, "nothing of session %s is on disk", s.ID)
	}
	was, ok := summarise(filepath.Join(root, s.ID), s.ID)
	switch {
	case !ok || was.Started.IsZero():
		return fault.New(fault.NotFound, op, "there is no session %s in %s", s.ID, root)
	case !was.Running:
		return fault.New(fault.Conflict, op, "session %s has ended", s.ID).WithHint("Start a new session.")
	}
	s.info, s.started = was.Session, was.Started
	return nil
}

// Leave lets go of a session without ending it, so that it can be resumed: its log is closed, and further
// calls are refused.
func (s *Session) Leave() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return s.closed
	}
	s.ended = true
	s.closed = s.Log.Close()
	return s.closed
}

// Summary is the session as a listing shows it.
func (s *Session) Summary() Summary {
	return Summary{Session: s.info, Dir: s.Dir, Started: s.started, Running: !s.Closed()}
}
