package mcpfront

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Dialer connects to the daemon, starting one if there is none.
type Dialer interface {
	// Dial opens a connection that carries newline-delimited JSON-RPC for the seat that handle names; "" asks for a new
	// seat. It returns the handle of the seat it got.
	Dial(ctx context.Context, handle string) (conn io.ReadWriteCloser, seat string, err error)

	// Stopped reports whether the daemon last dialed ended on purpose. Such a one is not started again before the client
	// asks for something.
	Stopped() bool
}

// Options are what a front is made of.
type Options struct {
	In     io.Reader // the client's lines; the end of it ends the front
	Out    io.Writer // to the client; nothing else may write to it
	Dialer Dialer
	Log    *slog.Logger

	// Patience is how long requests wait for a daemon before they are answered with what went wrong; 20 s if zero.
	Patience time.Duration
	// Grace is how long questions already asked may still be answered after the end of In; 150 ms if zero.
	Grace time.Duration

	maxLine      int           // what a line may have; tests do not move 64 MB
	quiet, pulse time.Duration // of a daemon that somebody waits for; see hung.go
}

// front relays between one client and one daemon at a time. Lines travel each way on a goroutine of their own; the third,
// keep, finds daemons.
type front struct {
	o   Options
	ids ids
	out sync.Mutex // one line at a time to the client

	up   sync.Mutex // the order of lines to the daemon; taken before mu
	wire *wire      // nil while there is no daemon; written under up and mu, read under either

	mu       sync.Mutex
	seat     string
	past     past
	queue    []*message          // requests without an answer, and notifications not yet sent, as they came
	asked    map[string]string   // the daemon's requests to the client: id the client sees → id the daemon gave
	stale    map[string]struct{} // ids a lost daemon asked with, which the client may still answer
	renamed  int
	readOnly map[string]bool // tools that change nothing, as tools/list said

	wanted chan struct{} // one token: something waits for a daemon
	idle   chan struct{} // closed when In has ended and no question is open
	ended  bool
	broken chan error // the client's stdout is gone
}

// Run relays until In ends or ctx does; both are a normal end. The error is only for a stdout that is gone. A reader that
// is blocked in In when ctx ends stays behind: no system lets one interrupt it.
func Run(ctx context.Context, o Options) error {
	if o.Patience == 0 {
		o.Patience = 20 * time.Second
	}
	if o.Grace == 0 {
		o.Grace = 150 * time.Millisecond
	}
	if o.maxLine == 0 {
		o.maxLine = maxLine
	}
	if o.quiet == 0 {
		o.quiet, o.pulse = quietTime, pulseTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	f := &front{
		o: o, ids: newIDs(), asked: map[string]string{}, stale: map[string]struct{}{}, readOnly: map[string]bool{},
		wanted: make(chan struct{}, 1), idle: make(chan struct{}), broken: make(chan error, 1),
	}
	return f.run(ctx)
}

func (f *front) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var kept sync.WaitGroup
	kept.Go(func() { f.keep(ctx) })
	heard := make(chan error, 1)
	go func() { heard <- f.hear() }()

	var err error
	select {
	case <-ctx.Done():
	case err = <-f.broken:
	case end := <-heard:
		f.o.Log.Info("the client has ended", "error", end)
		f.lastAnswers(ctx)
	}
	cancel() // ends dialing and closes the connection, which cancels what still runs
	kept.Wait()
	return err
}

// lastAnswers lets questions that are already asked be answered, as `printf … | trailblaze mcp` expects. Actions are not
// waited for: their client is gone, and they end with the connection.
func (f *front) lastAnswers(ctx context.Context) {
	f.mu.Lock()
	f.ended = true
	f.settleIdle()
	f.mu.Unlock()
	grace := time.NewTimer(f.o.Grace)
	defer grace.Stop()
	select {
	case <-ctx.Done():
	case <-f.idle:
	case <-grace.C:
	}
}

// settleIdle closes idle when nothing is worth waiting for; mu is held.
func (f *front) settleIdle() {
	if !f.ended {
		return
	}
	for _, m := range f.queue {
		if m.asks() && f.repeatable(m) && m.method != methodListen {
			return
		}
	}
	select {
	case <-f.idle:
	default:
		close(f.idle)
	}
}

// say writes one line to the client. It ends in a newline.
func (f *front) say(line []byte) {
	f.out.Lock()
	_, err := f.o.Out.Write(line)
	f.out.Unlock()
	if err != nil {
		select {
		case f.broken <- err:
		default:
		}
	}
}

// want wakes keep.
func (f *front) want() {
	select {
	case f.wanted <- struct{}{}:
	default:
	}
}
