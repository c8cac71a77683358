package mcpserver

import (
	"context"
	_ "embed" // the instructions
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// connection is one MCP session of a client that keeps one: over HTTP until 2025-11-25, or a stream
// of lines.
type connection struct {
	server  *clientServer
	session *mcp.ServerSession
	id      string // Mcp-Session-Id, "" for a stream

	ctx    context.Context // of all its calls; ends when the client disconnects
	cancel context.CancelFunc
	once   sync.Once
}

// clientServer is the MCP server of one client: it lists what that client sees. All MCP sessions of
// the client and its stateless requests share it; no other client uses it.
type clientServer struct {
	s    *Server
	id   string // of the client
	mcp  *mcp.Server
	life context.Context // ends with stop
	end  context.CancelFunc

	subscriptions subscriptions
	named         atomic.Bool // the client named its project's folder

	jobs      atomic.Bool // a call became a job
	hasName   atomic.Bool // the daemon knows the name of the client's program
	following sync.Once

	mu   sync.Mutex
	uses int       // connections and requests that use it now
	idle time.Time // since when uses is 0
}

const website = "https://github.com/trailblaze-dev/trailblaze"

//go:embed instructions.md
var instructions string

// The default bounds of a Server.
const (
	DefaultMaxBody        = 8 << 20 // of one message: storage states are large, screenshots go the other way
	DefaultSessionTimeout = 12 * time.Hour
	DefaultAnswerTimeout  = 2 * time.Minute
	DefaultPageSize       = 200
	maxSpare              = 16 // servers kept for clients without a connection
)

// Daemon is AgentService of proto/trailblaze/v1: in the daemon its own code, elsewhere a client of it. Streams call a
// function with one message after the other, until it fails or ctx ends.
type Daemon interface {
	Clients
	Tools
	Contents
}

// Clients are the methods about the client itself.
type Clients interface {
	OpenClient(context.Context, *pb.OpenClientRequest) (*pb.OpenClientResponse, error)
	UpdateClient(context.Context, *pb.UpdateClientRequest) (*pb.UpdateClientResponse, error)
	WatchClient(context.Context, *pb.WatchClientRequest, func(*pb.WatchClientResponse) error) error
	AnswerQuestion(context.Context, *pb.AnswerQuestionRequest) (*pb.AnswerQuestionResponse, error)
}

// Tools are the methods about the tools that a client is shown.
type Tools interface {
	ListListedTools(context.Context, *pb.ListListedToolsRequest) (*pb.ListListedToolsResponse, error)
	CallListedTool(context.Context, *pb.CallListedToolRequest, func(*pb.CallListedToolResponse) error) error
}

// Contents are the methods about what else a client may read.
type Contents interface {
	WatchSessions(context.Context, *pb.WatchSessionsRequest, func(*pb.WatchSessionsResponse) error) error
	ReadResource(context.Context, *pb.ReadResourceRequest) (*pb.ReadResourceResponse, error)
	GetPrompt(context.Context, *pb.GetPromptRequest) (*pb.GetPromptResponse, error)
	CompleteValue(context.Context, *pb.CompleteValueRequest) (*pb.CompleteValueResponse, error)
}

// Options shape a Server.
type Options struct {
	Daemon    Daemon
	Version   string
	Workspace string // of clients that do not name one

	// Extra adds conformance fixtures to every MCP server. It runs before the client's tools are
	// added.
	Extra func(*mcp.Server)

	MaxBody        int64
	PageSize       int
	SessionTimeout time.Duration // after which an HTTP session without requests is closed
	AnswerTimeout  time.Duration // of a question to the client's model
	Log            *slog.Logger
}

// Server serves MCP clients. Make it with New.
type Server struct {
	o            Options
	stateful     http.Handler
	stateless    http.Handler
	schemas      *mcp.SchemaCache
	pendingCalls pendingCalls

	life context.Context // ends with Close; for work that outlives a request
	end  context.CancelFunc
	wg   sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	servers   map[string]*clientServer // by client id
	open      map[*connection]struct{}
	live      map[string]*connection             // by MCP session id
	bySession map[*mcp.ServerSession]*connection // the same connections, found from a request
	anon      string                             // the client of stateless requests that name none and change nothing
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
	if o.AnswerTimeout <= 0 {
		o.AnswerTimeout = DefaultAnswerTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{
		o:         o,
		schemas:   mcp.NewSchemaCache(),
		servers:   map[string]*clientServer{},
		open:      map[*connection]struct{}{},
		live:      map[string]*connection{},
		bySession: map[*mcp.ServerSession]*connection{},
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.stateful, s.stateless = s.handlers()
	return s
}

func (s *Server) sdkLog() *slog.Logger { return slog.New(warnOnly{s.o.Log.Handler()}) }

// Close ends every MCP session, cancels their calls and waits for them, at most until ctx ends.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.mu.Lock()
	var open []*connection
	for conn := range s.open {
		open = append(open, conn)
	}
	s.mu.Unlock()
	s.end()
	for _, conn := range open {
		conn.cancel()
	}
	done := make(chan struct{})
	go func() {
		for _, conn := range open {
			_ = conn.session.Close() // waits for the calls it has just cancelled
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
	for _, cs := range s.servers {
		cs.stop()
	}
	clear(s.servers)
	return nil
}

func (s *Server) version() string {
	if s.o.Version == "" {
		return "dev"
	}
	return s.o.Version
}

// warnOnly passes on warnings and errors only: the SDK logs every request, and without sessions
// that is several lines for each.
type warnOnly struct{ slog.Handler }

var _ slog.Handler = warnOnly{}

// Enabled implements slog.Handler.
func (q warnOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (q warnOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnOnly{q.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (q warnOnly) WithGroup(name string) slog.Handler { return warnOnly{q.Handler.WithGroup(name)} }
