package daemon

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/auth"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

var (
	errIdle    = errors.New("the daemon was not used for long enough")
	errRetired = errors.New("a newer daemon goes on with what is open")
)

// ErrStopped is the cause when a client ends the daemon.
var ErrStopped = errors.New("the daemon was told to stop")

// late is a handler that requests wait for until it is built.
type late struct {
	ready   chan struct{}
	handler http.Handler
}

// Daemon is the running process.
type Daemon struct {
	Boot  boot.Boot
	Place boot.Place
	Log   *slog.Logger
	TCP   string // why TCP could not be had; "" when it could

	o       Options
	checks  *auth.Checks
	stop    context.CancelCauseFunc
	open    atomic.Int64 // connections of clients that have shown the token
	retired atomic.Bool
	touched chan struct{}
	asked   chan struct{} // one token: a request came
	tcp     net.Listener
	logFile *logFile
	ending  chan struct{} // closed when the end begins
	served  atomic.Pointer[Served]

	mu      sync.Mutex
	waiting []net.Conn // that wait for the end
}

// connState counts the connections of clients, and wakes tend when one closes. A connection counts
// from its first request with the token on, so that others neither keep the daemon alive nor shut
// its owner out.
func (d *Daemon) connState(c net.Conn, s http.ConnState) {
	switch s {
	case http.StateClosed, http.StateHijacked: // who waits for the end of the daemon
		if listen.Admitted(c) {
			d.open.Add(-1)
			d.touch()
		}
	default:
	}
}

// admit notes that the connection of a request with the token is a client's. What control does not answer waits for the
// handler behind it.
func (d *Daemon) admit(control *http.ServeMux, behind *late) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if listen.Admit(listen.ConnOf(r.Context())) {
			d.open.Add(1)
			d.touch()
		}
		d.note()
		defer d.note()
		next := http.Handler(control)
		if _, pattern := control.Handler(r); pattern == "" {
			select {
			case <-behind.ready:
				next = behind.handler
			case <-r.Context().Done():
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// note notes that something is asked, or was answered.
func (d *Daemon) note() {
	select {
	case d.asked <- struct{}{}:
	default:
	}
}

func (d *Daemon) touch() {
	select {
	case d.touched <- struct{}{}:
	default:
	}
}

// restTime is the time without a request after which memory goes back to the system: Go collects garbage when more is
// allocated, and an idle daemon allocates nothing for minutes.
const restTime = 10 * time.Second

// tend ends the daemon when it has been idle for long enough, and returns the memory of its last calls to the system
// before. A busy daemon is checked again after the same time, because the end of its work sends no signal.
func (d *Daemon) tend(ctx context.Context, busy func() bool) {
	wait := d.o.Idle
	if wait < 0 {
		wait = math.MaxInt64
	}
	rest := time.NewTimer(restTime)
	defer rest.Stop()
	t := time.NewTimer(wait)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.asked:
			rest.Reset(restTime)
			continue
		case <-rest.C:
			debug.FreeOSMemory()
			continue
		case <-d.touched:
		case <-t.C:
			if d.open.Load() == 0 && (busy == nil || !busy()) {
				d.stop(errIdle)
				return
			}
		}
		left := wait
		if d.retired.Load() {
			left = min(wait, retiredIdle)
		}
		t.Reset(left)
	}
}

// retiredIdle is the idle time of a daemon that a newer one has replaced.
const retiredIdle = 2 * time.Second

// Retire makes way for a newer daemon. It gives up the TCP port. Without a call in flight this
// daemon ends at once, leaving the open devices for the newer one; otherwise it ends when no client
// is connected any more.
func (d *Daemon) Retire() (leaving bool) {
	s := d.served.Load()
	if s != nil && s.Leave != nil && !s.Calls() {
		d.stop(errRetired)
		return true
	}
	if !d.retired.Swap(true) {
		d.Log.Info("a newer daemon replaces this one: it closes TCP and ends without connections")
		if d.tcp != nil {
			_ = d.tcp.Close()
		}
		d.touch()
	}
	return false
}

// retirement is the answer to a newer daemon.
type retirement struct {
	Leaving bool `json:"leaving"` // the daemon ends now
}

// retireTime bounds how long a new daemon waits for an older one to make way.
const retireTime = 4 * time.Second

// retireOthers asks the daemons of other builds of this home to make way, and removes the files of
// dead ones. It runs before this daemon takes the TCP port and reads which devices lost daemons had
// open.
func (d *Daemon) retireOthers(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, retireTime)
	defer cancel()
	for _, p := range boot.Places(d.o.Home) {
		if p == d.Place {
			continue
		}
		c, err := dial.At(ctx, p)
		if err != nil {
			dial.Clear(p)
			continue
		}
		var r retirement
		if err = c.Post(ctx, "/v1/retire", &r); err == nil && r.Leaving {
			err = dial.AwaitEnd(ctx, p)
		}
		if err != nil {
			d.Log.Warn("an older daemon did not make way", "pid", c.Boot.PID, "error", err)
		}
	}
}

func (l *late) set(h http.Handler) {
	l.handler = h
	close(l.ready)
}

// Stop asks the daemon to end.
func (d *Daemon) Stop() { d.stop(ErrStopped) }
