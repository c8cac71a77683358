package script

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/regex"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// program is a tool file that is ready to run. It is bundled and compiled when the first of its tools is called.
type program struct {
	name  string // of the file, for messages
	build func() (*bundle, error)

	once     sync.Once
	bytecode []byte
	smap     func() *sourceMap
	sum      string // of all that the bundle was made of
	err      error
}

func (p *program) ready() error {
	p.once.Do(func() {
		b, err := p.build()
		if err != nil {
			p.err = err
			return
		}
		p.sum = b.sum()
		p.smap = sync.OnceValue(func() *sourceMap {
			m, _ := readSourceMap(b.smap)
			return m
		})
		p.bytecode, p.err = compile(string(b.code))
	})
	return p.err
}

// scripted is a tool of a script.
type scripted struct {
	spec     *tool.Spec
	program  *program
	declared *declared
	root     string
	ask      func(source.Process) error // whether a person has trusted it
	target   func(tool.Env) map[string]any
	output   *argument.Checker // of its result; nil: it may be anything
}

// checkerOf is for the output schema of a tool, nil where it declares none.
func checkerOf(s *tool.Spec) *argument.Checker {
	if s.Output == nil {
		return nil
	}
	return &argument.Checker{Schema: s.Output.Get()}
}

var _ tool.Tool = (*scripted)(nil)

// Spec implements tool.Tool.
func (s *scripted) Spec() *tool.Spec { return s.spec }

// Run implements tool.Tool.
func (s *scripted) Run(ctx context.Context, env tool.Env, args json.RawMessage) (*tool.Result, error) {
	if err := s.program.ready(); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "bundle "+s.program.name)
	}
	c := newCall(env, newReach(s, args))
	c.output, c.checks = s.output, s.spec.Kind == tool.Assertion
	in, err := c.incoming(args)
	if err != nil {
		return nil, fault.Wrap(err, "", "read arguments")
	}
	info, err := json.Marshal(s.info(env))
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "describe session")
	}
	m, err := newMachine(ctx, s.program.bytecode, c)
	if err != nil {
		return s.program.failed(ctx, err, nil)
	}
	defer m.close()
	m.tool = s.spec.Origin
	out, err := m.call("start", s.spec.Name, string(in), string(info))
	if err != nil {
		return s.program.failed(ctx, err, m)
	}
	return c.result(out)
}

// info is what a handler is told of its call.
func (s *scripted) info(env tool.Env) map[string]any {
	out := map[string]any{}
	if d := env.Device(); d != nil {
		i := d.Info()
		out["device"] = map[string]any{"id": i.ID, "platform": i.Platform, "driver": i.Driver, "driverType": i.Driver,
			"width": i.Width, "height": i.Height, "widthPixels": i.Width, "heightPixels": i.Height}
	}
	if v, ok := env.(tool.Invoked); ok {
		out["sessionId"], out["invocationId"] = v.SessionID(), v.InvocationID()
	}
	if t := s.target(env); t != nil {
		out["target"] = t
	}
	return out
}

// ofNode finds the error about a name that Node has and the sandbox has not.
var ofNode = regex.Lazy(`^'?(process|require|Buffer|module|__dirname|__filename)'? is not defined$`)

