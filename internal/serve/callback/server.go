package callback

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

var errSlow = errors.New("the callback took too long")

// The bounds of a callback.
const (
	DefaultTimeout = 2 * time.Minute // of the call that it makes
	maxBody        = 1 << 20
	bodyTime       = 10 * time.Second
)

// Calls makes calls from inside of calls that are in flight: a dispatcher, or the hub, which has several.
type Calls interface {
	ResumeIn(ctx context.Context, sessionID, invocationID string, c tool.Call) (*tool.Result, error)
}

// Options shape a Server.
type Options struct {
	Timeout time.Duration // of the call that a callback makes; 0: DefaultTimeout
	Log     *slog.Logger  // nil discards

	// Services makes the typed services beside the door; nil: none. knows reports whether an Authorization header holds
	// the token.
	Services func(calls Calls, knows func(authorization string) bool) http.Handler
}

// Server serves callbacks.
type Server struct {
	o     Options
	calls atomic.Pointer[Calls] // nil until Bind

	granted sync.Mutex
	grants  map[[sha256.Size]byte]Access // by the hash of their token, so that comparing takes no time that tells of it

	listener *listen.Listener

	once    sync.Once
	url     string
	server  *http.Server
	serving sync.WaitGroup
}

// New makes a server. It listens nowhere yet.
func New(o Options) *Server {
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{o: o, grants: map[[sha256.Size]byte]Access{}}
}

// Bind sets the maker of the calls. Before that none is in flight.
func (s *Server) Bind(c Calls) { s.calls.Store(&c) }

// URL returns the address that goes into envelopes, "" when the server cannot listen. The first call begins to listen.
func (s *Server) URL() string {
	s.once.Do(func() {
		if err := s.listen(); err != nil {
			s.o.Log.Warn("tools in other processes cannot call back", "error", err)
		}
	})
	return s.url
}

// services are the typed services, each call within the time of a callback.
func (s *Server) services() http.Handler {
	served := s.o.Services(bound{s}, func(authorization string) bool { return s.findAccess(authorization) != nil })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeoutCause(s.withAccess(r), s.o.Timeout, errSlow)
		defer cancel()
		served.ServeHTTP(w, r.WithContext(ctx))
	})
}

// bound makes calls of whatever the server is bound to, within the reach of the caller.
type bound struct{ *Server }

// ResumeIn implements Calls.
func (b bound) ResumeIn(ctx context.Context, sessionID, invocationID string, c tool.Call) (*tool.Result, error) {
	if reach, ok := ctx.Value(accessKey{}).(Access); ok {
		id, actor, several := strings.Cut(invocationID, "@")
		id, err := reach.only(id)
		if err != nil {
			return nil, err
		}
		if invocationID = id; several {
			invocationID += "@" + actor
		}
	}
	calls := b.calls.Load()
	if calls == nil {
		return nil, fault.New(fault.NotFound, "call back", "no call is in flight")
	}
	leave := b.admit(ctx)
	res, err := (*calls).ResumeIn(ctx, sessionID, invocationID, c)
	leave(err)
	return res, err
}

// Close ends the listener. Requests in flight have until ctx ends.
func (s *Server) Close(ctx context.Context) error {
	s.once.Do(func() {}) // it listens no more
	if s.server == nil {
		return nil
	}
	s.listener.Cut() // nobody waits for them
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
	s.serving.Wait()
	return nil
}
