package action

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// Note holds the reasons that a caller may give for its call. It changes nothing.
type Note struct {
	Reasoning string `json:"reasoning,omitempty" jsonschema:"why this call is made; changes nothing"`
	Reason    string `json:"reason,omitempty" jsonschema:"as reasoning"`
}

// Define is tool.Define for tools whose result carries a recording patch (see Patch): a recording keeps the call as it
// came with the patch applied, defaults left out.
func Define[In any](s tool.Spec, fn func(ctx context.Context, env tool.Env, in In) (*tool.Result, error)) tool.Tool {
	var t tool.Tool
	s.Durable = func(args json.RawMessage, patch *tool.Call) (*tool.Call, error) {
		full, err := apply(t.Spec(), args, patch.Args)
		return &tool.Call{Name: cmp.Or(patch.Name, t.Spec().Name), Args: full}, err
	}
	t = tool.Define(s, fn)
	return t
}

// apply changes the arguments by the patch: null takes an argument out, everything else is put in.
func apply(s *tool.Spec, args, patch json.RawMessage) (json.RawMessage, error) {
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
	known := s.Input().Properties
	for name, value := range have {
		if prop := known[name]; prop != nil && len(prop.Default) > 0 && bytes.Equal(prop.Default, value) {
			delete(have, name)
		}
	}
	return ordered(have, s.Input().PropertyOrder), nil
}

// ordered writes the arguments in the order of the parameters, which is the order a reader expects.
func ordered(args map[string]json.RawMessage, order []string) json.RawMessage {
	names := slices.Sorted(maps.Keys(args))
	slices.SortStableFunc(names, func(a, b string) int {
		return place(order, a) - place(order, b)
	})
	var out argument.Fields
	for _, name := range names {
		out = append(out, argument.Field{Name: name, Value: args[name]})
	}
	return out.JSON()
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
