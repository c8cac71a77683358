package mcpfront

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Pulser is a connection whose daemon can be asked for a sign of life beside it, on the lane that waits for no call. A
// daemon that is stopped or wedged closes nothing: only who asks finds out.
type Pulser interface {
	// Pulse returns when the daemon answers. An error is another kind of end; that of ctx says that nothing came.
	Pulse(ctx context.Context) error
	// Process is the daemon's number, for people.
	Process() int
}

// The bounds of a silence unless told otherwise. A daemon under load answers late, so it has its time; who waits for it is
// told in a quarter of a minute.
const (
	quietTime = 5 * time.Second  // without a line, while somebody waits for one
	pulseTime = 10 * time.Second // for the sign of life
)

// watch closes a connection whose daemon gives no sign of life while the client waits for an answer.
type watch struct {
	f       *front
	w       *wire
	asked   chan struct{} // one token: a request was sent
	lines   atomic.Int64  // that came
	hung    atomic.Bool
	process int
}

func newWatch(f *front, w *wire) *watch {
	return &watch{f: f, w: w, asked: make(chan struct{}, 1)}
}

// sent wakes the watch: somebody waits now.
func (h *watch) sent() {
	select {
	case h.asked <- struct{}{}:
	default:
	}
}

// run watches until ctx ends. It sleeps while nobody waits.
func (h *watch) run(ctx context.Context) {
	p, ok := h.w.conn.(Pulser)
	if !ok {
		return
	}
	h.process = p.Process()
	timer := time.NewTimer(h.f.o.quiet)
	defer timer.Stop()
	for {
		select {
		case <-h.asked:
		case <-ctx.Done():
			return
		}
		for h.f.underWay() {
			before := h.lines.Load()
			timer.Reset(h.f.o.quiet)
			select {
			case <-timer.C:
			case <-ctx.Done():
				return
			}
			if h.lines.Load() == before && h.f.underWay() && !h.alive(ctx, p) {
				h.f.o.Log.Warn("the daemon gives no sign of life", "pid", h.process)
				h.hung.Store(true)
				h.w.close()
				return
			}
		}
	}
}

// alive asks. Only silence is a sign of death here: a daemon that is gone, or refuses, is noticed by the connection itself.
func (h *watch) alive(ctx context.Context, p Pulser) bool {
	asking, cancel := context.WithTimeout(ctx, h.f.o.pulse)
	defer cancel()
	err := p.Pulse(asking)
	return err == nil || ctx.Err() != nil || fault.KindOf(err) != fault.Timeout && asking.Err() == nil
}

// underWay reports whether the daemon owes an answer. A stream that stays open is none.
func (f *front) underWay() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.queue {
		if m.sent && m.asks() && m.method != methodListen {
			return true
		}
	}
	return false
}
