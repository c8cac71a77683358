package mcpserver

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// The bounds a Server has unless told otherwise.
const (
	DefaultMaxBody        = 8 << 20 // of one message: storage states are large, screenshots go the other way
	DefaultSessionTimeout = 12 * time.Hour
	DefaultPageSize       = 200
	maxSpare              = 16 // servers kept for seats that nobody is connected to
)

// Options shape a Server.
type Options struct {
	Hub       *hub.Hub
	Version   string
	Sessions  string // root of all session directories, for resources
	Workspace string // of clients that do not name one

	// Extra adds to every MCP server that is made, for conformance fixtures. It runs before the seat's tools are added.
	Extra func(*mcp.Server)

	MaxBody        int64
	PageSize       int
	SessionTimeout time.Duration // after which an HTTP session without requests is closed
	Log            *slog.Logger
}

// Server serves MCP clients. Make it with New.
type Server struct {
	o         Options
	stateful  http.Handler
	stateless http.Handler
	schemas   *mcp.SchemaCache
	tools     toolCache
	errands   errands

	life context.Context // ends with Close; what outlives a request hangs on it
	end  context.CancelFunc
	wg   sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	hosts     map[string]*host // by handle
	open      map[*visit]struct{}
	live      map[string]*visit             // by MCP session id
	bySession map[*mcp.ServerSession]*visit // the same visits, found from a request
	anon      string                        // the seat of stateless requests that name none and change nothing
}

var _ http.Handler = (*Server)(nil)

// New makes a Server.
func New(o Options) *Server {
	if o.MaxBody <= 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.PageSize <= 0 {
		o.PageSize = DefaultPageSize
	}
	if o.SessionTimeout <= 0 {
		o.SessionTimeout = DefaultSessionTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		o:         o,
		schemas:   mcp.NewSchemaCache(),
		hosts:     map[string]*host{},
		open:      map[*visit]struct{}{},
		live:      map[string]*visit{},
		bySession: map[*mcp.ServerSession]*visit{},
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.stateful, s.stateless = s.handlers()
	return s
}

func (s *Server) sdkLog() *slog.Logger { return slog.New(quiet{s.o.Log.Handler()}) }

// Close ends every MCP session, cancels their calls and waits for them, at most until ctx ends.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	var open []*visit
	for v := range s.open {
		open = append(open, v)
	}
	s.mu.Unlock()
	s.end()
	for _, v := range open {
		v.cancel()
	}
	done := make(chan struct{})
	go func() {
		for _, v := range open {
			_ = v.session.Close() // waits for the calls it has just cancelled
		}
		s.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.hosts {
		h.stop()
	}
	clear(s.hosts)
	return nil
}
