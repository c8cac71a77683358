package mcpserver

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// serverOf finds or makes the server of a client and keeps it in use until release.
func (s *Server) serverOf(clientID string) *clientServer {
	s.mu.Lock()
	defer s.mu.Unlock()
	cs := s.servers[clientID]
	if cs == nil {
		cs = s.newClientServer(clientID)
		s.servers[clientID] = cs
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
		delete(s.servers, cs.id)
	}
}

func (s *Server) newClientServer(clientID string) *clientServer {
	cs := &clientServer{s: s, id: clientID}
	cs.life, cs.end = context.WithCancel(s.life)
	cs.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "trailblaze", Title: "Trailblaze", Version: s.version(), WebsiteURL: website},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       s.sdkLog(),
			SchemaCache:  s.schemas,
			GetSessionID: func() string { return newSessionID(clientID) },
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
	cs.announce() // nobody hears it: it registers the tool
	return cs
}

// follow announces changes of the list of tools for a client without connections, as long as the server of the client
// is kept.
func (cs *clientServer) follow() {
	cs.following.Do(func() { _ = cs.watch(cs.life, false) })
}

// watch announces changes of the list of tools until ctx ends, and returns when it has begun. A client that is
// connected stays so for as long.
func (cs *clientServer) watch(ctx context.Context, connected bool) error {
	if !cs.s.track() {
		return http.ErrServerClosed
	}
	begun := make(chan error, 1)
	go func() {
		defer cs.s.wg.Done()
		first := true
		err := cs.s.o.Daemon.WatchClient(ctx, &pb.WatchClientRequest{ClientId: cs.id, Connected: connected},
			func(m *pb.WatchClientResponse) error {
				if first {
					first = false
					begun <- nil
				}
				if m.ToolsChanged {
					cs.announce()
				}
				return nil
			})
		if first {
			begun <- err
		}
	}()
	return <-begun
}

func (cs *clientServer) stop() {
	cs.end()
	cs.subscriptions.stop()
}
