package mcpserver

import (
	"context"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// receive wraps every request: it notes the client's name, brings calls of every name to call, and adds the client id
// to replies.
func (cs *clientServer) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer cs.s.recoverPanic(method, &err)
		session, _ := req.GetSession().(*mcp.ServerSession)
		p, calls := req.GetParams().(*mcp.CallToolParamsRaw)
		if calls && !(cs.s.o.Extra != nil && cs.has(ctx, next, session, p.Name)) {
			ctx = context.WithValue(ctx, nameKey{}, p.Name)
			p.Name = anyTool
		}
		if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p != nil && p.ClientInfo != nil {
			if err := cs.called(ctx, p.ClientInfo.Name); err != nil { // before the SDK takes the session as begun
				return nil, rpcError(err)
			}
		}
		var res mcp.Result
		if list, ok := req.(*mcp.ListToolsRequest); ok {
			res, err = cs.listTools(ctx, next, list)
		} else {
			res, err = next(ctx, method, req)
		}
		if err != nil {
			return res, err
		}
		switch method {
		case "initialize":
			if err := cs.initialized(session); err != nil {
				return nil, err
			}
			cs.addClientID(res)
		case "server/discover", "tools/list":
			if cs.id != cs.s.anonymousID() {
				cs.takeName(ctx, req)
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

// addClientID puts the client id into a reply, so that the client can use it from another
// connection.
func (cs *clientServer) addClientID(res mcp.Result) {
	meta := res.GetMeta()
	if meta == nil {
		meta = map[string]any{}
	}
	meta[metaKey] = map[string]any{"trailblazeSessionId": cs.id}
	res.SetMeta(meta)
}

// takeName notes the name of a client whose protocol (2026-07-28) has no initialize, so that others
// see which client uses a device.
func (cs *clientServer) takeName(ctx context.Context, req mcp.Request) {
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
	if name == "" || cs.hasName.Swap(true) {
		return
	}
	_, err := cs.s.o.Daemon.UpdateClient(ctx, &pb.UpdateClientRequest{ClientId: cs.id, Name: name, KeepName: true})
	if err != nil {
		cs.s.o.Log.Warn("a client's name could not be kept", "error", err)
	}
}

// called notes the name of the client's program.
func (cs *clientServer) called(ctx context.Context, name string) error {
	if err := clients.CheckName(name); err != nil || name == "" {
		return err
	}
	_, err := cs.s.o.Daemon.UpdateClient(ctx, &pb.UpdateClientRequest{ClientId: cs.id, Name: name})
	return err
}

// initialized registers the session of a client that has sent initialize.
func (cs *clientServer) initialized(session *mcp.ServerSession) error {
	if session.ID() != "" && cs.s.connectionOf(session) == nil { // ServeConn registers streams itself
		if _, err := cs.s.begin(cs, session); err != nil {
			return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server is shutting down"}
		}
	}
	return nil
}

func (s *Server) anonymousID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.anon
}
