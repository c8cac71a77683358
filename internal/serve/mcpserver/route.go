package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// firstStateless is the first protocol version without sessions.
const firstStateless = "2026-07-28"

const (
	headerSession   = "Mcp-Session-Id"
	headerVersion   = "Mcp-Protocol-Version"
	headerWorkspace = "Trailblaze-Workspace"
	headerClientID  = "Trailblaze-Client-Id"
)

type serverKey struct{}

// handlers makes the SDK's two handlers: its stateful one refuses the protocol without sessions,
// its stateless one keeps none. Both find the client's server, chosen by ServeHTTP, in the
// request's context.
func (s *Server) handlers() (stateful, stateless http.Handler) {
	chosen := func(r *http.Request) *mcp.Server {
		if h, ok := r.Context().Value(serverKey{}).(*clientServer); ok {
			return h.mcp
		}
		return nil
	}
	events := mcp.NewMemoryEventStore(nil)
	events.SetMaxBytes(4 << 20)
	stateful = mcp.NewStreamableHTTPHandler(chosen, &mcp.StreamableHTTPOptions{
		EventStore: events, SessionTimeout: s.o.SessionTimeout, Logger: s.sdkLog(), MaxRequestBodyBytes: s.o.MaxBody,
	})
	stateless = mcp.NewStreamableHTTPHandler(chosen, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, Logger: s.sdkLog(), MaxRequestBodyBytes: s.o.MaxBody,
	})
	return stateful, stateless
}

// ServeHTTP serves the MCP endpoint. Package auth has checked token, Host and Origin before.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.life.Err() != nil {
		refuse(w, http.StatusServiceUnavailable, nil, jsonrpc.CodeInternalError, "the server is shutting down")
		return
	}
	w, done := newTimedWriter(w)
	defer done()
	id := r.Header.Get(headerSession)
	if r.Header.Get(headerVersion) >= firstStateless {
		s.serveStateless(w, r)
		return
	}
	if conn := s.session(id); conn != nil {
		switch r.Method {
		case http.MethodDelete:
			conn.cancel() // else closing would wait for its calls
		case http.MethodPost:
			if _, ok := s.readMessage(w, r, true); !ok {
				return
			}
		}
		s.stateful.ServeHTTP(w, with(r, conn.server))
		return
	}
	switch r.Method {
	case http.MethodPost:
	case http.MethodGet, http.MethodDelete:
		if id != "" {
			refuseEnded(w, nil)
			return
		}
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, "this method needs the header "+headerSession)
		return
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		refuse(w, http.StatusMethodNotAllowed, nil, jsonrpc.CodeInvalidRequest, "use POST, GET or DELETE")
		return
	}
	m, ok := s.readMessage(w, r, false)
	if !ok {
		return
	}
	switch {
	case m.stateless():
		s.serveStateless(w, r)
	case m.Method == "initialize":
		s.serveInitialize(w, r, m, id)
	case id != "":
		refuseEnded(w, m.ID)
	default:
		refuse(w, http.StatusBadRequest, m.ID, jsonrpc.CodeInvalidRequest,
			"send initialize first, or use protocol version "+firstStateless+" whose requests stand alone")
	}
}

// Handler is the Server as a plain handler.
func (s *Server) Handler() http.Handler { return s }

func (s *Server) session(id string) *connection {
	if id == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

func with(r *http.Request, cs *clientServer) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), serverKey{}, cs))
}

// serveInitialize starts a session. One that names an ended session gets the same client when the id still identifies
// it. A client that hangs up meanwhile may have read the session's id from the headers already and can return for the
// rest, so the session is made all the same.
func (s *Server) serveInitialize(w http.ResponseWriter, r *http.Request, m *message, stale string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), clientTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	r.Header.Del(headerSession)
	clientID, err := s.clientFor(r, clientIDIn(stale), m)
	if err != nil {
		refuseFault(w, m.ID, err)
		return
	}
	cs := s.serverOf(clientID)
	defer cs.release()
	if workspace(r) != "" {
		cs.named.Store(true)
	}
	s.stateful.ServeHTTP(w, with(r, cs))
}

// serveStateless carries out one request of the protocol without sessions.
func (s *Server) serveStateless(w http.ResponseWriter, r *http.Request) {
	cs := (*clientServer)(nil)
	if r.Method == http.MethodPost {
		m, ok := s.readMessage(w, r, false)
		if !ok {
			return
		}
		var err error
		if cs, err = s.statelessServer(r, m); err != nil {
			refuseFault(w, m.ID, err)
			return
		}
		defer cs.release()
	}
	s.stateless.ServeHTTP(w, with(r, cs))
}

// statelessServer is the server of the client that a request names. A call that names none gets a
// new client, whose id the reply carries; other requests that name none change nothing, and share
// one client.
func (s *Server) statelessServer(r *http.Request, m *message) (*clientServer, error) {
	clientID := m.clientID()
	if clientID == "" {
		clientID = s.pendingCalls.clientIDOf(m.Params.State)
	}
	if clientID == "" {
		clientID = r.Header.Get(headerClientID)
	}
	if clientID == "" && m.Method != "tools/call" || clientID != "" && !clients.ValidID(clientID) {
		return s.anonymous(r.Context()) // it answers a call with a malformed id by a result that a model reads
	}
	clientID, err := s.clientFor(r, clientID, m)
	if err != nil {
		return nil, err
	}
	cs := s.serverOf(clientID)
	cs.follow()
	return cs, nil
}

// headerSecrets carries names and values of secrets that a client types, as JSON in base64.
const headerSecrets = "Trailblaze-Secrets"

// secretsIn are the secrets that come with a request.
func secretsIn(h http.Header) (map[string]string, error) {
	text := h.Get(headerSecrets)
	if text == "" {
		return nil, nil
	}
	var secrets map[string]string
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &secrets)
	}
	if err != nil { // the error may quote them
		return nil, fault.New(fault.Invalid, "begin session", "the header %s cannot be read", headerSecrets)
	}
	return secrets, nil
}

func (s *Server) anonymous(ctx context.Context) (*clientServer, error) {
	c, err := s.o.Daemon.OpenClient(ctx, &pb.OpenClientRequest{
		ClientId: s.anonymousID(), Name: "anonymous", Workspace: s.o.Workspace})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.anon = c.ClientId
	s.mu.Unlock()
	return s.serverOf(c.ClientId), nil
}

// workspace is the folder that a request names, "" when it names none.
func workspace(r *http.Request) string {
	if w := r.Header.Get(headerWorkspace); w != "" {
		return w
	}
	return r.URL.Query().Get("workspace")
}

// clientFor finds or makes a client. Only a new one gets the default workspace: an existing one has
// its own.
func (s *Server) clientFor(r *http.Request, clientID string, m *message) (string, error) {
	secrets, err := secretsIn(r.Header)
	if err != nil {
		return "", err
	}
	c, err := s.o.Daemon.OpenClient(r.Context(), &pb.OpenClientRequest{
		ClientId: clientID, Name: m.client(), Workspace: workspace(r), DefaultWorkspace: s.o.Workspace, Secrets: secrets,
	})
	return c.GetClientId(), err
}
