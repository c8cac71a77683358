package mcpstdio

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
	"github.com/trailblaze-dev/trailblaze/internal/serve/mcpserver"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

const codeNoDaemon = -32010 // of JSON-RPC's range left to servers

// Dialer finds the daemon, starting one if there is none.
type Dialer interface {
	Dial(ctx context.Context) (*Link, error)

	// Stopped reports whether the daemon last dialed ended on purpose. Such a daemon is not started again before the
	// client asks for something.
	Stopped() bool
}

// Link is the way to one daemon.
type Link struct {
	Agents trailblazev1connect.AgentServiceClient
	PID    int
	// Attend ends the context of a request when the daemon gives no sign of life. ended takes the error of the request
	// and returns a fault.Timeout in its place then.
	Attend func(ctx context.Context) (attended context.Context, ended func(error) error)
	Close  func()

	served atomic.Bool // it has answered something
}

// remote is AgentService of whichever daemon there is.
type remote struct {
	o    Options
	life context.Context //nolint:containedctx // ends with Serve
	end  context.CancelFunc

	looking sync.WaitGroup
	early   *earlyList

	mu      sync.Mutex
	link    *Link         // nil while there is none
	next    chan struct{} // closed when there is one again
	attempt *attempt      // to find one; nil: nobody looks
}

// attempt is a search for a daemon, whose outcome all get who wait for it.
type attempt struct {
	done chan struct{}
	link *Link
	err  error
}

var _ mcpserver.Daemon = (*remote)(nil)

func newRemote(ctx context.Context, o Options) *remote {
	r := &remote{o: o, next: make(chan struct{})}
	r.life, r.end = context.WithCancel(ctx)
	r.early = newEarlyList(r.life, o)
	r.looking.Go(func() { // before they are needed: the list, and the daemon
		if r.early.prepare(r.life) {
			_, _ = r.get(r.life)
		}
	})
	return r
}

func (r *remote) close() {
	r.end()
	r.looking.Wait()
	r.mu.Lock()
	l := r.link
	r.link = nil
	r.mu.Unlock()
	if l != nil {
		l.Close()
	}
}

// current is the link there is, or nil and what says that there is one.
func (r *remote) current() (*Link, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.link, r.next
}

// await waits until another goroutine has found a daemon.
func (r *remote) await(ctx context.Context) (*Link, error) {
	for {
		l, next := r.current()
		if l != nil {
			return l, nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// get finds a daemon. The client is open there.
func (r *remote) get(ctx context.Context) (*Link, error) {
	r.mu.Lock()
	if r.link != nil {
		defer r.mu.Unlock()
		return r.link, nil
	}
	a := r.attempt
	if a == nil {
		a = &attempt{done: make(chan struct{})}
		r.attempt = a
		r.looking.Go(func() { r.look(a) })
	}
	r.mu.Unlock()
	select {
	case <-a.done:
		return a.link, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// look finds a daemon for all who wait.
func (r *remote) look(a *attempt) {
	a.link, a.err = r.find()
	r.mu.Lock()
	r.attempt = nil
	if a.err == nil {
		r.link = a.link
		close(r.next)
		r.next = make(chan struct{})
	}
	r.mu.Unlock()
	close(a.done)
}

// find dials until a daemon has the client, or the timeout ends.
func (r *remote) find() (*Link, error) {
	ctx, cancel := context.WithTimeout(r.life, r.o.DialTimeout)
	defer cancel()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		l, err := r.dial(ctx)
		if err == nil {
			return l, nil
		}
		r.o.Log.Warn("no daemon", "error", err)
		if final(err) {
			return nil, unreachable(err)
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, unreachable(err)
		}
	}
}

func (r *remote) dial(ctx context.Context) (*Link, error) {
	l, err := r.o.Dialer.Dial(ctx)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, dial.ControlTime)
	defer cancel()
	r.early.end()
	opened, err := l.Agents.OpenClient(bounded, r.o.Client)
	if err != nil {
		l.Close()
		if bounded.Err() != nil && ctx.Err() == nil {
			return nil, dial.Silent(l.PID)
		}
		if err = rpcerr.From(err); fault.KindOf(err) == fault.Canceled && bounded.Err() == nil {
			return nil, fault.New(fault.Unavailable, "call daemon", "%w", err) // a connection that was cut
		}
		return nil, err
	}
	r.early.opened(opened.GetList())
	// the whole id would let a reader act as the client
	r.o.Log.Info("connected", "pid", l.PID, "client", r.o.Client.ClientId[:8])
	return l, nil
}

// final reports whether another attempt is useless.
func final(err error) bool {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Denied, fault.Unsupported, fault.NotFound, fault.Conflict, fault.Canceled:
		return true
	case fault.Timeout, fault.Unavailable, fault.Busy, fault.Internal, fault.Assertion, fault.NotActed, fault.Degraded:
		return false
	}
	return false
}

// lost gives a daemon up.
func (r *remote) lost(l *Link, why error) {
	r.mu.Lock()
	known := r.link == l
	if known {
		r.link = nil
	}
	r.mu.Unlock()
	if known {
		r.o.Log.Debug("the daemon is lost", "pid", l.PID, "error", why)
		l.Close()
	}
}

// answered reports whether err, or none, is what a daemon said, and not that it was lost.
func answered(err error) bool { return err == nil || rpcerr.Answered(err) }

// hung reports whether the daemon is there and gives no sign of life.
func hung(err error) bool { return fault.KindOf(err) == fault.Timeout && !rpcerr.IsRPC(err) }

// unreachable is the answer to a request for which no daemon was found.
func unreachable(err error) error {
	text := fmt.Sprintf("the Trailblaze daemon cannot be reached: %v.", err)
	if fault.KindOf(err) == fault.Invalid { // it was reached, and refuses what the client was started with
		text = err.Error() + "."
	}
	if hint := fault.HintOf(err); hint != "" {
		text += " " + hint
	} else {
		text += " `trailblaze daemon logs` tells why, `trailblaze doctor` looks for what is missing. The next request " +
			"tries again."
	}
	return &jsonrpc.Error{Code: codeNoDaemon, Message: text}
}

// OpenClient implements mcpserver.Daemon: the client is opened at each daemon.
func (r *remote) OpenClient(context.Context, *pb.OpenClientRequest) (*pb.OpenClientResponse, error) {
	return &pb.OpenClientResponse{ClientId: r.o.Client.ClientId}, nil
}

func newEarlyList(ctx context.Context, o Options) *earlyList {
	client := proto.CloneOf(o.Client) // the name comes later
	return &earlyList{client: o.Client, shown: make(chan struct{}, 1), lister: sync.OnceValues(func() (Lister, error) {
		here, err := o.First()
		if err == nil {
			client.List = &pb.ListListedToolsRequest{} // has the tools described before they are asked for
			_, err = here.OpenClient(ctx, client)
		}
		return here, err
	})}
}
