package mcpserver

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// visit is one MCP session of a client that keeps one: over HTTP until 2025-11-25, or a connection.
type visit struct {
	h       *host
	session *mcp.ServerSession
	id      string // Mcp-Session-Id, "" of a connection

	ctx    context.Context // of all its calls: ends when the client has gone (R210)
	cancel context.CancelFunc
	leave  func() // tells the seat
	once   sync.Once
}

// begin registers a session and joins its end. It fails once the server is closed.
func (s *Server) begin(h *host, session *mcp.ServerSession) (*visit, bool) {
	v := &visit{h: h, session: session, id: session.ID()}
	v.ctx, v.cancel = context.WithCancel(s.life)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		v.cancel()
		return nil, false
	}
	s.open[v] = struct{}{}
	s.bySession[session] = v
	if v.id != "" {
		s.live[v.id] = v
	}
	h.mu.Lock()
	h.uses++
	h.mu.Unlock()
	v.leave = h.seat.Enter()
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		_ = session.Wait()
		v.end()
	}()
	return v, true
}

// end is called when the session is over: its calls are cancelled, and when it was the last one of its seat the hub hears
// that the client has left.
func (v *visit) end() {
	v.once.Do(func() {
		v.cancel()
		s := v.h.s
		s.mu.Lock()
		delete(s.open, v)
		delete(s.bySession, v.session)
		if s.live[v.id] == v {
			delete(s.live, v.id)
		}
		s.mu.Unlock()
		v.h.forget(v.session)
		v.leave()
		v.h.release()
	})
}

// visitOf is the visit a request belongs to, nil for a stateless request.
func (s *Server) visitOf(session *mcp.ServerSession) *visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bySession[session]
}

// An MCP session id starts with the handle of its seat, so that a client which comes back with the id of a session that
// has gone finds its settings again (R198), whatever was restarted in between.
func newSessionID(handle string) string { return handle + "." + strings.ToLower(rand.Text()) }

// handleIn is the handle in a session id of ours, "" in any other.
func handleIn(id string) string {
	handle, rest, ok := strings.Cut(id, ".")
	if !ok || rest == "" || !hub.ValidHandle(handle) {
		return ""
	}
	return handle
}
