package calls

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// Options shape a Registry.
type Options struct {
	JobAfter  time.Duration // when a detachable call becomes a job
	Heartbeat time.Duration // between progress reports of a call that lasts
	Now       func() time.Time
	Log       *slog.Logger
}

// Registry holds the calls in flight and the jobs.
type Registry struct {
	o    Options
	work sync.WaitGroup // calls, and the goroutines that run them

	Changed Broadcast // a call has begun or ended, has or awaits its device, or the registry was closed

	mu     sync.Mutex // held for moments, never while anything is waited for
	calls  map[string]*Call
	jobs   map[string]*job
	active time.Time
	closed bool
}

// Runner carries out a call and makes its reply.
type Runner func(*Call) (*Reply, error)

// NewRegistry makes a Registry.
func NewRegistry(o Options) *Registry {
	return &Registry{o: o, calls: map[string]*Call{}, jobs: map[string]*job{}, active: o.Now()}
}

// Begin registers a call, whose maker ends it. It is for work that a management tool has the hub do; the call waits
// for its device like any other.
func (r *Registry) Begin(ctx context.Context, by *clients.Client, q Request) (*Call, error) {
	if by == nil {
		return nil, fault.New(fault.Invalid, "call "+q.Call.Name, "there is no client")
	}
	q.From = cmp.Or(q.From, dispatch.API)
	q.Secrets = by.WithSecrets(q.Secrets)
	ctx, cancel := context.WithCancelCause(ctx)
	c := &Call{id: rand.Text(), registry: r, client: by, parent: From(ctx), req: q, started: r.o.Now(), cancel: cancel}
	c.reply.CallID, c.reply.Client = c.id, by.ID()
	c.ctx = context.WithValue(ctx, callKey{}, c)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		err := fault.New(fault.Unavailable, "call "+q.Call.Name, "the daemon is stopping").
			WithHint("Call again: a new one is started.")
		cancel(err)
		return nil, err
	}
	r.calls[c.id] = c
	r.active = c.started
	r.work.Add(1)
	r.Changed.Wake()
	return c, nil
}

// Panicked logs a panic and makes the error that its caller gets. The text of the panic stays in
// the log: it may hold anything.
func Panicked(log *slog.Logger, op string, p any) error {
	log.Error("a panic", "op", op, "panic", p, "stack", string(debug.Stack()))
	return fault.New(fault.Internal, op, "this is a fault of Trailblaze; what it did is not known").
		WithHint("`trailblaze daemon logs` shows it.")
}

// Close refuses calls from now on.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.Changed.Wake()
}

// Closed reports whether calls are refused.
func (r *Registry) Closed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Wait returns when no call is in flight, or when ctx ends.
func (r *Registry) Wait(ctx context.Context) error { return Wait(ctx, &r.work, "calls") }

// Wait is WaitGroup.Wait with an end. Should ctx end first, one goroutine keeps waiting for the stuck work.
func Wait(ctx context.Context, wg *sync.WaitGroup, what string) error {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fault.New(fault.Timeout, "", "%s still run: %w", what, ctx.Err())
	}
}

// Running lists the calls in flight.
func (r *Registry) Running() []*Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]*Call, 0, len(r.calls))
	for _, c := range r.calls {
		out = append(out, c)
	}
	return out
}

// Of lists the calls of a client that are in flight.
func (r *Registry) Of(by *clients.Client) []*Call {
	return slices.DeleteFunc(r.Running(), func(c *Call) bool { return c.client != by })
}

// Busy reports whether a client has calls or jobs.
func (r *Registry) Busy(by *clients.Client) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		if c.client == by {
			return true
		}
	}
	for _, j := range r.jobs {
		if j.call.client == by {
			return true
		}
	}
	return false
}

// Active returns the time at which a call last began or ended.
func (r *Registry) Active() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.active
}

// Status lists the calls in flight, oldest first.
func (r *Registry) Status() []Status {
	running := r.Running()
	slices.SortFunc(running, func(a, b *Call) int {
		return cmp.Or(a.started.Compare(b.started), cmp.Compare(a.id, b.id))
	})
	out := make([]Status, 0, len(running))
	for _, c := range running {
		out = append(out, c.Status())
	}
	return out
}
