package extern

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The bounds of a prompt.
const (
	maxPrompt     = 256 << 10 // characters
	maxMessages   = 100
	maxCompletion = 8192 // tokens
)

// samples reports whether the server may ask for completions. ready decides whether a call has a model to answer.
func (s *declaration) samples() bool { return s.c.Sampling && s.o.Model != nil }

func (s *declaration) ready(ctx context.Context) bool { return s.samples() && s.o.Model.Ready(ctx) }

// flight is a call in flight. Its context ends with the call, and holds the model to ask.
type flight struct {
	ctx context.Context // of a lifetime owner: the call
	env tool.Env
	by  *connection // that carries it out; nil: it waits for one
}

// flights are the calls in flight by the ids of their invocations. Server.mu guards them.
type flights map[string]*flight

// within returns a context that ends with the call or with a request.
func (f *flight) within(request context.Context) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(f.ctx)
	stop := context.AfterFunc(request, func() { cancel(context.Cause(request)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// refuseSampling answers a server that asks for a completion all the same with the reason why it gets none.
func (s *declaration) refuseSampling(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch {
		case method != "sampling/createMessage" || s.samples():
			return next(ctx, method, req)
		case !s.c.Sampling:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
				Message: "this server may not ask for completions: write sampling: true to it in " + s.place()}
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "no model is configured in Trailblaze"}
	}
}

// flies keeps a call while it is in flight.
func (s *Server) flies(ctx context.Context, id string, env tool.Env) (over func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight[id] = &flight{ctx: ctx, env: env}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.inFlight, id)
		select { // Retire waits for the last
		case s.landed <- struct{}{}:
		default:
		}
	}
}

// within is the reach of the process of a connection: the calls that it was given. One that waits for another of them
// is meant only by its id. Without an id it is waited for until only one can be meant, since the others end by
// themselves, and from then on the server gets one call at a time. The last of those that all wait is refused.
func (s *Server) within(c *connection, id string) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id != "" {
		if f := s.inFlight[id]; f != nil && f.by == c {
			out = append(out, id)
		}
		return out
	}
	s.nameless = true
	c.held++
	s.tellLocked() // those that wait count the callbacks
	for {
		out = s.inFlight.eligible(c)
		if len(out) <= max(1, c.held) || s.life.Err() != nil {
			c.held--
			return out
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-s.life.Done():
		}
		s.mu.Lock()
	}
}

// eligible are the calls of a connection that a callback without an id may mean. mu is held.
func (all flights) eligible(c *connection) (out []string) {
	for id, f := range all {
		if f.by == c && !all.waits(c, id) {
			out = append(out, id)
		}
	}
	return out
}

// waits reports whether a call has set off another one that the same process carries out.
func (all flights) waits(c *connection, id string) bool {
	for _, f := range all {
		if who, ok := f.env.(tool.Invoked); ok && f.by == c && who.Within(id) {
			return true
		}
	}
	return false
}

// caller is the call that a request belongs to: the one that it names, or the only one.
func (s *Server) caller(r *mcp.CreateMessageRequest) *flight {
	id, named := r.Params.Meta["trailblazeInvocationId"].(string)
	if !named {
		s.mu.Lock()
		c := s.up
		for _, f := range s.inFlight { // or the one before
			if f.by != nil && f.by.session == r.Session {
				c = f.by
			}
		}
		s.mu.Unlock()
		if c == nil {
			return nil
		}
		if found := s.within(c, ""); len(found) == 1 {
			id = found[0]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight[id]
}

// complete asks the model for a server. Secrets in the session of the call are masked.
func (s *Server) complete(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	refuse := func(text string) error { return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text} }
	call := s.caller(r)
	if call == nil {
		return nil, refuse("a completion is asked for from inside of a call: send back its trailblazeInvocationId in _meta")
	}
	ctx, end := call.within(ctx)
	defer end()
	env, mask := call.env, func(text string) string { return text }
	if m := env.Memory(); m != nil {
		mask = m.Mask
	}
	p := source.Prompt{
		Server: s.c.Name, System: mask(r.Params.SystemPrompt), MaxTokens: min(max(r.Params.MaxTokens, 1), maxCompletion),
	}
	size := len(p.System)
	for _, m := range r.Params.Messages {
		msg := source.Message{Role: string(m.Role)}
		switch c := m.Content.(type) {
		case *mcp.TextContent:
			msg.Text = mask(c.Text)
		case *mcp.ImageContent:
			msg.Image, msg.MIME = c.Data, c.MIMEType
		default:
			return nil, refuse("a message is a text or a picture")
		}
		size += len(msg.Text)
		p.Messages = append(p.Messages, msg)
	}
	if size > maxPrompt || len(p.Messages) > maxMessages {
		return nil, refuse("the prompt is too long")
	}
	if wantsScreenshot(r.Params) && env.Device() != nil {
		img, err := env.Device().Screenshot(ctx, driver.ScreenshotOptions{})
		if err != nil {
			return nil, err
		}
		p.Messages = append(p.Messages, source.Message{Role: "user", Image: img.Data, MIME: img.MIME})
	}
	text, model, err := s.o.Model.Complete(ctx, p)
	if err != nil {
		return nil, refuse(strings.TrimSpace(err.Error() + ". " + fault.HintOf(err)))
	}
	return &mcp.CreateMessageResult{
		Role: "assistant", Model: model, StopReason: "endTurn", Content: &mcp.TextContent{Text: text},
	}, nil
}

// wantsScreenshot reports whether the screen is to be attached: include_screenshot in the metadata or in _meta.
func wantsScreenshot(p *mcp.CreateMessageParams) bool {
	var m struct {
		Snake bool `json:"include_screenshot"`
		Camel bool `json:"includeScreenshot"`
	}
	for _, v := range []any{p.Metadata, p.Meta["trailblaze"]} {
		if raw, err := json.Marshal(v); err == nil && strings.HasPrefix(string(raw), "{") {
			_ = json.Unmarshal(raw, &m)
		}
	}
	return m.Snake || m.Camel
}
