package extern

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The bounds of a server.
const (
	startTime    = time.Minute            // until it has shaken hands and listed its tools; see EnvStart
	callTime     = 30 * time.Second       // of a call whose tool says nothing else
	stopTime     = 300 * time.Millisecond // to end by itself once its stdin is closed
	steadyTime   = 30 * time.Second       // a server that was up for so long starts its count of failures anew
	firstPause   = 250 * time.Millisecond // before it is started again; doubled each time
	maxPause     = 30 * time.Second
	maxFailures  = 6 // in a row; after them only a call or a reload starts it again
	cancelTime   = 2 * time.Second
	maxTools     = 1000
	maxDelegates = 100
)

// EnvStart is the variable that says in milliseconds how long a server may take to start.
const EnvStart = "TRAILBLAZE_MCP_SUBPROCESS_HANDSHAKE_TIMEOUT_MS"

// Server is an external MCP server.
type Server struct {
	declaration
	life    context.Context // until Close: a lifetime owner
	end     context.CancelCauseFunc
	work    sync.WaitGroup
	once    sync.Once     // starts the supervisor
	looked  sync.Once     // for a kept listing
	wanted  chan struct{} // somebody waits for a server that was given up
	overlap chan struct{} // calls of two sessions have met
	landed  chan struct{} // a call has ended

	mu       sync.Mutex
	changed  chan struct{} // closed whenever what is below changes
	up       *connection   // nil: there is none
	err      error         // with up nil: why; nil: it is starting
	http     bool          // it is started for HTTP from now on
	single   bool          // it cannot be started for HTTP
	nameless bool          // it has called back without saying for which call
	offer    offer         // of the last connection
	loaded   string        // the fingerprint of the offer that Load returned last
	watchers map[*func()]struct{}
	inFlight flights
}

// declaration is how the workspace declares a server: what it needs no connection for.
type declaration struct {
	o      source.Options
	c      source.Server
	handed *memory.Store // secrets that the server was ever given; what it writes is masked by them
}

var (
	_ source.Service = (*Server)(nil)
)

var errClosed = fault.New(fault.Canceled, "", "the workspace is being closed")

// New makes a source of each external server of a workspace. Nothing is started before Load.
func New(o source.Options) []tool.Source {
	var out []tool.Source
	for _, c := range o.Servers {
		out = append(out, newServer(o, c))
	}
	return out
}

// Serve makes the source of one server, as source.Options wants it.
func Serve(o source.Options) func(source.Server) source.Service {
	return func(c source.Server) source.Service { return newServer(o, c) }
}

func newServer(o source.Options, c source.Server) *Server {
	c.Transport = cmp.Or(c.Transport, source.Stdio)
	s := &Server{
		declaration: declaration{o: o, c: c, handed: memory.New()},
		wanted:      make(chan struct{}, 1), overlap: make(chan struct{}, 1),
		landed: make(chan struct{}, 1), changed: make(chan struct{}),
		watchers: map[*func()]struct{}{}, inFlight: flights{},
	}
	s.life, s.end = context.WithCancelCause(context.Background())
	return s
}

// Origin implements tool.Source.
func (s *declaration) Origin() string { return s.c.Title() }

// Processes implements source.Starter.
func (s *declaration) Processes(context.Context) ([]source.Process, error) {
	return []source.Process{s.c.Process()}, nil
}

// Load implements tool.Source. The first time, the list that the server gave in its present state is enough: it starts
// when one of its tools is called. Else Load waits until the server is up or cannot be started. The tools of a server
// that has ended stay: they work again when it does.
func (s *Server) Load(ctx context.Context) ([]tool.Tool, []tool.Problem, error) {
	var err error
	if !s.remembered() {
		_, err = s.connected(ctx)
	}
	if err != nil && ctx.Err() != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded = s.offer.fingerprint
	tools, problems := slices.Clone(s.offer.tools), slices.Clone(s.offer.problems)
	if err == nil {
		return tools, problems, nil
	}
	if len(tools) == 0 {
		return nil, problems, err
	}
	return tools, append(problems, tool.Problem{Name: s.c.Name, Err: err, Warning: true}), nil
}

// remembered reports whether the tools are those of a kept listing. After the first time it is not looked at.
func (s *Server) remembered() (ok bool) {
	s.looked.Do(func() {
		var l listing
		if l, ok = s.recall(); ok {
			o := s.offered(l)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.offer = o
		}
	})
	return ok
}

// Started implements source.Started.
func (s *Server) Started() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.up
	if c == nil {
		return ""
	}
	took, tools := c.took.Round(time.Millisecond), phrase.Count(len(s.offer.tools), "tool")
	if c.process == nil {
		return fmt.Sprintf("connected to MCP server %s (%s) in %v: %s", s.c.Name, s.c.URL, took, tools)
	}
	return fmt.Sprintf("started %s (pid %d) in %v: %s", s.c.Title(), c.process.PID(), took, tools)
}

// Notify implements tool.Notifier.
func (s *Server) Notify(fn func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers[&fn] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, &fn)
	}
}

// Close implements tool.Source.
func (s *Server) Close() error {
	s.mu.Lock()
	s.end(errClosed) // nothing is spawned from now on
	s.mu.Unlock()
	s.work.Wait()
	return nil
}

// Retire implements source.Service.
func (s *Server) Retire() {
	for {
		s.mu.Lock()
		n := len(s.inFlight)
		s.mu.Unlock()
		if n == 0 || s.life.Err() != nil {
			_ = s.Close()
			return
		}
		select {
		case <-s.landed:
		case <-s.life.Done():
		}
	}
}

// connected is the connection to the server. It has the server started, and waits for that.
func (s *Server) connected(ctx context.Context) (*connection, error) {
	s.once.Do(func() { s.spawn(s.supervise) })
	asked := false
	for {
		s.mu.Lock()
		up, err, changed := s.up, s.err, s.changed
		s.mu.Unlock()
		switch {
		case s.life.Err() != nil:
			return nil, context.Cause(s.life)
		case up != nil && up.usable():
			return up, nil
		case up != nil: // the supervisor is about to hear of it
		case err != nil && asked:
			return nil, err
		case err != nil:
			asked = true
			if !s.ask() {
				return nil, err
			}
		}
		select {
		case <-changed:
		case <-s.life.Done():
		case <-ctx.Done():
			return nil, fault.New(fault.KindOf(ctx.Err()), "call "+s.c.Title(), "it is still starting: %w",
				context.Cause(ctx))
		}
	}
}

// ask has a server that was given up started once more. It reports whether that is going to happen.
func (s *Server) ask() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.wanted <- struct{}{}:
		s.err = nil
		s.tellLocked()
		return true
	default:
		return false
	}
}

// set changes the state of the server: up, or not because of err, or starting.
func (s *Server) set(up *connection, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.up, s.err = up, err
	s.tellLocked()
}

func (s *Server) tellLocked() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// offers keeps the present offer of the server, and notifies the watchers when it differs from the result of Load.
func (s *Server) offers(o offer) {
	s.mu.Lock()
	s.offer = o
	var tell []func()
	if s.loaded != o.fingerprint {
		for fn := range s.watchers {
			tell = append(tell, *fn)
		}
	}
	s.mu.Unlock()
	for _, fn := range tell {
		fn()
	}
}

// startTime limits the time in which the server starts.
func (s *declaration) startTime() time.Duration {
	if ms, err := strconv.Atoi(s.o.Env(EnvStart)); err == nil && ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return startTime
}
