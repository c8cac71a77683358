package mcpstdio

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/mcpserver"
	"github.com/trailblaze-dev/trailblaze/internal/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

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
	// Attend runs ask, and fails with fault.Timeout when the daemon gives no sign of life meanwhile.
	Attend func(ctx context.Context, ask func(context.Context) error) error
	Close  func()

	served atomic.Bool // it has answered something
}

// early is a list of tools, and the question for it.
type early struct {
	asked  *pb.ListListedToolsRequest
	listed *pb.ListListedToolsResponse
}

// remote is AgentService of whichever daemon there is.
type remote struct {
	o    Options
	life context.Context //nolint:containedctx // ends with Serve
	end  context.CancelFunc

	looking sync.WaitGroup
	shown   chan struct{} // has one word when the client has a list that was made here

	mu      sync.Mutex
	first   func() (Lister, error) // see Options.First; nil once a daemon was told who the client is
	early   *early                 // what was listed before a daemon watched the client; nil: nothing
	link    *Link                  // nil while there is none
	next    chan struct{}          // closed when there is one again
	attempt *attempt               // to find one; nil: nobody looks
}

// attempt is a search for a daemon, whose outcome all get who wait for it.
type attempt struct {
	done chan struct{}
	link *Link
	err  error
}

var _ mcpserver.Daemon = (*remote)(nil)

func newRemote(ctx context.Context, o Options) *remote {
	r := &remote{o: o, next: make(chan struct{}), shown: make(chan struct{}, 1)}
	r.life, r.end = context.WithCancel(ctx)
	client := proto.CloneOf(o.Client) // the name comes later
	first := sync.OnceValues(func() (Lister, error) {
		here, err := o.First()
		if err == nil {
			client.List = &pb.ListListedToolsRequest{} // has the tools described before they are asked for
			_, err = here.OpenClient(r.life, client)
		}
		return here, err
	})
	r.first = first
	r.looking.Go(func() { // before they are needed: the list, and the daemon
		if _, err := first(); err == nil && !r.pause() {
			return
		}
		_, _ = r.get(r.life)
	})
	return r
}

// afterList is how long after its list a client is left alone with what it asks for first. A daemon that starts takes
// processors from it, and a client that only looks what there is needs none.
const afterList = 30 * time.Millisecond

// pause waits until the client has had its list for a moment, or is gone: then it is false.
func (r *remote) pause() bool {
	select {
	case <-r.shown:
	case <-r.life.Done():
		return false
	}
	t := time.NewTimer(afterList)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.life.Done():
		return false
	}
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

// await waits until somebody else has found a daemon.
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
	bounded, cancel := context.WithTimeout(ctx, client.ControlTime)
	defer cancel()
	r.mu.Lock()
	r.first = nil
	r.mu.Unlock()
	opened, err := l.Agents.OpenClient(bounded, r.o.Client)
	if err != nil {
		l.Close()
		if bounded.Err() != nil && ctx.Err() == nil {
			return nil, client.Silent(l.PID)
		}
		if err = rpcerr.From(err); fault.KindOf(err) == fault.Canceled && bounded.Err() == nil {
			return nil, fault.New(fault.Unavailable, "call daemon", "%w", err) // a connection that was cut
		}
		return nil, err
	}
	if list := opened.GetList(); list != nil {
		r.mu.Lock()
		r.early = &early{r.o.Client.List, list}
		r.mu.Unlock()
	}
	r.o.Client.List = nil
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

// takeEarly takes what was listed before a daemon watched the client.
func (r *remote) takeEarly() *early {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.early
	r.early = nil
	return e
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
