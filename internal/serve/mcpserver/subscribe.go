package mcpserver

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/serve/resource"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// subscriptions are the resources of which clients want updates. While there are any, the daemon says which sessions
// have something new.
type subscriptions struct {
	mu   sync.Mutex
	subs map[*mcp.ServerSession]map[string]bool
	end  context.CancelFunc // of watching; nil: nobody watches
}

func (cs *clientServer) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if strings.HasPrefix(uri, resource.Scheme) && !resource.Valid(uri) {
		return mcp.ResourceNotFoundError(uri)
	}
	s := &cs.subscriptions
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subs == nil {
		s.subs = map[*mcp.ServerSession]map[string]bool{}
	}
	if s.subs[req.Session] == nil {
		s.subs[req.Session] = map[string]bool{}
	}
	s.subs[req.Session][uri] = true
	if s.end == nil && cs.s.track() {
		ctx, end := context.WithCancel(cs.life)
		s.end = end
		begun := make(chan struct{})
		go cs.watchSessions(ctx, sync.OnceFunc(func() { close(begun) }))
		<-begun
	}
	return nil
}

// watchSessions passes the daemon's notices to subscribers, until ctx ends.
func (cs *clientServer) watchSessions(ctx context.Context, begun func()) {
	defer cs.s.wg.Done()
	defer begun()
	err := cs.s.o.Daemon.WatchSessions(ctx, &pb.WatchSessionsRequest{ClientId: cs.id},
		func(m *pb.WatchSessionsResponse) error {
			begun()
			if m.SessionId != "" {
				cs.touched(ctx, m.SessionId, m.DeviceId)
			}
			return nil
		})
	if err != nil && ctx.Err() == nil {
		cs.s.o.Log.Warn("subscribers hear no more", "error", err)
	}
}

func (cs *clientServer) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s := &cs.subscriptions
	s.mu.Lock()
	delete(s.subs[req.Session], req.Params.URI)
	empty := len(s.subs[req.Session]) == 0
	s.mu.Unlock()
	if empty {
		cs.forget(req.Session)
	}
	return nil
}

// forget drops the subscriptions of an MCP session that has ended.
func (cs *clientServer) forget(session *mcp.ServerSession) {
	s := &cs.subscriptions
	s.mu.Lock()
	delete(s.subs, session)
	none := len(s.subs) == 0
	s.mu.Unlock()
	if none {
		s.stop()
	}
}

func (s *subscriptions) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != nil {
		s.end()
		s.end = nil
	}
	s.subs = nil
}

// touched notifies subscribers that a session and its device have changed.
func (cs *clientServer) touched(ctx context.Context, session, device string) {
	all := resource.Scheme + "sessions"
	one := all + "/" + session
	for _, uri := range []string{all, one, one + "/events", one + "/recording", one + "/screenshot",
		resource.Scheme + "snapshot/" + device} {
		if cs.subscriptions.has(uri) {
			_ = cs.mcp.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
}

func (s *subscriptions) has(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, uris := range s.subs {
		if uris[uri] {
			return true
		}
	}
	return false
}

// track counts work that Close has to wait for; false once the server is closed.
func (s *Server) track() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}
