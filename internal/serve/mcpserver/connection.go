package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// begin registers a session and waits for its end in the background. As long as it lasts, the client is connected. It
// fails once the server is closed.
func (s *Server) begin(cs *clientServer, session *mcp.ServerSession) (*connection, error) {
	conn := &connection{server: cs, session: session, id: session.ID()}
	conn.ctx, conn.cancel = context.WithCancel(s.life)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		conn.cancel()
		return nil, http.ErrServerClosed
	}
	s.open[conn] = struct{}{}
	s.bySession[session] = conn
	if conn.id != "" {
		s.live[conn.id] = conn
	}
	cs.mu.Lock()
	cs.uses++
	cs.mu.Unlock()
	s.wg.Go(func() {
		_ = session.Wait()
		conn.end()
	})
	s.mu.Unlock()
	if err := cs.watch(conn.ctx, true); err != nil {
		return nil, err
	}
	return conn, nil
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

// ServeConn serves one client over a stream of lines, until the stream or ctx ends. It closes the stream.
func (s *Server) ServeConn(ctx context.Context, stream io.ReadWriteCloser, clientID string) error {
	c := newLineConn(stream, s.o.MaxBody)
	cs := s.serverOf(clientID)
	defer cs.release()
	cs.named.Store(true) // who starts a process for itself says where
	session, err := cs.mcp.Connect(ctx, transport{c}, nil)
	if err != nil {
		_ = c.Close()
		return err
	}
	conn, err := s.begin(cs, session)
	if err != nil {
		_ = session.Close()
		return err
	}
	stop := context.AfterFunc(ctx, func() {
		conn.cancel()
		_ = session.Close()
	})
	defer stop()
	c.ended(conn.cancel) // when the client disconnects, its calls end
	err = session.Wait()
	conn.end()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// transport hands an open connection to the SDK.
type transport struct{ c *lineConn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.c, nil }
