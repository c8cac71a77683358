package daemon

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/auth"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
)

// The default bounds of a daemon.
const (
	DefaultPort = 52525
	DefaultIdle = 30 * time.Minute // without a client, a call or a device
	stopLimit   = 8 * time.Second  // for what is served to end
)

// Options shape a daemon.
type Options struct {
	Home    string
	Version string        // as it is shown
	Port    int           // on 127.0.0.1; 0: any free one; negative: none
	Idle    time.Duration // after which an unused daemon ends; negative: never

	// Make builds the handler. It runs while the daemon already listens, so that a client waits
	// only for its own request.
	Make func(d *Daemon) (Served, error)

	// Adopt begins to collect the processes that others leave behind; end kills what is left of them, when all else has
	// ended. nil: they are the system's.
	Adopt func() (end func())

	// Page answers GET requests for /docs, /app and the paths below them. It needs no token, so it must reveal no more
	// than the product's documents do; nil: there is none.
	Page http.Handler

	quiet time.Duration // a connection may have no request for so long; 0: two minutes

	Ready io.WriteCloser // gets "ready" when the daemon listens, or the reason why not; may be nil
}

// Served is the handler behind the checks, and its state.
type Served struct {
	Handler http.Handler
	Busy    func() bool // an idle daemon must not end now
	Calls   func() bool // a call is waiting for its answer
	Close   func(ctx context.Context) error
	// Close, but a newer daemon continues with the open devices; nil: there are none
	Leave func(ctx context.Context) error
}

// endTime is what a killed daemon gets to end.
const endTime = 3 * time.Second

// Serve runs a daemon until ctx ends, a client stops it, or it has been idle for long enough. One
// daemon of a build runs at a time; a second one is refused with fault.Conflict.
func Serve(ctx context.Context, o Options) (err error) {
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	defer func() { announce(o.Ready, err) }()
	build, err := boot.Build()
	if err != nil {
		return err
	}
	p := boot.PlaceOf(o.Home, build)
	if err := boot.Private(p.Dir); err != nil {
		return err
	}
	// a killed daemon holds its lock until the last of its threads has ended
	wait, cancel := context.WithTimeout(ctx, endTime)
	held, err := file.OpenLocked(wait, p.LockFile())
	ended := wait.Err() != nil && ctx.Err() == nil
	cancel()
	switch {
	case err != nil && ended:
		return fault.New(fault.Conflict, "start daemon", "one is running already").
			WithHint("See `trailblaze daemon status`.")
	case err != nil:
		return fault.Wrap(err, fault.Unavailable, "lock daemon's place")
	}
	defer func() { _ = held.Close() }()
	log, logFile, err := openLog(p.LogFile())
	if err != nil {
		return err
	}
	defer func() { _ = logFile.Close() }()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d := &Daemon{Place: p, Log: log, o: o, stop: stop, touched: make(chan struct{}, 1),
		asked: make(chan struct{}, 1), ending: make(chan struct{}),
		logFile: logFile}
	defer d.release()
	if o.Adopt != nil {
		defer o.Adopt()()
	}
	d.Boot = boot.Boot{PID: os.Getpid(), Build: build, Version: o.Version, Token: rand.Text() + rand.Text(),
		Started: time.Now().UTC()}
	return d.run(ctx)
}

// deathTime limits the time in which a killed daemon is gone after its lock is.
const deathTime = 2 * time.Second

