package mcpproxy

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/rpcid"
)

// Dialer connects to the daemon, starting one if there is none.
type Dialer interface {
	// Dial opens a connection that carries newline-delimited JSON-RPC for the client with this id; ""
	// asks for a new client. It returns the id of the client it got.
	Dial(ctx context.Context, clientID string) (conn io.ReadWriteCloser, got string, err error)

	// Stopped reports whether the daemon last dialed ended on purpose. The proxy does not start
	// such a daemon again before the client sends a request.
	Stopped() bool
}

// Options shape a proxy.
type Options struct {
	In     io.Reader // the client's lines; their end ends the proxy
	Out    io.Writer // to the client; nothing else may write to it
	Dialer Dialer
	Log    *slog.Logger

	// DialTimeout is how long requests wait for a daemon before they fail with the reason; 20 s if
	// zero.
	DialTimeout time.Duration
	// Grace is how long open questions may still be answered after the end of In; 150 ms if zero.
	Grace time.Duration

	maxLine                int           // bytes of a line; tests set a small one
	silence, healthTimeout time.Duration // of a daemon that owes an answer; see health.go
}

// proxy relays between one client and one daemon at a time. Each direction has a goroutine; a
// third, keepConnected, finds daemons.
type proxy struct {
	o   Options
	ids rpcid.Keeper
	out sync.Mutex // one line at a time to the client

	up   sync.Mutex // the order of lines to the daemon; taken before mu
	wire *wire      // nil while there is no daemon; written under up and mu, read under either

	mu       sync.Mutex
	clientID string
	state    replayedState
	queue    []*message          // unanswered requests and unsent notifications, in order
	asked    map[string]string   // the daemon's requests to the client: id the client sees → id the daemon gave
	stale    map[string]struct{} // ids a lost daemon asked with, which the client may still answer
	renamed  int
	readOnly map[string]bool // tools that change nothing, as tools/list said

	wanted chan struct{} // one token: a message waits for a daemon
	idle   chan struct{} // closed when In has ended and no question is open
	ended  bool
	broken chan error // the client's stdout cannot be written
}

// Run relays until In ends or ctx does; both are a normal end. It returns an error only when stdout
// cannot be written. A reader blocked in In when ctx ends stays behind, because no system can
// interrupt it.
func Run(ctx context.Context, o Options) error {
	if o.DialTimeout == 0 {
		o.DialTimeout = 20 * time.Second
	}
	if o.Grace == 0 {
		o.Grace = 150 * time.Millisecond
	}
	if o.maxLine == 0 {
		o.maxLine = maxLine
	}
	if o.silence == 0 {
		o.silence, o.healthTimeout = silenceTime, healthTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	px := &proxy{
		o: o, ids: rpcid.New(), asked: map[string]string{}, stale: map[string]struct{}{}, readOnly: map[string]bool{},
		wanted: make(chan struct{}, 1), idle: make(chan struct{}), broken: make(chan error, 1),
	}
	return px.run(ctx)
}

func (px *proxy) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var reconnecting sync.WaitGroup
	reconnecting.Go(func() { px.keepConnected(ctx) })
	heard := make(chan error, 1)
	go func() { heard <- px.readClient() }()

	var err error
	select {
	case <-ctx.Done():
	case err = <-px.broken:
	case end := <-heard:
		px.o.Log.Info("the client has ended", "error", end)
		px.lastAnswers(ctx)
	}
	cancel() // ends dialing and closes the connection, which cancels what still runs
	reconnecting.Wait()
	return err
}

// lastAnswers waits for answers to open questions, as `printf … | trailblaze mcp` expects. It does
// not wait for actions: their client is gone, and they end with the connection.
func (px *proxy) lastAnswers(ctx context.Context) {
	px.mu.Lock()
	px.ended = true
	px.settleIdle()
	px.mu.Unlock()
	grace := time.NewTimer(px.o.Grace)
	defer grace.Stop()
	select {
	case <-ctx.Done():
	case <-px.idle:
	case <-grace.C:
	}
}

// settleIdle closes idle when no answer is worth waiting for; mu is held.
func (px *proxy) settleIdle() {
	if !px.ended {
		return
	}
	for _, m := range px.queue {
		if m.asks() && px.repeatable(m) && m.method != methodListen {
			return
		}
	}
	select {
	case <-px.idle:
	default:
		close(px.idle)
	}
}

// writeLine writes one line, which ends in a newline, to the client.
func (px *proxy) writeLine(line []byte) {
	px.out.Lock()
	_, err := px.o.Out.Write(line)
	px.out.Unlock()
	if err != nil {
		select {
		case px.broken <- err:
		default:
		}
	}
}

// want wakes keepConnected.
func (px *proxy) want() {
	select {
	case px.wanted <- struct{}{}:
	default:
	}
}
