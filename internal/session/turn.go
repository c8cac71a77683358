package session

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Act waits for the right to act on the device, of which there is one: two actions at once would make each other's
// effects unprovable. Who is named to those that wait in vain. Call release when the action is over.
func (s *Session) Act(ctx context.Context, who string) (release func(), err error) {
	select {
	case s.turn <- who:
	case <-ctx.Done():
		return nil, fault.Wrap(ctx.Err(), fault.Busy, "wait for "+s.acting()+" to end")
	}
	s.setActing(who)
	return func() {
		s.setActing("")
		<-s.turn
	}, nil
}

func (s *Session) setActing(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.actor = who
}

func (s *Session) acting() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.actor == "" {
		return "another action"
	}
	return s.actor
}
