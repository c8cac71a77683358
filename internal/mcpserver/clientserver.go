package mcpserver

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// clientServer is the MCP server of one client: it lists what that client sees. All MCP sessions of
// the client and its stateless requests share it; no other client uses it.
type clientServer struct {
	s       *Server
	client  *clients.Client
	mcp     *mcp.Server
	unwatch func()

	subscriptions subscriptions
	named         atomic.Bool // the client named its project's folder
	samples       atomic.Bool // the client offers sampling

	mu     sync.Mutex
	listed []*mcp.Tool           // the tools that the client sees
	known  map[string]*tool.Spec // every tool that can be called
	jobs   bool                  // a call became a job
	uses   int                   // connections and requests that use it now
	idle   time.Time             // since when uses is 0
}

// serverOf finds or makes the server of a client and keeps it in use until release.
func (s *Server) serverOf(client *clients.Client) *clientServer {
	if cs := s.use(client, nil); cs != nil {
		return cs
	}
	made := s.newClientServer(client) // without the lock: this may load a workspace's tools
	cs := s.use(client, made)
	if cs != made {
		made.stop() // another request made one meanwhile
		return cs
	}
	cs.sync() // the tools may have changed before anybody could tell this server
	return cs
}

// use counts a use of a client's server: of the existing one, or else of the offered one.
func (s *Server) use(client *clients.Client, offered *clientServer) *clientServer {
	s.mu.Lock()
	defer s.mu.Unlock()
	cs := s.servers[client.ID()]
	// the hub forgot the client and read it from disk again: this server has the old one
	if cs != nil && cs.client != client {
		cs.stop()
		cs = nil
	}
	if cs == nil {
		if offered == nil {
			return nil
		}
		cs = offered
		s.servers[client.ID()] = cs
		s.sweep()
	}
	cs.mu.Lock()
	cs.uses++
	cs.mu.Unlock()
	return cs
}

// release ends a use of the server.
func (cs *clientServer) release() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.uses--; cs.uses == 0 {
		cs.idle = time.Now()
	}
}

// sweep drops the servers that have been idle longest when there are many. The next request of a
// client makes its server again: all lasting state is in the client.
func (s *Server) sweep() {
	if len(s.servers) <= maxSpare {
		return
	}
	var spare []*clientServer
	for _, cs := range s.servers {
		cs.mu.Lock()
		if cs.uses == 0 && !cs.idle.IsZero() {
			spare = append(spare, cs)
		}
		cs.mu.Unlock()
	}
	slices.SortFunc(spare, func(a, b *clientServer) int { return a.idle.Compare(b.idle) })
	for _, cs := range spare[:min(len(spare), len(s.servers)-maxSpare)] {
		cs.stop()
		delete(s.servers, cs.client.ID())
	}
}

func (s *Server) newClientServer(client *clients.Client) *clientServer {
	cs := &clientServer{s: s, client: client}
	cs.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "trailblaze", Title: "Trailblaze", Version: s.version(), WebsiteURL: website},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       s.sdkLog(),
			SchemaCache:  s.schemas,
			GetSessionID: func() string { return newSessionID(client.ID()) },
			Capabilities: &mcp.ServerCapabilities{
				Logging: &mcp.LoggingCapabilities{},
				Tools:   &mcp.ToolCapabilities{ListChanged: true},
			},
			// Lists and resources belong to one client and change with its calls.
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
				c.TTLMs, c.CacheScope = 0,
					"private"
			},
			InitializedHandler:      func(_ context.Context, r *mcp.InitializedRequest) { cs.askRoots(r.Session) },
			RootsListChangedHandler: func(_ context.Context, r *mcp.RootsListChangedRequest) { cs.askRoots(r.Session) },
			CompletionHandler:       cs.complete,
			SubscribeHandler:        cs.subscribe,
			UnsubscribeHandler:      cs.unsubscribe,
		})
	cs.mcp.AddReceivingMiddleware(cs.receive)
	cs.addResources()
	cs.addPrompts()
	if s.o.Extra != nil {
		s.o.Extra(cs.mcp)
	}
	cs.unwatch = client.Watch(func(before, after clients.State) {
		if changed(before, after) {
			cs.sync()
		}
	})
	cs.sync()
	return cs
}

func (cs *clientServer) stop() {
	cs.unwatch()
	cs.subscriptions.mu.Lock()
	cs.subscriptions.subs = nil
	cs.subscriptions.mu.Unlock()
	cs.forget(nil)
}
