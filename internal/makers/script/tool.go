package script

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// readyTime bounds how long a file is bundled and compiled.
const readyTime = 20 * time.Second

// program is a tool file that is ready to run. It is bundled and compiled when the first of its tools is called.
type program struct {
	name  string // of the file, for messages
	build func(context.Context) (*bundle, error)

	turn     sync.Mutex
	bytecode []byte // nobody but a worker looks into it
	smap     func() *sourceMap
	sum      string // of all that the bundle was made of
	err      error  // of a file that is wrong
}

// ready bundles and compiles the file, once.
func (p *program) ready(ctx context.Context) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	if p.err != nil || p.bytecode != nil {
		return p.err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, readyTime, fault.New(fault.Invalid, "",
		"%s takes longer than %v to be bundled", p.name, readyTime))
	defer cancel()
	err := p.compile(ctx)
	if fault.KindOf(err) == fault.Invalid && !errors.Is(err, context.DeadlineExceeded) {
		p.err = err // another time it is the same; what the machine lacked may be there
	}
	return err
}

func (p *program) compile(ctx context.Context) error {
	b, err := p.build(ctx)
	if err != nil {
		return err
	}
	end, err := worker.Do(ctx, worker.Job{Op: worker.Compile, File: p.name, Blob: b.code}, &run{world: nobody{}})
	if err != nil {
		return err
	}
	p.sum = b.sum()
	p.smap = sync.OnceValue(func() *sourceMap {
		m, _ := readSourceMap(b.smap)
		return m
	})
	p.bytecode = end.Blob
	return nil
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
	if err := s.program.ready(ctx); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "bundle "+s.program.name)
	}
	c := newCall(env, newAccess(ctx, s, args))
	c.output, c.checks = s.output, s.spec.Kind == tool.Assertion
	in, err := c.incoming(args)
	if err != nil {
		return nil, fault.Wrap(err, "", "read arguments")
	}
	info, err := json.Marshal(s.info(env))
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "describe session")
	}
	r := &run{world: c, tool: s.spec.Origin}
	out, err := s.program.run(ctx, r, worker.Running{Function: "start",
		Args: []any{s.spec.Name, string(in), string(info)}})
	if err != nil {
		return s.program.failed(ctx, err, r)
	}
	return c.result(string(out))
}

// info returns the facts about its call that a handler gets.
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

// failed makes a failure of an error in a script: the place in the author's file, and the console's output.
func (p *program) failed(ctx context.Context, err error, r *run) (*tool.Result, error) {
	if over, ok := errors.AsType[*worker.Stopped](err); ok {
		return nil, fmt.Errorf("the script was still running %s: %w", p.reached(over, r), over.Cause)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var t *worker.Thrown
	if !errors.As(err, &t) {
		return tool.Fail(err), nil
	}
	places, lines := p.smap().trace(t.Stack)
	at := p.name
	if len(places) > 0 {
		at = places[0].String()
	}
	f := fault.New(fault.Assertion, "", "%s: %w", at, t)
	if n := t.Failure; n > 0 && n <= len(r.failed) {
		cause := r.failed[n-1]
		f = fault.New(fault.KindOf(cause), "", "%s: %w", at, cause).WithHint("%s", fault.HintOf(cause))
	}
	lines = append(lines, r.log...)
	switch {
	case t.Message == "out of memory":
		f = f.WithHint("A tool has %d MiB.", worker.MaxMemory>>20)
	case ofNode().MatchString(t.Message):
		f = f.WithHint("Nothing of Node is in the sandbox: a tool that needs it has runtime: %q in its spec.", subprocess)
	}
	return tool.Fail(f.WithDetail(fault.Detail{Log: lines})), nil
}

// reached returns the place in which a script was stopped. The engine keeps no place of a loop in an async function,
// which handlers are: then it is the last call that the script made.
func (p *program) reached(over *worker.Stopped, r *run) string {
	if places, _ := p.smap().trace(over.Stack); len(places) > 0 {
		return "at " + places[0].String()
	}
	if places, _ := p.smap().trace(r.asked); len(places) > 0 {
		return "after the call at " + places[0].String()
	}
	if r.tool == "" {
		return "in " + p.name
	}
	return "in " + r.tool + ", before its first call"
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

// result makes a result of a handler's return value.
func (c *call) result(out string) (*tool.Result, error) {
	if len(out) > 4*worker.MaxResult {
		return tool.Fail(fault.New(fault.Invalid, "", "the result has %d bytes, the most is %d", len(out),
			worker.MaxResult)), nil
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

// object reads a result that is an object: the value, unless it is a failure or a list of calls in its place.
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
