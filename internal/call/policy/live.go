package policy

import (
	"context"
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Live is the policy of a process that outlives changes of the file: every call obeys the present file. While the
// file, or the settings that name it, cannot be read, only calls that touch nothing are carried out.
type Live struct {
	options func() (Options, error)

	mu     sync.Mutex
	loaded bool
	stamps [2]file.Stamp // of the user's file and of the project's
	base   []string
	p      *Policy
	err    error
}

// Follow makes a Live. options says, at every call, which file holds the policy. Nothing is read
// yet.
func Follow(options func() (Options, error)) *Live { return &Live{options: options} }

// Current is the policy as the file has it now.
func (l *Live) Current() (*Policy, error) {
	o, err := l.options()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := [2]file.Stamp{file.StampOf(o.File), file.StampOf(o.project())}
	if !l.loaded || now != l.stamps || !slices.Equal(o.Base, l.base) {
		l.loaded, l.stamps, l.base = true, now, o.Base
		l.p, l.err = Load(o)
	}
	return l.p, l.err
}

// Middleware is that of the policy in force at each call.
func (l *Live) Middleware() dispatch.Middleware {
	return func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			p, err := l.Current()
			switch {
			case err == nil:
				return p.Middleware()(next)(ctx, inv)
			case touchesNothing(inv.Spec()):
				return next(ctx, inv)
			}
			return nil, err
		}
	}
}

// touchesNothing reports whether a tool only reports what the daemon knows, such as its own status.
func touchesNothing(s *tool.Spec) bool {
	e := s.Effects
	return s.Kind == tool.Query && s.Device == tool.NoDevice && e != nil && !e.RunsCode && !e.CallsTools &&
		!slices.ContainsFunc(ways, func(w way) bool { return w.is(e) }) &&
		len(e.Opens)+len(e.Reads)+len(e.Writes) == 0 && e.Files == nil
}