// succeed waits until the daemon before this one is gone, if it was killed: only then its files have no owner.
func (d *Daemon) succeed(ctx context.Context) {
	old, err := boot.Read(d.Place)
	if err != nil || old.PID == os.Getpid() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, deathTime)
	defer cancel()
	for wait := time.Millisecond; proc.Alive(old.PID); wait = min(2*wait, 50*time.Millisecond) {
		select { // no event tells of the end of a process that is not a child
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// run listens, serves and ends in order.
func (d *Daemon) run(ctx context.Context) error {
	listeners, err := d.listen(ctx)
	if err != nil {
		d.Log.Error("did not start", "error", err)
		return err
	}
	behind := &late{ready: make(chan struct{})}
	d.checks = auth.New(d.Boot.Token, d.admit(d.control(), behind)).WithPage(d.o.Page, "/docs", appPath).
		KeepPages(filepath.Join(d.o.Home, "run", "pages.json"))
	srv := &http.Server{
		Handler:           d.checks,
		ReadHeaderTimeout: listen.HeaderTime,
		Protocols:         protocols(),
		MaxHeaderBytes:    64 << 10,
		// The general handler would answer OPTIONS * before any check.
		IdleTimeout: cmp.Or(d.o.quiet, listen.IdleTime), DisableGeneralOptionsHandler: true,
		ConnState: d.connState, ConnContext: listen.WithConn,
		ErrorLog:    slog.NewLogLogger(d.Log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	var serving sync.WaitGroup
	for _, l := range listeners {
		serving.Go(func() {
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) &&
				!errors.Is(err, net.ErrClosed) {
				d.Log.Error("a listener ended", "address", l.Addr().String(), "error", err)
			}
		})
	}
	d.succeed(ctx)
	if err := boot.Write(d.Place, d.Boot); err != nil {
		d.Log.Error("did not start", "error", err)
		_ = srv.Close()
		serving.Wait()
		return err
	}
	d.Log.Info("listening", "socket", d.Boot.Socket, "port", d.Boot.Port, "pid", d.Boot.PID, "build", d.Boot.Build,
		"version", d.Boot.Version)
	announce(d.o.Ready, nil)
	served, err := d.o.Make(d)
	if err == nil {
		d.served.Store(&served)
		behind.set(served.Handler)
		var tending sync.WaitGroup
		tending.Go(func() { d.tend(ctx, served.Busy) })
		<-ctx.Done()
		d.Log.Info("ending", "why", context.Cause(ctx).Error())
		tending.Wait()
	} else {
		d.Log.Error("nothing to serve", "error", err)
		d.apologize(ctx, behind, err)
	}
	_ = os.Remove(d.Place.BootFile()) // no new client from now on
	close(d.ending)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
	defer cancel()
	closing := served.Close
	if served.Leave != nil && errors.Is(context.Cause(ctx), errRetired) {
		closing = served.Leave
	}
	if closing != nil {
		if e := closing(end); e != nil {
			d.Log.Warn("not everything ended in time", "error", e)
		}
	}
	short, enough := context.WithTimeout(end, time.Second)
	defer enough()
	if srv.Shutdown(short) != nil {
		_ = srv.Close()
	}
	serving.Wait()
	if d.Boot.Socket != "" {
		_ = os.Remove(d.Boot.Socket)
	}
	d.Log.Info("ended")
	return err
}

// appPath is the path of the viewer.
const appPath = "/app"

// protocols are HTTP/1.1, and HTTP/2 without TLS for clients of gRPC.
func protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}

// apologyTime is the time for which a daemon whose handler failed to build stays to report the error to the client
// that started it.
const apologyTime = 2 * time.Second

// apologize answers the first request with the error that kept the handler from being built.
func (d *Daemon) apologize(ctx context.Context, behind *late, err error) {
	told := make(chan struct{})
	var once sync.Once
	behind.set(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		auth.Refuse(w, http.StatusServiceUnavailable, string(fault.KindOf(err)), err.Error(), fault.HintOf(err))
		once.Do(func() { close(told) })
	}))
	limit := time.NewTimer(apologyTime)
	defer limit.Stop()
	select {
	case <-told:
	case <-ctx.Done():
	case <-limit.C:
	}
}

// announce reports the outcome to the starting process, once.
func announce(w io.WriteCloser, err error) {
	if w == nil {
		return
	}
	text := "ready"
	if err != nil {
		text = err.Error()
	}
	_, _ = fmt.Fprintln(w, text) // a second time it is closed
	_ = w.Close()
}

// Port reads TRAILBLAZE_PORT; "" is the default.
func Port(text string) (int, error) {
	if text == "" {
		return DefaultPort, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 || n > 65535 {
		return 0, fault.New(fault.Invalid, "read TRAILBLAZE_PORT", "%q is not a port", text).
			WithHint("Use a number up to 65535; 0 takes any free port, -1 none.")
	}
	return n, nil
}

// release closes the connections that wait for the daemon's end.
func (d *Daemon) release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.waiting {
		_ = c.Close()
	}
}
