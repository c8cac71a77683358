package mcpserver

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// receive is around every request: it notices who comes, refuses tools that are there but not listed, and tells the handle
// of the seat.
func (h *host) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer h.s.survive(method, &err)
		session, _ := req.GetSession().(*mcp.ServerSession)
		p, calls := req.GetParams().(*mcp.CallToolParamsRaw)
		if calls {
			if res := h.unlisted(p.Name); res != nil {
				return res, nil
			}
		}
		var res mcp.Result
		if list, ok := req.(*mcp.ListToolsRequest); ok {
			res, err = h.listTools(ctx, next, list)
		} else {
			res, err = next(ctx, method, req)
		}
		if err != nil {
			if calls {
				err = h.near(p.Name, err)
			}
			return res, err
		}
		switch method {
		case "initialize":
			p, _ := req.GetParams().(*mcp.InitializeParams)
			if err := h.arrived(session, p); err != nil {
				return nil, err
			}
			h.sign(res)
		case "server/discover", "tools/list":
			if h.seat.Handle() != h.s.anonymousHandle() {
				h.introduced(req)
				h.sign(res)
			}
		}
		return res, nil
	}
}

// survive turns a panic of ours into an error of one request: the SDK would let it take the daemon down, and everybody's
// browsers with it.
func (s *Server) survive(method string, err *error) {
	p := recover()
	if p == nil {
		return
	}
	s.o.Log.Error("a request panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
	*err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "this is a fault of Trailblaze; `trailblaze daemon logs` shows it"}
}

// near adds to the refusal of an unknown tool what its caller may have meant.
func (h *host) near(name string, err error) error {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || h.spec(name) != nil {
		return err
	}
	names := h.s.o.Hub.Tools(h.seat).Near(name)
	if len(names) == 0 {
		return err
	}
	better := *wire
	better.Message += "; did you mean " + strings.Join(names, " or ") + "?"
	return &better
}

// sign tells the client its handle, with which it finds its seat again from anywhere.
func (h *host) sign(res mcp.Result) {
	meta := res.GetMeta()
	if meta == nil {
		meta = map[string]any{}
	}
	meta[metaKey] = map[string]any{"trailblazeSessionId": h.seat.Handle()}
	res.SetMeta(meta)
}

// introduced takes the name of a client that has no initialize to give it in (protocol 2026-07-28), so that others are
// told who has a device.
func (h *host) introduced(req mcp.Request) {
	var meta mcp.Meta
	switch p := req.GetParams().(type) { // which may be a nil of its type
	case *mcp.ListToolsParams:
		if p != nil {
			meta = p.Meta
		}
	case *mcp.DiscoverParams:
		if p != nil {
			meta = p.Meta
		}
	}
	client, _ := meta[mcp.MetaKeyClientInfo].(map[string]any)
	name, _ := client["name"].(string)
	if name == "" || h.seat.State().Name != "" {
		return
	}
	if err := h.seat.Update(func(st *hub.SeatState) error { st.Name = name; return nil }); err != nil {
		h.s.o.Log.Warn("a client's name could not be kept", "error", err)
	}
}

// arrived notes a client that has initialized.
func (h *host) arrived(session *mcp.ServerSession, p *mcp.InitializeParams) error {
	if session.ID() != "" && h.s.visitOf(session) == nil { // connections are noted by ServeConn
		if _, ok := h.s.begin(h, session); !ok {
			return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is shutting down"}
		}
	}
	if p == nil || p.ClientInfo == nil || p.ClientInfo.Name == "" || p.ClientInfo.Name == h.seat.State().Name {
		return nil
	}
	return h.seat.Update(func(st *hub.SeatState) error {
		st.Name = p.ClientInfo.Name
		return nil
	})
}

func (s *Server) anonymousHandle() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.anon
}
