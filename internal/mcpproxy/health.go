package mcpproxy

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// HealthChecker is a connection whose daemon can be checked beside it, on the control lane, which
// waits for no call. A daemon that is stopped or wedged closes nothing, so only a check finds out.
type HealthChecker interface {
	// Check returns when the daemon answers. The error of ctx means that no answer came; any other
	// means that the daemon has ended or refuses.
	Check(ctx context.Context) error
	// Process is the daemon's process id, for messages.
	Process() int
}

// The default bounds of a silence. A daemon under load answers late, so both are generous; together
// they make a client wait for 15 s.
const (
	silenceTime = 5 * time.Second  // without a line, while the daemon owes one
	healthTime  = 10 * time.Second // for the sign of life
)

// watch closes a connection whose daemon fails the health check while the client waits for an answer.
type watch struct {
	px      *proxy
	w       *wire
	asked   chan struct{} // one token: a request was sent
	lines   atomic.Int64  // received
	hung    atomic.Bool
	process int
}

func newWatch(px *proxy, w *wire) *watch {
	return &watch{px: px, w: w, asked: make(chan struct{}, 1)}
}

// sent wakes the watch: the daemon owes an answer now.
func (h *watch) sent() {
	select {
	case h.asked <- struct{}{}:
	default:
	}
}

// run watches until ctx ends. It sleeps while the daemon owes no answer.
func (h *watch) run(ctx context.Context) {
	p, ok := h.w.conn.(HealthChecker)
	if !ok {
		return
	}
	h.process = p.Process()
	timer := time.NewTimer(h.px.o.silence)
	defer timer.Stop()
	for {
		select {
		case <-h.asked:
		case <-ctx.Done():
			return
		}
		for h.px.underWay() {
			before := h.lines.Load()
			timer.Reset(h.px.o.silence)
			select {
			case <-timer.C:
			case <-ctx.Done():
				return
			}
			if h.lines.Load() == before && h.px.underWay() && !h.alive(ctx, p) {
				h.px.o.Log.Warn("the daemon does not answer its health check", "pid", h.process)
				h.hung.Store(true)
				h.w.close()
				return
			}
		}
	}
}

// alive checks the daemon. Any answer counts as alive; a daemon that has ended or refuses surfaces on
// the connection.
func (h *watch) alive(ctx context.Context, p HealthChecker) bool {
	asking, cancel := context.WithTimeout(ctx, h.px.o.healthTimeout)
	defer cancel()
	err := p.Check(asking)
	return err == nil || ctx.Err() != nil || fault.KindOf(err) != fault.Timeout && asking.Err() == nil
}

// underWay reports whether the daemon owes an answer. An open stream does not count.
func (px *proxy) underWay() bool {
	px.mu.Lock()
	defer px.mu.Unlock()
	for _, m := range px.queue {
		if m.sent && m.asks() && m.method != methodListen {
			return true
		}
	}
	return false
}
