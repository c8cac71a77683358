package mcpserver

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// newsEvery is how often a subscriber hears of one resource at most: a flow changes a page many times a second, and who
// hears of it reads the whole of it.
const newsEvery = 200 * time.Millisecond

// news are the resources that clients of a seat want to hear about.
type news struct {
	mu    sync.Mutex
	subs  map[*mcp.ServerSession]map[string]bool
	due   map[string]bool
	timer bool
	quiet map[string]func() // ends listening to the log of a live session, by its id
}

func (h *host) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	if strings.HasPrefix(uri, scheme) {
		if _, ok := parseAddress(uri); !ok {
			return mcp.ResourceNotFoundError(uri)
		}
	}
	h.news.mu.Lock()
	if h.news.subs == nil {
		h.news.subs = map[*mcp.ServerSession]map[string]bool{}
	}
	if h.news.subs[req.Session] == nil {
		h.news.subs[req.Session] = map[string]bool{}
	}
	h.news.subs[req.Session][uri] = true
	h.news.mu.Unlock()
	h.listen()
	return nil
}

func (h *host) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	h.news.mu.Lock()
	delete(h.news.subs[req.Session], req.Params.URI)
	empty := len(h.news.subs[req.Session]) == 0
	h.news.mu.Unlock()
	if empty {
		h.forget(req.Session)
	}
	return nil
}

// forget drops what a session that has ended wanted to hear about.
func (h *host) forget(session *mcp.ServerSession) {
	h.news.mu.Lock()
	delete(h.news.subs, session)
	var quiet []func()
	if len(h.news.subs) == 0 {
		for _, fn := range h.news.quiet {
			quiet = append(quiet, fn)
		}
		h.news.quiet = nil
	}
	h.news.mu.Unlock()
	for _, fn := range quiet {
		fn()
	}
}

// listen hears of everything that is done in the seat's live session, by whomever: a shell may drive the same device.
func (h *host) listen() {
	live, ok := h.s.o.Hub.LiveSession(h.seat)
	if !ok {
		return
	}
	h.news.mu.Lock()
	defer h.news.mu.Unlock()
	if len(h.news.subs) == 0 || h.news.quiet[live.ID] != nil {
		return
	}
	if h.news.quiet == nil {
		h.news.quiet = map[string]func(){}
	}
	id, device := live.ID, live.Info().Device
	h.news.quiet[id] = live.Log.Observe(func(e event.Event) {
		if e.Type == event.ToolCall || e.Type == event.SessionEnded || e.Type == event.Screenshot {
			h.touched(id, device)
		}
	})
}

// told is called after a call of any client: it may have begun a session.
func (s *Server) told(r *hub.Reply) {
	if r == nil || r.Session == "" {
		return
	}
	s.mu.Lock()
	hosts := make([]*host, 0, len(s.hosts))
	for _, h := range s.hosts {
		hosts = append(hosts, h)
	}
	s.mu.Unlock()
	for _, h := range hosts {
		if h.listening() {
			h.listen()
			h.touched(r.Session, r.Device)
		}
	}
}

func (h *host) listening() bool {
	h.news.mu.Lock()
	defer h.news.mu.Unlock()
	return len(h.news.subs) > 0
}

// touched notes that a session, and the device it is on, are no longer what they were. It may run inside a log's Append.
func (h *host) touched(session, device string) {
	base := scheme + "sessions/" + session
	changed := []string{scheme + "sessions", base, base + "/events", base + "/recording", base + "/screenshot", scheme + "snapshot/" + device}
	if !h.news.add(changed) {
		return
	}
	if !h.s.begun() {
		return
	}
	time.AfterFunc(newsEvery, func() {
		defer h.s.wg.Done()
		h.news.mu.Lock()
		due := h.news.due
		h.news.due, h.news.timer = nil, false
		h.news.mu.Unlock()
		for uri := range due {
			if h.s.life.Err() == nil {
				_ = h.mcp.ResourceUpdated(h.s.life, &mcp.ResourceUpdatedNotificationParams{URI: uri})
			}
		}
	})
}

// add notes what somebody wants to hear about, and says whether a timer has to be started for it.
func (n *news) add(changed []string) bool {
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

// begun counts something that Close has to wait for; false once the server is closed.
func (s *Server) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}
