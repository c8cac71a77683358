package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// firstStateless is the first protocol version without sessions.
const firstStateless = "2026-07-28"

const (
	headerSession   = "Mcp-Session-Id"
	headerVersion   = "Mcp-Protocol-Version"
	headerWorkspace = "Trailblaze-Workspace"
	headerHandle    = "Trailblaze-Handle"
)

type hostKey struct{}

// handlers makes the SDK's two handlers: its stateful one refuses the protocol without sessions, its stateless one keeps
// none. Both find the host that route chose in the request's context.
func (s *Server) handlers() (stateful, stateless http.Handler) {
	chosen := func(r *http.Request) *mcp.Server {
		if h, ok := r.Context().Value(hostKey{}).(*host); ok {
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

// ServeHTTP serves the MCP endpoint. Who may knock at all (token, Host, Origin) is the door's business.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.life.Err() != nil {
		refuse(w, http.StatusServiceUnavailable, nil, jsonrpc.CodeInternalError, "the server is shutting down")
		return
	}
	w, done := newPatient(w)
	defer done()
	id := r.Header.Get(headerSession)
	if r.Header.Get(headerVersion) >= firstStateless {
		s.serveStateless(w, r)
		return
	}
	if v := s.session(id); v != nil {
		if r.Method == http.MethodDelete {
			v.cancel() // or closing would wait for its calls
		}
		s.stateful.ServeHTTP(w, with(r, v.h))
		return
	}
	switch r.Method {
	case http.MethodPost:
	case http.MethodGet, http.MethodDelete:
		if id != "" {
			gone(w, nil)
			return
		}
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, "this method needs the header "+headerSession)
		return
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		refuse(w, http.StatusMethodNotAllowed, nil, jsonrpc.CodeInvalidRequest, "use POST, GET or DELETE")
		return
	}
	m, ok := s.peek(w, r)
	if !ok {
		return
	}
	switch {
	case m.stateless():
		s.serveStateless(w, r)
	case m.Method == "initialize":
		s.serveInitialize(w, r, m, id)
	case id != "":
		gone(w, m.ID)
	default:
		refuse(w, http.StatusBadRequest, m.ID, jsonrpc.CodeInvalidRequest,
			"send initialize first, or use protocol version "+firstStateless+" whose requests stand alone")
	}
}

// Handler is the Server, for those who ask for a handler.
func (s *Server) Handler() http.Handler { return s }

func (s *Server) session(id string) *visit {
	if id == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

func with(r *http.Request, h *host) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), hostKey{}, h))
}

// serveInitialize starts a session. One that names a session which has gone is welcome (R212), and has the same seat when
// the id tells which that was. A client that hangs up while it waits may have the session's id already, from the headers:
// it can come back for the rest, so the session is made all the same.
func (s *Server) serveInitialize(w http.ResponseWriter, r *http.Request, m *message, stale string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), clientPatience)
	defer cancel()
	r = r.WithContext(ctx)
	r.Header.Del(headerSession)
	seat, err := s.seatFor(r, handleIn(stale), m)
	if err != nil {
		refuseFault(w, m.ID, err)
		return
	}
	if err := hold(seat, r.Header); err != nil {
		refuseFault(w, m.ID, err)
		return
	}
	h := s.hostOf(seat)
	defer h.release()
	if workspace(r) != "" {
		h.named.Store(true)
	}
	s.stateful.ServeHTTP(w, with(r, h))
}

// serveStateless carries out one request of the protocol without sessions.
func (s *Server) serveStateless(w http.ResponseWriter, r *http.Request) {
	h := (*host)(nil)
	if r.Method == http.MethodPost {
		m, ok := s.peek(w, r)
		if !ok {
			return
		}
		var err error
		if h, err = s.statelessHost(r, m); err != nil {
			refuseFault(w, m.ID, err)
			return
		}
		defer h.release()
	}
	s.stateless.ServeHTTP(w, with(r, h))
}

// statelessHost is the host of the seat that a request names. A call that names none gets a seat of its own, whose handle
// the reply tells; everything else that names none changes nothing, and shares one seat.
func (s *Server) statelessHost(r *http.Request, m *message) (*host, error) {
	handle := m.handle()
	if handle == "" {
		handle = s.errands.handleOf(m.Params.State)
	}
	if handle == "" {
		handle = r.Header.Get(headerHandle)
	}
	if handle == "" && m.Method != "tools/call" || handle != "" && !hub.ValidHandle(handle) {
		return s.anonymous() // where a call that names nonsense is told so, as a result that a model reads
	}
	seat, err := s.seatFor(r, handle, m)
	if err == nil {
		err = hold(seat, r.Header)
	}
	if err != nil {
		return nil, err
	}
	return s.hostOf(seat), nil
}

// hold gives the seat the secrets that come with a request of its client.
func hold(seat *hub.Seat, h http.Header) error {
	secrets, err := secretsIn(h)
	if err == nil && len(secrets) > 0 {
		seat.Hold(secrets)
	}
	return err
}

func (s *Server) anonymous() (*host, error) {
	s.mu.Lock()
	handle := s.anon
	s.mu.Unlock()
	seat, err := s.o.Hub.Seat(handle, hub.NewSeat{Client: "mcp", Name: "anonymous", Workspace: s.o.Workspace})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.anon = seat.Handle()
	s.mu.Unlock()
	return s.hostOf(seat), nil
}

// workspace is the folder that a client names, "" when it names none.
func workspace(r *http.Request) string {
	if w := r.Header.Get(headerWorkspace); w != "" {
		return w
	}
	return r.URL.Query().Get("workspace")
}

// seatFor finds or makes a seat. Only a new one gets the workspace of clients that name none: another one has moved on.
func (s *Server) seatFor(r *http.Request, handle string, m *message) (*hub.Seat, error) {
	if handle != "" && !hub.ValidHandle(handle) {
		return nil, fault.New(fault.Invalid, "find seat", "%.60q is no Trailblaze session handle", handle).
			WithHint("Use the trailblazeSessionId of an earlier reply, or leave it out to get a new one.")
	}
	n := hub.NewSeat{Client: "mcp", Name: m.client(), Workspace: workspace(r)}
	if n.Workspace == "" {
		if _, known := s.o.Hub.Lookup(handle); handle == "" || !known {
			n.Workspace = s.o.Workspace
		}
	}
	return s.o.Hub.Seat(handle, n)
}

// peek reads the message of a POST and leaves the body as it was.
func (s *Server) peek(w http.ResponseWriter, r *http.Request) (*message, bool) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, nil, jsonrpc.CodeInvalidRequest, "Content-Type must be application/json")
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.MaxBody))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			refuse(w, http.StatusRequestEntityTooLarge, nil, jsonrpc.CodeInvalidRequest, "the message is too large")
		} else {
			refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, "the message could not be read")
		}
		return nil, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	m := new(message)
	switch trimmed := bytes.TrimLeft(body, " \t\r\n"); {
	case len(trimmed) > 0 && trimmed[0] == '[':
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, "send one message per request; batches have no place here")
	case !json.Valid(body):
		refuse(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, "the message is not JSON")
	case !m.read(body):
		refuse(w, http.StatusBadRequest, m.ID, jsonrpc.CodeInvalidRequest, "the message is not JSON-RPC 2.0")
	default:
		return m, true
	}
	return nil, false
}
