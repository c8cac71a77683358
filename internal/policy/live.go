package policy

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Live is the policy of a process that outlives changes of the file: every call obeys the file as it stands. A file that
// cannot be read allows nothing until it is mended.
type Live struct {
	o Options

	mu    sync.Mutex
	stamp stamp
	p     *Policy
	err   error
}

// stamp tells one state of a file from another.
type stamp struct {
	there bool
	size  int64
	time  time.Time
}

// Follow makes a Live. Nothing is read yet.
func Follow(o Options) *Live { return &Live{o: o} }

// Current is the policy as the file has it now.
func (l *Live) Current() (*Policy, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var now stamp
	if path := l.o.path(); path != "" {
		if info, err := os.Stat(path); err == nil {
			now = stamp{true, info.Size(), info.ModTime()}
		}
	}
	if l.p == nil && l.err == nil || now != l.stamp {
		l.stamp = now
		l.p, l.err = Load(l.o)
	}
	return l.p, l.err
}

// Middleware is that of the policy in force at each call.
func (l *Live) Middleware() dispatch.Middleware {
	return func(next dispatch.Handler) dispatch.Handler {
		return func(ctx context.Context, inv *dispatch.Invocation) (*tool.Result, error) {
			p, err := l.Current()
			if err != nil {
				return nil, err
			}
			return p.Middleware()(next)(ctx, inv)
		}
	}
}
