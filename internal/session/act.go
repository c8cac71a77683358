package session

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Act waits until no other action acts on the device, and lets the tool act until release.
func (s *Session) Act(ctx context.Context, tool string) (release func(), err error) {
	return s.acting.Acquire(ctx, tool)
}

// ActionLock lets one action at a time act on a device, first come first served: two actions at
// once would make each other's effects unprovable. A session has one for the actions of its
// callers; an action has one for the actions that it makes.
type ActionLock struct {
	held chan struct{}          // holds a value while an action acts
	tool atomic.Pointer[string] // that acts
}

// NewActionLock makes an ActionLock that is free.
func NewActionLock() *ActionLock { return &ActionLock{held: make(chan struct{}, 1)} }

// Acquire waits until the lock is free and holds it for the action of a tool until release. When
// ctx ends first, the error names the tool that holds it.
func (l *ActionLock) Acquire(ctx context.Context, tool string) (release func(), err error) {
	select {
	case l.held <- struct{}{}:
	case <-ctx.Done():
		holder := "another action"
		if t := l.tool.Load(); t != nil {
			holder = *t
		}
		return nil, fault.Wrap(fmt.Errorf("wait for %s to end: %w", holder, ctx.Err()), "", "")
	}
	l.tool.Store(&tool)
	return func() {
		l.tool.Store(nil)
		<-l.held
	}, nil
}
