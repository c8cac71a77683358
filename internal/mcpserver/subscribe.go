package mcpserver

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/hub/calls"
)

// updateInterval is the shortest time between two updates of one resource: a flow changes a page
// many times a second, and a subscriber reads all of it after each update.
const updateInterval = 200 * time.Millisecond

// subscriptions are the resources of which clients want updates.
type subscriptions struct {
	mu    sync.Mutex
	subs  map[*mcp.ServerSession]map[string]bool
	due   map[string]bool
	timer bool
	stops map[string]func() // by session id; each stops observing the session's log
}

func (cs *clientServer) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if strings.HasPrefix(uri, scheme) {
		if _, ok := parseAddress(uri); !ok {
			return mcp.ResourceNotFoundError(uri)
		}
	}
	cs.subscriptions.mu.Lock()
	if cs.subscriptions.subs == nil {
		cs.subscriptions.subs = map[*mcp.ServerSession]map[string]bool{}
	}
	if cs.subscriptions.subs[req.Session] == nil {
		cs.subscriptions.subs[req.Session] = map[string]bool{}
	}
	cs.subscriptions.subs[req.Session][uri] = true
	cs.subscriptions.mu.Unlock()
	cs.listen()
	return nil
}

func (cs *clientServer) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	cs.subscriptions.mu.Lock()
	delete(cs.subscriptions.subs[req.Session], req.Params.URI)
	empty := len(cs.subscriptions.subs[req.Session]) == 0
	cs.subscriptions.mu.Unlock()
	if empty {
		cs.forget(req.Session)
	}
	return nil
}

// forget drops the subscriptions of an MCP session that has ended.
func (cs *clientServer) forget(session *mcp.ServerSession) {
	cs.subscriptions.mu.Lock()
	delete(cs.subscriptions.subs, session)
	var stops []func()
	if len(cs.subscriptions.subs) == 0 {
		for _, fn := range cs.subscriptions.stops {
			stops = append(stops, fn)
		}
		cs.subscriptions.stops = nil
	}
	cs.subscriptions.mu.Unlock()
	for _, fn := range stops {
		fn()
	}
}

// listen observes the log of the client's running session, which other clients may drive too.
func (cs *clientServer) listen() {
	live, ok := cs.s.o.Hub.RunningSession(cs.client)
	if !ok {
		return
	}
	cs.subscriptions.mu.Lock()
	defer cs.subscriptions.mu.Unlock()
	if len(cs.subscriptions.subs) == 0 || cs.subscriptions.stops[live.ID] != nil {
		return
	}
	if cs.subscriptions.stops == nil {
		cs.subscriptions.stops = map[string]func(){}
	}
	id, device := live.ID, live.Info().Device
	cs.subscriptions.stops[id] = live.Log.Observe(func(e event.Event) {
		if e.Type == event.ToolCall || e.Type == event.SessionEnded || e.Type == event.Screenshot {
			cs.touched(id, device)
		}
	})
}

// notify runs after a call of any client, which may have begun a session.
func (s *Server) notify(r *calls.Reply) {
	if r == nil || r.Session == "" {
		return
	}
	s.mu.Lock()
	servers := make([]*clientServer, 0, len(s.servers))
	for _, cs := range s.servers {
		servers = append(servers, cs)
	}
	s.mu.Unlock()
	for _, cs := range servers {
		if cs.listening() {
			cs.listen()
			cs.touched(r.Session, r.Device)
		}
	}
}

func (cs *clientServer) listening() bool {
	cs.subscriptions.mu.Lock()
	defer cs.subscriptions.mu.Unlock()
	return len(cs.subscriptions.subs) > 0
}

// touched notes that a session and its device have changed. It may run inside a log's Append.
func (cs *clientServer) touched(session, device string) {
	base := scheme + "sessions/" + session
	changed := []string{scheme + "sessions", base, base + "/events", base + "/recording", base + "/screenshot",
		scheme + "snapshot/" + device}
	if !cs.subscriptions.add(changed) {
		return
	}
	if !cs.s.track() {
		return
	}
	time.AfterFunc(updateInterval, func() {
		defer cs.s.wg.Done()
		cs.subscriptions.mu.Lock()
		due := cs.subscriptions.due
		cs.subscriptions.due, cs.subscriptions.timer = nil, false
		cs.subscriptions.mu.Unlock()
		for uri := range due {
			if cs.s.life.Err() == nil {
				_ = cs.mcp.ResourceUpdated(cs.s.life, &mcp.ResourceUpdatedNotificationParams{URI: uri})
			}
		}
	})
}

// add notes the changes that have subscribers, and says whether to start a timer for them.
func (n *subscriptions) add(changed []string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, uris := range n.subs {
		for _, uri := range changed {
			if uris[uri] {
				if n.due == nil {
					n.due = map[string]bool{}
				}
				n.due[uri] = true
			}
		}
	}
	if len(n.due) == 0 || n.timer {
		return false
	}
	n.timer = true
	return true
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
