package extern

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// remote is a tool of a server. It lasts longer than a connection: a call goes to the one that there is.
type remote struct {
	server  *Server
	own     string // what the server calls it
	spec    *tool.Spec
	legacy  bool // the context goes into an argument, too
	checker *argument.Checker
}

var _ tool.Tool = (*remote)(nil)

func newRemote(s *Server, own string, spec *tool.Spec, declared bool) *remote {
	t := &remote{server: s, own: own, spec: spec, legacy: declared || !argument.Closed(spec.Input.Get())}
	if spec.Output != nil {
		t.checker = &argument.Checker{Schema: spec.Output.Get()}
	}
	return t
}

// Spec implements tool.Tool.
func (t *remote) Spec() *tool.Spec { return t.spec }

// Run implements tool.Tool.
func (t *remote) Run(ctx context.Context, env tool.Env, args json.RawMessage) (*tool.Result, error) {
	who, ok := env.(tool.Invoked)
	if !ok {
		return nil, fault.New(fault.Internal, "call "+t.spec.Name, "the call has no invocation id")
	}
	if err := t.allowed(env.Memory(), args); err != nil {
		return nil, err
	}
	t.server.handed.Conceal(args, t.spec.Secret)
	params, err := t.params(ctx, env, who, args)
	if err != nil {
		return nil, err
	}
	defer t.server.flies(ctx, who.InvocationID(), env)()
	c, leave, err := t.server.acquire(ctx, who)
	if err != nil {
		return nil, err
	}
	t.server.given(who.InvocationID(), c)
	mark := c.mark()
	res, err := c.session.CallTool(ctx, params)
	leave(ctx.Err() != nil)
	if err != nil {
		return nil, t.server.callFailed(ctx, c, mark, err)
	}
	out, err := t.result(env, res)
	if err == nil && res.IsError { // some SDKs tell a caller no more than that there was an error
		if words := c.wordsSince(mark); words != "" {
			out.Content = append(out.Content, tool.Content{Type: "text", Text: "the server wrote:\n" + words})
		}
	}
	return out, err
}

// allowed refuses to hand a secret to another process in an argument that is not declared to hold one.
func (t *remote) allowed(m *memory.Store, args json.RawMessage) error {
	if m == nil {
		return nil
	}
	secrets := m.SecretsIn(args)
	if len(secrets) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(args, &fields); err != nil {
		return fault.Wrap(err, fault.Invalid, "call "+t.spec.Name)
	}
	for name, raw := range fields {
		if held := m.SecretsIn(raw); len(held) > 0 && !t.spec.Secret(name) {
			return fault.New(fault.Denied, "call "+t.spec.Name,
				"the argument %s holds the secret %s, and the %s is another program",
				name, strings.Join(held, ", "), t.server.Origin()).
				WithHint("If that server should get it, declare it: secretArguments: [%q] in its registry, "+
					"or format: password in the input schema.", name)
		}
	}
	for _, name := range secrets {
		if v, ok := m.Get(name); ok {
			t.server.handed.SetSecret(name, fmt.Sprint(v))
		}
	}
	return nil
}

// acquire is the connection for a call, for as long as the call needs it. Over stdin and stdout that is one call at a
// time; a call that another has set off goes past it, because the other one waits for it. leave says that the call is
// over; whether it was cut off decides whether the server is looked after.
func (s *Server) acquire(ctx context.Context, who tool.Invoked) (_ *connection, leave func(cutOff bool), err error) {
	for {
		c, err := s.connected(ctx)
		if err != nil {
			return nil, nil, err
		}
		if c.calls == nil {
			return c, func(bool) {}, nil
		}
		select {
		case c.calls.free <- struct{}{}:
			if leave := s.took(c, who); leave != nil {
				return c, leave, nil
			}
			continue
		default:
		}
		held := c.calls.held()
		if held.invocation != "" && who.Within(held.invocation) {
			return c, func(bool) {}, nil
		}
		changed, wide := s.widening(c, held, who)
		free := c.calls.free
		if wide {
			free = nil // it waits for the other connection
		}
		select {
		case free <- struct{}{}:
			if leave := s.took(c, who); leave != nil {
				return c, leave, nil
			}
		case <-c.over:
		case <-changed:
		case <-ctx.Done():
			return nil, nil, s.busy(ctx)
		}
	}
}

// widening asks for overlapping calls when a call of one session waits for a call of another, and says whether they
// are going to come. changed is closed when it is decided.
func (s *Server) widening(c *connection, held caller, who tool.Invoked) (changed <-chan struct{}, wide bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.up != c {
		return alreadyOver, true
	}
	if held.session == "" || held.session == who.SessionID() || s.single {
		return s.changed, false
	}
	select {
	case s.overlap <- struct{}{}:
	default:
	}
	return s.changed, true
}

// alreadyOver is for those that have nothing to wait for.
var alreadyOver = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// spawn runs fn beside the supervisor, unless the server is being closed.
func (s *Server) spawn(fn func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		return false
	}
	s.work.Go(fn)
	return true
}

func (s *Server) busy(ctx context.Context) error {
	return fault.New(fault.KindOf(ctx.Err()), "call "+s.c.Title(), "it was busy with another call: %w",
		context.Cause(ctx))
}

// took notes which call has the connection. It gives nil when the connection was ended while the call waited.
func (s *Server) took(c *connection, who tool.Invoked) (leave func(cutOff bool)) {
	if !c.usable() {
		c.calls.leave()
		return nil
	}
	c.calls.take(caller{who.SessionID(), who.InvocationID()})
	return func(cutOff bool) {
		if !cutOff {
			c.calls.leave()
			return
		}
		s.spawn(func() {
			defer c.calls.leave()
			if !c.alive(s.life) {
				s.o.Log.Warn("an external MCP server is ended", "server", s.c.Name, "why", errCutOff)
				_, _ = c.output.Write([]byte(errCutOff.Error() + "\n"))
				c.process.Kill()
				select { // no call that waits gets a connection that is about to end
				case <-c.over:
				case <-s.life.Done():
				}
			}
		})
	}
}

// callFailed is why a call got no result.
func (s *Server) callFailed(ctx context.Context, c *connection, mark int64, err error) error {
	op := "call " + s.c.Title()
	var wire *jsonrpc.Error
	switch {
	case ctx.Err() != nil:
		return fault.New(fault.KindOf(ctx.Err()), op, "%w", c.lastWords(context.Cause(ctx))).
			WithHint("Where it needs longer, say so: timeoutMs in its registry, or timeout in %s.", s.place())
	case errors.As(err, &wire):
		kind := fault.Unavailable
		if wire.Code == jsonrpc.CodeInvalidParams || wire.Code == jsonrpc.CodeMethodNotFound {
			kind = fault.Invalid
		}
		err = fmt.Errorf("it answered with error %d: %s", wire.Code, clip(wire.Message, maxText))
		return fault.New(kind, op, "%w", cited(err, c.wordsSince(mark)))
	case errors.Is(err, mcp.ErrConnectionClosed):
		err = errors.New("it ended during the call")
	}
	return c.failed("", err)
}
