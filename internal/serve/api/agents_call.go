package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/agent/llm"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/observe"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// agentCall is a call that a model makes.
type agentCall struct {
	*Agents
	r       *pb.CallListedToolRequest
	spec    *tool.Spec // nil: there is no such tool
	client  *clients.Client
	started time.Time
	life    context.Context // of the stream

	relay  *llm.Relay // asks the model of the client; nil: it has none
	leave  func()     // ends that the relay asks through this call
	rounds atomic.Int32

	sending sync.Mutex
	send    func(*pb.CallListedToolResponse) error
}

// CallListedTool implements AgentService. A failed tool and wrong arguments are results, which a model can read and
// act on.
func (s *Agents) CallListedTool(
	ctx context.Context, r *pb.CallListedToolRequest, send func(*pb.CallListedToolResponse) error,
) error {
	ctx, done, err := s.stream(ctx)
	if err != nil {
		return err
	}
	defer done()
	c := &agentCall{Agents: s, r: r, started: time.Now(), life: ctx, send: send}
	result, err := c.carryOut(ctx)
	if err != nil {
		return err
	}
	err = c.say(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Result{Result: result}})
	if err == nil {
		c.awaitJob(ctx, result.GetCall().GetJob())
	}
	return err
}

// say sends one message at a time: reports and questions come from several goroutines.
func (c *agentCall) say(m *pb.CallListedToolResponse) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.send(m)
}

func (c *agentCall) carryOut(ctx context.Context) (*pb.AgentResult, error) {
	seen, err := c.Agents.client(c.r.ClientId)
	if err != nil {
		return nil, err
	}
	c.client = seen
	if t, ok := c.o.Hub.Tool(ctx, seen, c.r.Name); ok {
		c.spec = t.Spec()
	}
	delegated := c.r.InvocationId != "" // whoever knows that call may act in its place
	if c.spec == nil || !delegated {
		if res := c.unlisted(); res != nil {
			return res, nil
		}
	}
	if delegated {
		return c.delegate(ctx), nil
	}
	args := c.envelope()
	if c.r.ForClient != "" && c.r.ForClient != seen.ID() {
		other, err := c.Agents.client(c.r.ForClient)
		if err != nil {
			return c.failed(nil, err), nil
		}
		c.client = other
	}
	err = c.say(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Receipt{
		Receipt: &pb.Receipt{Repeatable: toolset.HintsOf(c.spec).ReadOnly}}})
	if err != nil {
		return nil, err
	}
	call := tool.Call{Name: c.r.Name, Args: args}
	reply, err := c.o.Hub.Do(c.withModel(ctx), c.client, calls.Request{
		Call: call, Device: c.r.DeviceId, Intent: c.r.Intent, MaxTokens: int(c.r.MaxTokens), From: dispatch.MCP,
		Progress: c.progress(), Detach: c.r.Name != jobTool, Awaited: c.awaited,
	})
	if c.r.Attended && c.leave != nil {
		c.leave() // no question may follow the result
	}
	c.touched(reply)
	c.log(call, reply, err)
	if err != nil {
		return c.failed(reply, err), nil
	}
	return c.result(reply), nil
}

// delegate makes the call in place of one that is in flight. The agent that asked for it writes the log.
func (c *agentCall) delegate(ctx context.Context) *pb.AgentResult {
	call := tool.Call{Name: c.r.Name, Args: json.RawMessage(c.r.Arguments)}
	res, err := c.o.Hub.DelegateIn(ctx, c.r.SessionId, c.r.InvocationId, call)
	reply := &calls.Reply{
		Client: c.client.ID(), Result: res, Session: c.r.SessionId, Duration: time.Since(c.started),
	}
	if err != nil {
		return c.failed(reply, err)
	}
	out := c.result(reply)
	if res.Evidence != nil {
		out.Evidence = asJSON(res.Evidence)
	}
	return out
}

// unlisted answers a call of a tool that is not listed: with the way to list it, or with the names that are like it.
func (c *agentCall) unlisted() *pb.AgentResult {
	reg := c.o.Hub.Tools(c.client)
	if c.spec == nil {
		err, missing := fault.New(fault.NotFound, "", "unknown tool %q", c.r.Name), reg.Missing("", c.r.Name, "")
		if why := errors.Unwrap(missing.Err); why != nil && missing.Hint != "" {
			err = fault.New(fault.NotFound, "", "%w: %w", err, why)
		}
		if missing.Hint != "" {
			err = fault.New(fault.NotFound, "", "%w. %s", err, missing.Hint)
		}
		res := c.failed(nil, err)
		res.Unknown = true
		return res
	}
	if c.r.Name == jobTool && c.r.Abilities.GetJobs() {
		return nil
	}
	why := c.o.Hub.View(c.client, c.r.Abilities.GetSamples()).Explain(reg, c.r.Name)
	if why == "" {
		return nil
	}
	return &pb.AgentResult{IsError: true, Call: &pb.CallInfo{ClientId: c.client.ID()}, Content: texts(why)}
}

const deviceArg = "device"