// failed makes a failure of what went wrong in a script: where, in the author's file, and what the console said.
func (p *program) failed(ctx context.Context, err error, m *machine) (*tool.Result, error) {
	if over, ok := errors.AsType[*stopped](err); ok {
		return nil, fmt.Errorf("the script was still running %s: %w", p.reached(over, m), over.cause)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var t *thrown
	if !errors.As(err, &t) {
		return tool.Fail(err), nil
	}
	places, lines := p.smap().trace(t.Stack)
	at := p.name
	if len(places) > 0 {
		at = places[0].String()
	}
	f := fault.New(fault.Assertion, "", "%s: %w", at, t)
	if m != nil {
		if n := t.Failure; n > 0 && n <= len(m.failed) {
			cause := m.failed[n-1]
			f = fault.New(fault.KindOf(cause), "", "%s: %w", at, cause).WithHint("%s", fault.HintOf(cause))
		}
		lines = append(lines, m.log...)
	}
	switch {
	case t.Message == "out of memory":
		f = f.WithHint("A tool has %d MiB.", maxMemory>>20)
	case ofNode().MatchString(t.Message):
		f = f.WithHint("Nothing of Node is in the sandbox: a tool that needs it has runtime: %q in its spec.", subprocess)
	}
	return tool.Fail(f.WithDetail(fault.Detail{Log: lines})), nil
}

// reached is how far a script came that was stopped. The engine keeps no place of a loop in an async function, which
// handlers are: then it is the last call that the script made.
func (p *program) reached(over *stopped, m *machine) string {
	if places, _ := p.smap().trace(over.stack); len(places) > 0 {
		return "at " + places[0].String()
	}
	if m == nil {
		return "in " + p.name
	}
	if places, _ := p.smap().trace(m.asked); len(places) > 0 {
		return "after the call at " + places[0].String()
	}
	return "in " + cmp.Or(m.tool, p.name) + ", before its first call"
}

// outcome are the keys of a result that mean something to us.
type outcome struct {
	Success   *bool
	Error     any
	IsError   bool
	Content   []tool.Content
	Delegates []struct {
		tool.Call
		Tool string // another spelling of the name
	} `json:"_trailblaze_delegates"`
}

// result makes a result of what a handler returned.
func (c *call) result(out string) (*tool.Result, error) {
	if len(out) > 4*maxResult {
		return tool.Fail(fault.New(fault.Invalid, "", "the result has %d bytes, the most is %d", len(out), maxResult)), nil
	}
	if err := exact("the result holds", []byte(out)); err != nil {
		return tool.Fail(err), nil
	}
	res := &tool.Result{}
	switch {
	case out == "" || out == "null":
		res = tool.TextResult("Done.")
	case !json.Valid([]byte(out)):
		return tool.Fail(fault.New(fault.Invalid, "", "the result is nested too deep to be read")), nil
	case out[0] == '"':
		t := text(json.RawMessage(out))
		res.Value, res.Content = json.RawMessage(out), []tool.Content{{Type: "text", Text: t}}
	case out[0] == '{':
		if err := c.object(res, json.RawMessage(out)); err != nil {
			return tool.Fail(fault.Wrap(err, fault.Invalid, "read result")), nil
		}
	default:
		res.Value, res.Content = json.RawMessage(out), []tool.Content{{Type: "text", Text: out}}
	}
	if err := c.outputIs(res.Value); err != nil && !res.IsError && len(res.Delegates) == 0 {
		return tool.Fail(err), nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.did) > 0 {
		res.Evidence = &tool.Evidence{None: "the tool " + strings.Join(c.did, ", ")}
	}
	if c.checks && !res.IsError {
		res.Evidence = cmp.Or(res.Evidence, &tool.Evidence{})
		res.Evidence.Checked = "the tool says: " + phrase.Clip(res.Text(), 200)
	}
	return res, nil
}

// outputIs checks the value of a result by the schema that the tool declares for it.
func (c *call) outputIs(value json.RawMessage) error {
	if c.output == nil {
		return nil
	}
	var v any
	if len(value) > 0 {
		if err := json.Unmarshal(value, &v); err != nil {
			return fault.Wrap(err, fault.Invalid, "read result")
		}
	}
	list, err := c.output.MistakesIn(v)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "read output schema")
	}
	if len(list) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, "read result", "it is not as the output schema of the tool says: %s",
		strings.Join(list, "; ")).WithHint("The tool has run. Mend the type of its result, or what it returns.")
}

// object reads a result that is an object: the value, unless it says that it failed or what is to be called in its
// place.
func (c *call) object(res *tool.Result, raw json.RawMessage) error {
	var o outcome
	if json.Unmarshal(raw, &o) != nil { // the keys mean something else here
		o = outcome{}
	}
	res.Value, res.Content = raw, []tool.Content{{Type: "text", Text: string(raw)}}
	if len(o.Content) > 0 && o.Content[0].Type == "text" {
		var structured struct{ StructuredContent json.RawMessage }
		_ = json.Unmarshal(raw, &structured)
		res.Value, res.Content = structured.StructuredContent, o.Content
	}
	if o.IsError || o.Success != nil && !*o.Success {
		res.IsError = true
		why := res.Text()
		if o.Error != nil {
			why = fmt.Sprint(o.Error)
		}
		res.Fault = fault.New(fault.Assertion, "", "%s", why)
		return nil
	}
	for _, d := range o.Delegates {
		args, err := c.outgoing(d.Args)
		if err != nil {
			return err
		}
		res.Delegates = append(res.Delegates, tool.Call{Name: cmp.Or(d.Name, d.Tool), Args: args})
	}
	return nil
}
