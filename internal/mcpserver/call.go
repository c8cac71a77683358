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
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// call carries out tools/call. A tool that fails, and arguments that are wrong, are results that a model can read and act
// on; protocol errors are for faults of the protocol.
func (h *host) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	started := time.Now()
	name := req.Params.Name
	e := envelopeOf(req.Params.Meta)
	spec := h.spec(name)
	args := e.takeFrom(req.Params.Arguments, spec)

	seat := h.seat
	if e.Handle != "" && e.Handle != seat.Handle() {
		other, ok := h.s.o.Hub.Lookup(e.Handle)
		if !ok {
			return h.failed(seat, nil, fault.New(fault.NotFound, "find seat", "no Trailblaze session %q", e.Handle).
				WithHint("Leave trailblazeSessionId out; the reply names yours.")), nil
		}
		seat = other
	}

	run := func(ctx context.Context, e2 *errand) *mcp.CallToolResult {
		ctx = h.withSampler(ctx, req, e2)
		reply, err := h.s.o.Hub.Do(ctx, seat, hub.Request{
			Call:      tool.Call{Name: name, Args: args},
			Device:    e.Device,
			Intent:    e.Intent,
			MaxTokens: e.MaxTokens,
			From:      dispatch.MCP,
			Progress:  h.progress(ctx, req),
			Detach:    e2 == nil, // an errand must be attended to the end: a job could ask nobody
		})
		h.s.told(reply)
		h.logCall(req, seat, tool.Call{Name: name, Args: args}, reply, err, started)
		if err != nil {
			return h.failed(seat, reply, err)
		}
		return h.result(spec, seat, reply)
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	life := h.s.life
	if v := h.s.visitOf(req.Session); v != nil {
		life = v.ctx
	}
	defer context.AfterFunc(life, cancel)()

	var res *mcp.CallToolResult
	var err error
	switch {
	case req.Params.RequestState != "":
		res, err = h.s.resume(ctx, seat.Handle(), req.Params.RequestState, req.Params.InputResponses)
	case h.asksBack(req, spec):
		res, err = h.s.start(ctx, seat.Handle(), run)
	default:
		res = run(ctx, nil)
	}
	if err != nil {
		return h.failed(seat, nil, err), nil
	}
	return res, nil
}

// asksBack says whether a call may have to end with a question to the client's model: it wants one, and in this client's
// protocol a server cannot ask.
func (h *host) asksBack(req *mcp.CallToolRequest, spec *tool.Spec) bool {
	caps := req.ClientCapabilities()
	return spec != nil && spec.NeedsModel && caps != nil && caps.Sampling != nil && req.ProtocolVersion() >= firstStateless
}

const deviceArg = "device"

var envelopeArgs = []string{toolset.IntentArg, toolset.HandleArg, deviceArg}

// takeFrom moves what belongs to the envelope out of the arguments: every tool takes intent, device and trailblazeSessionId
// without knowing of them. A tool that has a parameter of that name keeps it.
func (e *envelope) takeFrom(args json.RawMessage, spec *tool.Spec) json.RawMessage {
	if !slices.ContainsFunc(envelopeArgs, func(name string) bool { return bytes.Contains(args, []byte(`"`+name+`"`)) }) {
		return args
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(args, &obj) != nil {
		return args // the dispatcher says what is wrong with it
	}
	take := func(key string, into *string) {
		raw, ok := obj[key]
		if !ok || own(spec, key) {
			return
		}
		var s string
		if string(raw) != "null" && json.Unmarshal(raw, &s) != nil {
			return // stays, to be refused by the schema
		}
		delete(obj, key)
		if *into == "" {
			*into = s
		}
	}
	take(toolset.IntentArg, &e.Intent)
	take(toolset.HandleArg, &e.Handle)
	take(deviceArg, &e.Device)
	out, err := json.Marshal(obj)
	if err != nil {
		return args
	}
	return out
}

// own says whether a tool itself has a parameter of this name.
func own(spec *tool.Spec, key string) bool {
	if spec == nil || spec.Input == nil {
		return false
	}
	_, ok := spec.Input.Properties[key]
	return ok
}

func (h *host) spec(name string) *tool.Spec {
	t, ok := h.s.o.Hub.Tools(h.seat).Get(name)
	if !ok {
		return nil
	}
	return t.Spec()
}
