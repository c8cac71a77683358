package mcpserver

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
)

// connection is one MCP session of a client that keeps one: over HTTP until 2025-11-25, or a stream
// of lines.
type connection struct {
	server  *clientServer
	session *mcp.ServerSession
	id      string // Mcp-Session-Id, "" for a stream

	ctx    context.Context // of all its calls; ends when the client disconnects
	cancel context.CancelFunc
	leave  func() // tells the client's state
	once   sync.Once
}

// begin registers a session and waits for its end in the background. It fails once the server is
// closed.
func (s *Server) begin(cs *clientServer, session *mcp.ServerSession) (*connection, bool) {
	conn := &connection{server: cs, session: session, id: session.ID()}
	conn.ctx, conn.cancel = context.WithCancel(s.life)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		conn.cancel()
		return nil, false
	}
	s.open[conn] = struct{}{}
	s.bySession[session] = conn
	if conn.id != "" {
		s.live[conn.id] = conn
	}
	cs.mu.Lock()
	cs.uses++
	cs.mu.Unlock()
	conn.leave = cs.client.Enter()
	s.wg.Go(func() {
		_ = session.Wait()
		conn.end()
	})
	return conn, true
}

// end runs when the session is over. It cancels the session's calls; after the last session of a
// client the hub treats the client as gone.
func (conn *connection) end() {
	conn.once.Do(func() {
		conn.cancel()
		s := conn.server.s
		s.mu.Lock()
		delete(s.open, conn)
		delete(s.bySession, conn.session)
		if s.live[conn.id] == conn {
			delete(s.live, conn.id)
		}
		s.mu.Unlock()
		conn.server.forget(conn.session)
		conn.leave()
		conn.server.release()
	})
}

// connectionOf is the connection of a request, nil for a stateless request.
func (s *Server) connectionOf(session *mcp.ServerSession) *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bySession[session]
}

// newSessionID makes an MCP session id that starts with the id of its client, so that a client
// which returns with the id of an ended session finds its settings again, also after a restart of
// either side.
func newSessionID(clientID string) string { return clientID + "." + strings.ToLower(rand.Text()) }

// clientIDIn is the client id in a session id of ours, "" in any other.
func clientIDIn(id string) string {
	clientID, rest, ok := strings.Cut(id, ".")
	if !ok || rest == "" || !clients.ValidID(clientID) {
		return ""
	}
	return clientID
}
