package mcpserver

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// host is the MCP server of one seat: what it lists is what that seat sees. All MCP sessions of the seat, and its
// stateless requests, meet at it; no other client's do (R200, R274).
type host struct {
	s       *Server
	seat    *hub.Seat
	mcp     *mcp.Server
	unwatch func()

	news  news
	named atomic.Bool // the client said where its project is

	mu     sync.Mutex
	listed []*mcp.Tool           // what the seat sees
	known  map[string]*tool.Spec // all that can be called
	jobs   bool                  // a call became a job
	uses   int                   // visits and requests under way
	idle   time.Time             // since when uses is 0
}

// hostOf finds or makes the host of a seat and keeps it in use until release.
func (s *Server) hostOf(seat *hub.Seat) *host {
	if h := s.use(seat, nil); h != nil {
		return h
	}
	made := s.newHost(seat) // without the lock: a workspace's tools may have to be loaded first
	h := s.use(seat, made)
	if h != made {
		made.stop() // somebody else was faster
	}
	return h
}

// use counts a use of a seat's host: of the one there is, or else of the one that is offered.
func (s *Server) use(seat *hub.Seat, offered *host) *host {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hosts[seat.Handle()]
	if h != nil && h.seat != seat { // the hub had forgotten the seat and read it back: the host is of its former self
		h.stop()
		h = nil
	}
	if h == nil {
		if offered == nil {
			return nil
		}
		h = offered
		s.hosts[seat.Handle()] = h
		s.sweep()
	}
	h.mu.Lock()
	h.uses++
	h.mu.Unlock()
	return h
}

// release ends a use of the host.
func (h *host) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.uses--; h.uses == 0 {
		h.idle = time.Now()
	}
}

// sweep drops the hosts that have been idle longest when there are many. A dropped host is made again when its seat is
// next heard of: everything that matters is in the seat.
func (s *Server) sweep() {
	if len(s.hosts) <= maxSpare {
		return
	}
	var spare []*host
	for _, h := range s.hosts {
		h.mu.Lock()
		if h.uses == 0 && !h.idle.IsZero() {
			spare = append(spare, h)
		}
		h.mu.Unlock()
	}
	slices.SortFunc(spare, func(a, b *host) int { return a.idle.Compare(b.idle) })
	for _, h := range spare[:min(len(spare), len(s.hosts)-maxSpare)] {
		h.stop()
		delete(s.hosts, h.seat.Handle())
	}
}

func (s *Server) newHost(seat *hub.Seat) *host {
	h := &host{s: s, seat: seat}
	h.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "trailblaze", Title: "Trailblaze", Version: s.version(), WebsiteURL: website},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       s.sdkLog(),
			SchemaCache:  s.schemas,
			GetSessionID: func() string { return newSessionID(seat.Handle()) },
			Capabilities: &mcp.ServerCapabilities{
				Logging: &mcp.LoggingCapabilities{},
				Tools:   &mcp.ToolCapabilities{ListChanged: true},
			},
			// What is listed and read belongs to one client and changes with what it does.
			SetCacheable:            func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs, c.CacheScope = 0, "private" },
			InitializedHandler:      func(_ context.Context, r *mcp.InitializedRequest) { h.askRoots(r.Session) },
			RootsListChangedHandler: func(_ context.Context, r *mcp.RootsListChangedRequest) { h.askRoots(r.Session) },
			CompletionHandler:       h.complete,
			SubscribeHandler:        h.subscribe,
			UnsubscribeHandler:      h.unsubscribe,
		})
	h.mcp.AddReceivingMiddleware(h.receive)
	h.addResources()
	h.addPrompts()
	if s.o.Extra != nil {
		s.o.Extra(h.mcp)
	}
	h.sync()
	h.unwatch = seat.Watch(func(before, after hub.SeatState) {
		if changed(before, after) {
			h.sync()
		}
	})
	return h
}

func (h *host) stop() {
	h.unwatch()
	h.news.mu.Lock()
	h.news.subs = nil
	h.news.mu.Unlock()
	h.forget(nil)
}
