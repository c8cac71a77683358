package mcpserver

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/hub/clients"
)

// receive wraps every request: it notes the client's name, refuses tools that exist but are not
// listed, and adds the client id to replies.
func (cs *clientServer) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer cs.s.recoverPanic(method, &err)
		session, _ := req.GetSession().(*mcp.ServerSession)
		p, calls := req.GetParams().(*mcp.CallToolParamsRaw)
		if calls {
			if res := cs.unlisted(p.Name); res != nil {
				return res, nil
			}
		}
		if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p != nil && p.ClientInfo != nil {
			if err := clients.CheckName(p.ClientInfo.Name); err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
			}
		}
		var res mcp.Result
		if list, ok := req.(*mcp.ListToolsRequest); ok {
			res, err = cs.listTools(ctx, next, list)
		} else {
			res, err = next(ctx, method, req)
		}
		if err != nil {
			if calls {
				err = cs.withReason(p.Name, err)
			}
			return res, err
		}
		switch method {
		case "initialize":
			p, _ := req.GetParams().(*mcp.InitializeParams)
			if err := cs.initialized(session, p); err != nil {
				return nil, err
			}
			cs.addClientID(res)
		case "server/discover", "tools/list":
			if cs.client.ID() != cs.s.anonymousID() {
				cs.takeName(req)
				cs.addClientID(res)
			}
		}
		return res, nil
	}
}

// recoverPanic turns a panic into an error of one request. The SDK would let it end the daemon with
// all browsers.
func (s *Server) recoverPanic(method string, err *error) {
	p := recover()
	if p == nil {
		return
	}
	s.o.Log.Error("a request panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
	*err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError,
		Message: "this is a fault of Trailblaze; `trailblaze daemon logs` shows it"}
}

// withReason adds to the refusal of an unknown tool why it is not there, or similar names.
func (cs *clientServer) withReason(name string, err error) error {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || cs.spec(name) != nil {
		return err
	}
	better, missing := *wire, cs.s.o.Hub.Tools(cs.client).Missing("", name, "")
	if missing.Hint == "" {
		return err
	}
	if why := errors.Unwrap(missing.Err); why != nil {
		better.Message += ": " + why.Error()
	}
	better.Message += ". " + missing.Hint
	return &better
}

// addClientID puts the client id into a reply, so that the client can use it from another
// connection.
func (cs *clientServer) addClientID(res mcp.Result) {
	meta := res.GetMeta()
	if meta == nil {
		meta = map[string]any{}
	}
	meta[metaKey] = map[string]any{"trailblazeSessionId": cs.client.ID()}
	res.SetMeta(meta)
}

// takeName notes the name of a client whose protocol (2026-07-28) has no initialize, so that others
// see which client uses a device.
func (cs *clientServer) takeName(req mcp.Request) {
	var meta mcp.Meta
	switch p := req.GetParams().(type) { // it may be a nil of its type
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
	if name == "" || cs.client.State().Name != "" {
		return
	}
	if err := cs.client.Update(func(st *clients.State) error { st.Name = name; return nil }); err != nil {
		cs.s.o.Log.Warn("a client's name could not be kept", "error", err)
	}
}

// initialized registers the session of a client that has sent initialize, and notes the client's
// name.
func (cs *clientServer) initialized(session *mcp.ServerSession, p *mcp.InitializeParams) error {
	if session.ID() != "" && cs.s.connectionOf(session) == nil { // ServeConn registers streams itself
		if _, ok := cs.s.begin(cs, session); !ok {
			return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is shutting down"}
		}
	}
	if p == nil || p.ClientInfo == nil || p.ClientInfo.Name == "" || p.ClientInfo.Name == cs.client.State().Name {
		return nil
	}
	return cs.client.Update(func(st *clients.State) error {
		st.Name = p.ClientInfo.Name
		return nil
	})
}

func (s *Server) anonymousID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.anon
}
