package yamltool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// inline is a tool that expands into calls.
type inline struct {
	spec  tool.Spec
	names []string // of the parameters
	calls []tool.Call
	specs []*tool.Spec // of their tools; without an Input where that is not known
	refs  []string     // parameters whose value names an element
}

var _ tool.Tool = (*inline)(nil)

// Spec implements tool.Tool.
func (t *inline) Spec() *tool.Spec { return &t.spec }

// Run implements tool.Tool. The values of the parameters are put into the calls; their text is data there, and no
// token. Every other token is for the dispatch of the single calls.
func (t *inline) Run(_ context.Context, _ tool.Env, args json.RawMessage) (*tool.Result, error) {
	values, err := decode(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "expand "+t.spec.Name)
	}
	p := memory.Params{Declared: t.names, Values: values}
	res := &tool.Result{Delegates: make([]tool.Call, len(t.calls))}
	raws := make([]json.RawMessage, len(t.calls))
	for i, c := range t.calls {
		raws[i] = c.Args
	}
	expanded, err := p.ExpandAll(raws)
	if err != nil {
		return nil, fault.Wrap(err, "", "expand "+t.spec.Name)
	}
	for i, c := range t.calls {
		res.Delegates[i] = tool.Call{Name: c.Name, Args: argument.Texts(t.specs[i].Input.Get(), c.Args, expanded[i])}
	}
	for _, name := range t.refs {
		if text, ok := values[name].(string); ok {
			if _, is := screen.RefOf(text); is {
				res.Unfold = true // a snapshot's ref means nothing later; its calls know what does
			}
		}
	}
	return res, nil
}

func decode(args json.RawMessage) (map[string]any, error) {
	v, err := argument.Decode(args)
	if err != nil {
		return nil, err
	}
	values, _ := v.(map[string]any)
	return values, nil
}

// alias is a registered tool under another name.
type alias struct {
	tool.Tool
	spec tool.Spec
}

// Spec implements tool.Tool.
func (a *alias) Spec() *tool.Spec { return &a.spec }

// Prepare implements tool.Preparer.
func (a *alias) Prepare(args json.RawMessage) (time.Duration, func(context.Context, tool.Env) (*tool.Result, error)) {
	var limit time.Duration
	run := func(ctx context.Context, env tool.Env) (*tool.Result, error) { return a.Tool.Run(ctx, env, args) }
	if p, ok := a.Tool.(tool.Preparer); ok {
		limit, run = p.Prepare(args)
	}
	return limit, func(ctx context.Context, env tool.Env) (*tool.Result, error) { return a.renamed(run(ctx, env)) }
}

// Run implements tool.Tool.
func (a *alias) Run(ctx context.Context, env tool.Env, args json.RawMessage) (*tool.Result, error) {
	return a.renamed(a.Tool.Run(ctx, env, args))
}

// renamed records what the tool did under the name it was called by, unless the tool names another.
func (a *alias) renamed(res *tool.Result, err error) (*tool.Result, error) {
	if res == nil || res.Record == nil || res.Record.Name != a.Tool.Spec().Name {
		return res, err
	}
	own := *res
	own.Record = &tool.Call{Name: a.spec.Name, Args: res.Record.Args}
	return &own, err
}

// Mistake returns the mistake that the registered tool finds in arguments.
func (a *alias) Mistake(args json.RawMessage) error {
	if m, ok := a.Tool.(mistaken); ok {
		return m.Mistake(args)
	}
	return nil
}

// mistaken is implemented by tools that know more mistakes than their schema does.
type mistaken interface{ Mistake(json.RawMessage) error }