var envelopeArgs = []string{toolset.IntentArg, toolset.ClientArg, deviceArg}

// envelope moves the envelope's fields out of the arguments: every tool takes intent, device and
// trailblazeSessionId without knowing them. A tool that has a parameter of that name keeps it.
func (c *agentCall) envelope() json.RawMessage {
	args := json.RawMessage(c.r.Arguments)
	if !slices.ContainsFunc(envelopeArgs, func(name string) bool { return bytes.Contains(args, []byte(`"`+name+`"`)) }) {
		return args
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(args, &obj) != nil {
		return args // the dispatcher reports what is wrong
	}
	take := func(key string, into *string) {
		raw, ok := obj[key]
		if !ok || declares(c.spec, key) {
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
	take(toolset.IntentArg, &c.r.Intent)
	take(toolset.ClientArg, &c.r.ForClient)
	take(deviceArg, &c.r.DeviceId)
	out, err := json.Marshal(obj)
	if err != nil {
		return args
	}
	return out
}

// declares reports whether a tool itself has a parameter of this name.
func declares(spec *tool.Spec, key string) bool {
	if spec.Input == nil {
		return false
	}
	_, ok := spec.Input().Properties[key]
	return ok
}

// progress reports for a client that wants it. A report that cannot be sent is lost, not the call.
func (c *agentCall) progress() func(calls.Progress) {
	if !c.r.Progress {
		return nil
	}
	return func(p calls.Progress) {
		_ = c.say(&pb.CallListedToolResponse{Message: &pb.CallListedToolResponse_Progress{Progress: progressOf(p)}})
	}
}

// result is a call's reply: short text for a model, data for a program, and where it ran.
func (c *agentCall) result(r *calls.Reply) *pb.AgentResult {
	out := &pb.AgentResult{Call: infoForModel(r)}
	said := &words{}
	if r.Result != nil {
		out.IsError = r.Result.IsError
		if r.Result.Fault != nil {
			out.Failure = failureOf(fault.FailureOf(r.Result.Fault))
		}
		for _, part := range r.Result.Content {
			switch {
			case part.Type == "image":
				said.picture(&part)
			case r.FromPage:
				said.text(observe.MarkUntrusted(part.Text))
			default:
				said.text(part.Text)
			}
		}
		if !r.Result.IsError && len(r.Result.Value) > 0 && c.list.Of(c.spec, describe).OutputSchema != "" {
			out.Value = string(r.Result.Value)
		}
	}
	said.observation(r)
	said.notes(r)
	if r.Job != "" {
		said.text(fmt.Sprintf("Still running, as job %s. Call job {\"id\": %q} for its result.", r.Job, r.Job))
		out.Value = asJSON(map[string]string{"job": r.Job})
	}
	out.Content = said.list
	return out
}

// infoForModel returns the place where a call ran, without the parts that are elsewhere in the reply.
func infoForModel(r *calls.Reply) *pb.CallInfo {
	info := placeOf(r)
	if o := r.Observation; o != nil && o.URL != "" {
		info.Observation = &pb.Observation{Url: o.URL, Title: o.Title, Full: o.Full, Truncated: o.Truncated,
			Settle: o.Settle, Changes: int32(o.Changes)} //nolint:gosec // elements of a page
	}
	return info
}

// failed is a call that could not be carried out, as a result that a model can read and mend.
func (c *agentCall) failed(r *calls.Reply, err error) *pb.AgentResult {
	if r == nil {
		r = &calls.Reply{Client: c.client.ID()}
	}
	said := &words{list: texts(fault.Text(err))}
	said.notes(r)
	failure := failureOf(fault.FailureOf(err))
	return &pb.AgentResult{Call: infoForModel(r), IsError: true, Failure: failure, Content: said.list}
}

// words are the parts of the text for a model.
type words struct{ list []*pb.AgentContent }

func texts(text string) []*pb.AgentContent {
	return []*pb.AgentContent{{Kind: &pb.AgentContent_Text{Text: text}}}
}

func (w *words) text(text string) {
	if strings.TrimSpace(text) != "" {
		w.list = append(w.list, texts(text)...)
	}
}

func (w *words) picture(p *tool.Content) {
	w.list = append(w.list, &pb.AgentContent{Kind: &pb.AgentContent_Image{
		Image: &pb.Image{Data: p.Data, MimeType: p.MIME}}})
}

func (w *words) observation(r *calls.Reply) {
	o := r.Observation
	if o == nil {
		return
	}
	w.text(o.String())
	if o.Image != nil {
		w.picture(o.Image)
	}
	if uri := o.Overflow.URI(); uri != "" {
		w.list = append(w.list, &pb.AgentContent{Kind: &pb.AgentContent_Link{Link: &pb.Link{
			Uri: uri, Name: "whole output", MimeType: o.Overflow.MIME, Size: int64(o.Overflow.Bytes),
		}}})
	}
}

func (w *words) notes(r *calls.Reply) {
	for _, note := range r.Warnings {
		w.text("Note: " + note)
	}
}
