package daemon

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/daemon/link"
)

// connState counts the connections of clients, and tells tend that one went. A connection counts from its first request with
// the token on: others neither keep the daemon alive nor shut its owner out.
func (d *Daemon) connState(c net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		d.strangers.add(c)
	case http.StateClosed, http.StateHijacked: // a hijacked one is a front's, which tells by Enter and Leave
		if d.strangers.remove(c) {
			return
		}
		d.open.Add(-1)
		d.touch()
	default:
	}
}

type connKey struct{}

// connContext lets a request find its connection.
func (d *Daemon) connContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// admit notes that the connection of a request with the token is a client's.
func (d *Daemon) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(net.Conn); ok && d.strangers.remove(c) {
			d.open.Add(1)
			d.touch()
		}
		next.ServeHTTP(w, r)
	})
}

// Enter and Leave count what is connected beyond HTTP's own view: upgraded streams.
func (d *Daemon) Enter() { d.open.Add(1); d.touch() }

// Leave is the end of what Enter began.
func (d *Daemon) Leave() { d.open.Add(-1); d.touch() }

func (d *Daemon) touch() {
	select {
	case d.touched <- struct{}{}:
	default:
	}
}

// tend ends the daemon when it has not been used for long enough. While something is busy it is looked at again after
// another while, since what is served does not tell when it ends.
func (d *Daemon) tend(ctx context.Context, busy func() bool) {
	wait := d.o.Idle
	if wait < 0 {
		<-ctx.Done()
		return
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
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

// retiredIdle is how soon a daemon ends, once unused, that a newer one has replaced.
const retiredIdle = 2 * time.Second

// Retire makes way for a newer daemon: the TCP port is given up, and when nobody waits for an answer this one ends at once,
// leaving what is open for the newer one to go on with. Else it ends when nobody is connected any more.
func (d *Daemon) Retire() (leaving bool) {
	s := d.served.Load()
	if s != nil && s.Leave != nil && !s.Calls() {
		d.stop(errRetired)
		return true
	}
	if !d.retired.Swap(true) {
		d.Log.Info("a newer daemon has come: no more TCP, and the end when nobody is connected")
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

// retireOthers asks the daemons of other builds of this home to make way, and clears what dead ones left. It comes before
// we take the TCP port and look at what lost daemons had open.
func (d *Daemon) retireOthers(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, retireTime)
	defer cancel()
	for _, p := range link.Places(d.o.Home) {
		if p == d.Place {
			continue
		}
		c, err := link.At(ctx, p)
		if err != nil {
			link.Clear(p)
			continue
		}
		var r retirement
		if err = c.Post(ctx, "/v1/retire", struct{}{}, &r); err == nil && r.Leaving {
			err = link.AwaitEnd(ctx, p)
		}
		if err != nil {
			d.Log.Warn("an older daemon did not make way", "pid", c.Boot.PID, "error", err)
		}
	}
}
