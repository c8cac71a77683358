package mcpserver

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
)

// call carries out tools/call. A failed tool and wrong arguments are results, which a model can
// read and act on; protocol errors are for faults of the protocol.
func (cs *clientServer) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	life := cs.s.life
	if conn := cs.s.connectionOf(req.Session); conn != nil {
		life = conn.ctx
	}
	defer context.AfterFunc(life, cancel)()

	name, _ := ctx.Value(nameKey{}).(string)
	ask := sampler(nil)
	caps := req.ClientCapabilities()
	later := false
	if caps != nil && caps.Sampling != nil {
		ask = cs.s.direct(req.Session)
		later = req.ProtocolVersion() >= firstStateless // such a client cannot be asked during a call
	}
	switch {
	case req.Params.RequestState != "":
		res, err := cs.s.resume(ctx, cs.clientOf(req), req.Params.RequestState, req.Params.InputResponses)
		if err != nil {
			return cs.failed(err), nil
		}
		return res, nil
	case later:
		return cs.s.start(ctx, cs.clientOf(req), func(ctx context.Context, p *pendingCall) (*mcp.CallToolResult, error) {
			return cs.run(ctx, life, name, req, p.sample, true)
		})
	}
	return cs.run(ctx, life, name, req, ask, false)
}

// clientOf is the client id that a call names, or that of its connection.
func (cs *clientServer) clientOf(req *mcp.CallToolRequest) string {
	if id := envelopeOf(req.Params.Meta).ClientID; id != "" {
		return id
	}
	return cs.id
}

// run makes a call of the daemon and passes on what it says meanwhile. attended: its questions end the request.
func (cs *clientServer) run(
	ctx, life context.Context, name string, req *mcp.CallToolRequest, ask sampler, attended bool,
) (*mcp.CallToolResult, error) {
	e := envelopeOf(req.Params.Meta)
	c := &calling{s: cs.s, life: life, report: cs.progress(ctx, req), always: ask != nil && !attended,
		asking: &questions{daemon: cs.s.o.Daemon, ask: ask}}
	result, err := c.do(ctx, &pb.CallListedToolRequest{
		ClientId: cs.id, ForClient: e.ClientID, Name: name, Arguments: string(req.Params.Arguments),
		InvocationId: e.InvocationID, SessionId: e.SessionID,
		DeviceId: e.Device, Intent: e.Intent, MaxTokens: int32(e.MaxTokens), //nolint:gosec // below 1e9
		Abilities: cs.abilities(req.ClientCapabilities()), Attended: attended, Progress: c.report != nil,
		Transport: string(transportOf(req)), Connection: req.Session.ID(), Program: programOf(req),
	})
	if err == nil && result == nil {
		err = fault.New(fault.Internal, "call "+name, "the daemon gave no result")
	}
	if own, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil, own
	}
	if err != nil {
		return cs.failed(err), nil
	}
	if result.Unknown {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: result.GetFailure().GetMessage()}
	}
	if result.GetCall().GetJob() != "" && !cs.jobs.Swap(true) {
		cs.announce() // the tool that gives the result of a job
	}
	return resultOf(result), nil
}

func transportOf(req *mcp.CallToolRequest) toolset.AgentToolTransport {
	if req.Extra != nil && req.Extra.Header != nil {
		return toolset.OverHTTP
	}
	return toolset.OverStdio
}

func programOf(req *mcp.CallToolRequest) string {
	if c := req.ClientInfo(); c != nil {
		return c.Name
	}
	return ""
}
