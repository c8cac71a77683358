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

// acquire is the connection for a call, for as long as the call needs it. leave says that the call is over; whether it
// was cut off decides whether the server is looked after.
func (s *Server) acquire(ctx context.Context, who tool.Invoked) (_ *connection, leave func(cutOff bool), err error) {
	for {
		c, err := s.connected(ctx)
		if err != nil {
			return nil, nil, err
		}
		s.mu.Lock()
		if s.up == c && s.admitsLocked(c, who) {
			s.inFlight[who.InvocationID()].by = c
			s.mu.Unlock()
			return c, func(cutOff bool) { s.left(c, who.InvocationID(), cutOff) }, nil
		}
		changed, same := s.changed, s.up == c
		s.mu.Unlock()
		if !same {
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, nil, s.busy(ctx)
		}
	}
}

// admitsLocked reports whether a connection takes one more call. Calls overlap, unless the process calls back without
// saying for which call; a call that another has set off goes past, because the other one waits for it. When calls of
// two sessions meet over stdin and stdout, the process is to be started for HTTP. mu is held.
func (s *Server) admitsLocked(c *connection, who tool.Invoked) bool {
	if c.process == nil {
		return true
	}
	busy, others := false, false
	for id, f := range s.inFlight {
		if f.by != c {
			continue
		}
		if who.Within(id) {
			return true
		}
		of, ok := f.env.(tool.Invoked)
		busy, others = true, others || ok && of.SessionID() != who.SessionID()
	}
	switch {
	case c.checks > 0 || s.nameless && busy:
		return false
	case !others || !c.stdio || s.single:
		return true
	}
	select {
	case s.overlap <- struct{}{}:
	default:
	}
	return false
}

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

func (s *declaration) busy(ctx context.Context) error {
	return fault.New(fault.KindOf(ctx.Err()), "call "+s.c.Title(), "it was busy with another call: %w",
		context.Cause(ctx))
}

// left is for a call that no longer needs its connection. Where it was cut off, the process may be stuck in it, and
// would hold up all that come after it: when it does not answer, and no other call keeps it from that, it is ended.
func (s *Server) left(c *connection, id string, cutOff bool) {
	s.mu.Lock()
	s.inFlight[id].by = nil
	checks := cutOff && c.process != nil && s.life.Err() == nil
	if checks {
		c.checks++
		s.work.Go(func() { s.check(c) })
	}
	s.tellLocked()
	s.mu.Unlock()
}

// check ends a process that is stuck. No call gets the connection before that is known.
func (s *Server) check(c *connection) {
	stuck := false
	for busy := true; busy && c.usable() && s.life.Err() == nil; {
		if stuck = !c.alive(s.life); !stuck {
			break
		}
		s.mu.Lock()
		busy = s.inFlight.carries(c)
		s.mu.Unlock()
	}
	if stuck && s.life.Err() == nil {
		s.o.Log.Warn("an external MCP server is ended", "server", s.c.Name, "why", errCutOff)
		_, _ = c.output.Write([]byte(errCutOff.Error() + "\n"))
		c.process.Kill()
		select {
		case <-c.over:
		case <-s.life.Done():
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.checks--
	s.tellLocked()
}

// carries reports whether a connection carries out calls. mu is held.
func (all flights) carries(c *connection) bool {
	for _, f := range all {
		if f.by == c {
			return true
		}
	}
	return false
}

// callFailed returns the reason why a call got no result.
func (s *declaration) callFailed(ctx context.Context, c *connection, mark int64, err error) error {
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
