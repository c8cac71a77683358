package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
)

// receive is around every request: it notices who comes, refuses tools that are there but not listed, and tells the handle
// of the seat.
func (h *host) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, _ := req.GetSession().(*mcp.ServerSession)
		p, calls := req.GetParams().(*mcp.CallToolParamsRaw)
		if calls {
			if res := h.unlisted(p.Name); res != nil {
				return res, nil
			}
		}
		var res mcp.Result
		var err error
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
				h.sign(res)
			}
		}
		return res, nil
	}
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
