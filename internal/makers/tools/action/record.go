package action

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Note holds the reasons that a caller may give for its call. It changes nothing.
type Note struct {
	Reasoning string `json:"reasoning,omitempty" jsonschema:"why this call is made; changes nothing"`
	Reason    string `json:"reason,omitempty" jsonschema:"as reasoning"`
}

// Define is tool.Define for tools whose result carries a recording patch (see Patch): a recording keeps the call as it
// came with the patch applied, defaults left out.
func Define[In any](s tool.Spec, fn func(ctx context.Context, env tool.Env, in In) (*tool.Result, error)) tool.Tool {
	return patched{tool.Define(s, fn)}
}

type patched struct{ inner tool.Tool }

// Spec implements tool.Tool.
func (p patched) Spec() *tool.Spec { return p.inner.Spec() }

// Check returns the mistake in the definition.
func (p patched) Check() error {
	if c, ok := p.inner.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// Prepare implements tool.Preparer.
func (p patched) Prepare(args json.RawMessage) (time.Duration, func(context.Context, tool.Env) (*tool.Result, error)) {
	t, ok := p.inner.(tool.Preparer)
	if !ok {
		return 0, func(ctx context.Context, env tool.Env) (*tool.Result, error) { return p.Run(ctx, env, args) }
	}
	limit, run := t.Prepare(args)
	return limit, func(ctx context.Context, env tool.Env) (*tool.Result, error) {
		r, err := run(ctx, env)
		return p.patch(args, r, err)
	}
}

// Mistake returns the mistake in written arguments that their schema does not find.
func (p patched) Mistake(args json.RawMessage) error {
	if m, ok := p.inner.(interface{ Mistake(json.RawMessage) error }); ok {
		return m.Mistake(args)
	}
	return nil
}

// Run implements tool.Tool.
func (p patched) Run(ctx context.Context, env tool.Env, args json.RawMessage) (*tool.Result, error) {
	r, err := p.inner.Run(ctx, env, args)
	return p.patch(args, r, err)
}

// patch turns the recording patch of a result into the call that is recorded.
func (p patched) patch(args json.RawMessage, r *tool.Result, err error) (*tool.Result, error) {
	if err != nil || r == nil || r.Record == nil {
		return r, err
	}
	full, err := p.apply(args, r.Record.Args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "make recording of "+p.Spec().Name)
	}
	name := r.Record.Name
	if name == "" {
		name = p.Spec().Name
	}
	r.Record = &tool.Call{Name: name, Args: full}
	return r, nil
}

// apply changes the arguments by the patch: null takes an argument out, everything else is put in.
func (p patched) apply(args, patch json.RawMessage) (json.RawMessage, error) {
	var have, change map[string]json.RawMessage
	if err := json.Unmarshal(patch, &change); err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(args)) > 0 {
		if err := json.Unmarshal(args, &have); err != nil {
			return nil, err
		}
	}
	if have == nil {
		have = map[string]json.RawMessage{}
	}
	for name, value := range change {
		if string(value) == "null" {
			delete(have, name)
			continue
		}
		have[name] = value
	}
	delete(have, "reasoning")
	delete(have, "reason")
	known := p.Spec().Input().Properties
	for name, value := range have {
		if prop := known[name]; prop != nil && len(prop.Default) > 0 && bytes.Equal(prop.Default, value) {
			delete(have, name)
		}
	}
	return p.ordered(have)
}

// ordered writes the arguments in the order of the parameters, which is the order a reader expects.
func (p patched) ordered(args map[string]json.RawMessage) (json.RawMessage, error) {
	names := slices.Sorted(maps.Keys(args))
	order := p.Spec().Input().PropertyOrder
	slices.SortStableFunc(names, func(a, b string) int {
		return place(order, a) - place(order, b)
	})
	out := []byte{'{'}
	for i, name := range names {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), args[name]...)
	}
	return append(out, '}'), nil
}

func place(order []string, name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

// Patch makes the recording patch of a result from changes to the arguments; nil values take arguments out. An empty
// name keeps the name of the call.
func Patch(name string, changes map[string]any) *tool.Call {
	args, err := json.Marshal(changes)
	if err != nil {
		return nil
	}
	return &tool.Call{Name: name, Args: args}
}

// Durable is the recording patch that names the element by selector and fingerprint instead of by the arguments in
// namedBy ("ref" is always one of them). It is nil when the element has no durable selector.
func Durable(name string, ev *tool.Evidence, namedBy ...string) *tool.Call {
	if ev == nil || ev.Selector == nil || ev.Target == nil {
		return nil
	}
	changes := map[string]any{"ref": nil, "nodeSelector": ev.Selector, "fingerprint": ev.Target}
	for _, arg := range namedBy {
		changes[arg] = nil
	}
	return Patch(name, changes)
}

var _ tool.Tool = patched{}
