package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// call carries out tools/call. A failed tool and wrong arguments are results, which a model can
// read and act on; protocol errors are for faults of the protocol.
func (cs *clientServer) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	started := time.Now()
	name := req.Params.Name
	e := envelopeOf(req.Params.Meta)
	spec := cs.spec(name)
	args := e.takeFrom(req.Params.Arguments, spec)

	client := cs.client
	if e.ClientID != "" && e.ClientID != client.ID() {
		other, ok := cs.s.o.Hub.Lookup(e.ClientID)
		if !ok {
			return cs.failed(client, nil,
				fault.New(fault.NotFound, "find client", "no Trailblaze client %q", e.ClientID).
					WithHint("Leave trailblazeSessionId out; the reply names yours.")), nil
		}
		client = other
	}

	run := func(ctx context.Context, pending *pendingCall) *mcp.CallToolResult {
		ctx = cs.withSampler(ctx, req, pending)
		reply, err := cs.s.o.Hub.Do(ctx, client, calls.Request{
			Call:      tool.Call{Name: name, Args: args},
			Device:    e.Device,
			Intent:    e.Intent,
			MaxTokens: e.MaxTokens,
			From:      dispatch.MCP,
			Progress:  cs.progress(ctx, req),
			Detach:    pending == nil, // a job could not ask the client's model
		})
		cs.s.notify(reply)
		cs.logCall(req, client, tool.Call{Name: name, Args: args}, reply, err, started)
		if err != nil {
			return cs.failed(client, reply, err)
		}
		return cs.result(spec, client, reply)
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	life := cs.s.life
	if conn := cs.s.connectionOf(req.Session); conn != nil {
		life = conn.ctx
	}
	defer context.AfterFunc(life, cancel)()

	var res *mcp.CallToolResult
	var err error
	switch {
	case req.Params.RequestState != "":
		res, err = cs.s.resume(ctx, client.ID(), req.Params.RequestState, req.Params.InputResponses)
	case cs.needsClientModel(req, spec):
		res, err = cs.s.start(ctx, client.ID(), run)
	default:
		res = run(ctx, nil)
	}
	if err != nil {
		return cs.failed(client, nil, err), nil
	}
	return res, nil
}

// needsClientModel says whether a call may have to end with a question to the client's model: the
// tool wants a model, and in this client's protocol a server cannot ask during a call.
func (cs *clientServer) needsClientModel(req *mcp.CallToolRequest, spec *tool.Spec) bool {
	caps := req.ClientCapabilities()
	return spec != nil && spec.NeedsModel && caps != nil && caps.Sampling != nil &&
		req.ProtocolVersion() >= firstStateless
}

const deviceArg = "device"

var envelopeArgs = []string{toolset.IntentArg, toolset.ClientArg, deviceArg}

// takeFrom moves the envelope's fields out of the arguments: every tool takes intent, device and
// trailblazeSessionId without knowing them. A tool that has a parameter of that name keeps it.
func (e *envelope) takeFrom(args json.RawMessage, spec *tool.Spec) json.RawMessage {
	if !slices.ContainsFunc(envelopeArgs, func(name string) bool { return bytes.Contains(args, []byte(`"`+name+`"`)) }) {
		return args
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(args, &obj) != nil {
		return args // the dispatcher reports what is wrong
	}
	take := func(key string, into *string) {
		raw, ok := obj[key]
		if !ok || declares(spec, key) {
			return
		}
		var s string
		if string(raw) != "null" && json.Unmarshal(raw, &s) != nil {
			return // stays, so that the schema refuses it
		}
		delete(obj, key)
		if *into == "" {
			*into = s
		}
	}
	take(toolset.IntentArg, &e.Intent)
	take(toolset.ClientArg, &e.ClientID)
	take(deviceArg, &e.Device)
	out, err := json.Marshal(obj)
	if err != nil {
		return args
	}
	return out
}

// declares says whether a tool itself has a parameter of this name.
func declares(spec *tool.Spec, key string) bool {
	if spec == nil || spec.Input == nil {
		return false
	}
	_, ok := spec.Input.Properties[key]
	return ok
}

func (cs *clientServer) spec(name string) *tool.Spec {
	t, ok := cs.s.o.Hub.Tools(cs.client).Get(name)
	if !ok {
		return nil
	}
	return t.Spec()
}
