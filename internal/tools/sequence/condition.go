package sequence

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// condition decides about calls: it is a query, in one of three forms.
type condition struct {
	Visible    any            `json:"visible,omitempty" jsonschema:"a person can see this: a text, or the arguments of isVisible"`
	NotVisible any            `json:"notVisible,omitempty" jsonschema:"nobody can see this: a text, or the arguments of isVisible"`
	Query      map[string]any `json:"query,omitempty" jsonschema:"a tool that looks, with its arguments: {hasText: {text: Done}}"`
}

// forms are the forms that were given, by their keys.
func (c condition) forms() (keys []string) {
	for _, f := range []struct {
		key   string
		given bool
	}{{"visible", c.Visible != nil}, {"notVisible", c.NotVisible != nil}, {"query", c.Query != nil}} {
		if f.given {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// call is the call that decides, and whether its answer is turned round. at is where its arguments stand.
func (c condition) call() (held tool.Held, not bool, err error) {
	if n := len(c.forms()); n != 1 {
		return held, false, fault.New(fault.Invalid, "",
			"a condition is one of visible, notVisible and query; there are %d", n)
	}
	if c.Query != nil {
		held, err = one(c.Query, "query")
		held.Decides = true
		return held, false, err
	}
	args, at := c.Visible, "visible"
	if not = c.Visible == nil; not {
		args, at = c.NotVisible, "notVisible"
	}
	if text, ok := args.(string); ok {
		args, at = map[string]any{"text": text}, ""
	}
	raw, err := json.Marshal(args)
	return tool.Held{Call: tool.Call{Name: "isVisible", Args: raw}, At: at, Decides: true}, not, err
}

// one is the call that an object with one key is, as trails write calls.
func one(m map[string]any, at string) (tool.Held, error) {
	if len(m) != 1 {
		return tool.Held{}, fault.New(fault.Invalid, "",
			"parameter %s: a call is one name with its arguments, and here are %d", at, len(m))
	}
	var held tool.Held
	for name, args := range m {
		raw, err := json.Marshal(args)
		if args == nil {
			raw = json.RawMessage("{}")
		}
		if err != nil || raw[0] != '{' {
			return held, fault.New(fault.Invalid, "", "parameter %s.%s: the arguments are not an object", at, name)
		}
		held = tool.Held{Call: tool.Call{Name: name, Args: raw}, At: at + "." + name}
	}
	return held, nil
}

// calls are those of a list.
func calls(list []map[string]any, at string) ([]tool.Held, error) {
	out := make([]tool.Held, len(list))
	for i, m := range list {
		held, err := one(m, fmt.Sprintf("%s[%d]", at, i))
		if err != nil {
			return nil, err
		}
		out[i] = held
	}
	return out, nil
}

// decide asks a condition, and returns the answer in words as well.
func (c condition) decide(ctx context.Context, env tool.Env) (yes bool, said string, err error) {
	held, not, err := c.call()
	if err != nil {
		return false, "", err
	}
	spec := specIn(env, held.Name)
	if spec == nil {
		spec = &tool.Spec{Kind: tool.Query} // that there is no such tool is said by the call
	}
	if spec.Kind == tool.Action {
		return false, "", fault.New(fault.Invalid, "decide", "%s acts, so it cannot decide", held.Name).
			WithHint("Name a query or an assertion.")
	}
	res, err := env.Call(ctx, worded(env, held.Call))
	switch {
	case err != nil:
		return false, "", err
	case res.IsError && spec.Kind == tool.Assertion && slices.Contains(denying, fault.KindOf(res.Err())):
		yes = false
	case res.IsError:
		return false, "", fault.Wrap(res.Err(), "", "decide by "+held.Name)
	default:
		yes = spec.Kind == tool.Assertion || affirms(res.Value, res.Text())
	}
	said = held.Name + " " + string(held.Args) + ": no"
	if yes {
		said = said[:len(said)-2] + "yes"
	}
	return yes != not, said, nil
}

// denying are failures of an assertion that mean no. Any other failure leaves the answer open.
var denying = []fault.Kind{fault.Assertion, fault.NotFound}

// specIn is the spec of a tool that calls find, nil when it is not known.
func specIn(env tool.Env, name string) *tool.Spec {
	if r, ok := env.(interface{ Registry() *tool.Registry }); ok {
		if t, known := r.Registry().Get(name); known {
			return t.Spec()
		}
	}
	return nil
}

// worded is a held call in which numbers stand as texts where its tool takes texts: a parameter of the tool around it
// may have been put there.
func worded(env tool.Env, c tool.Call) tool.Call {
	if s := specIn(env, c.Name); s != nil {
		c.Args = argument.Texts(s.Input.Get(), nil, c.Args)
	}
	return c
}

// affirms reports whether the answer of a query means yes: true, a number other than 0, a text or a list with
// something in it, and of an object its first field.
func affirms(value json.RawMessage, text string) bool {
	if len(value) == 0 {
		return text != "" && text != "false"
	}
	var v any
	if json.Unmarshal(first(value), &v) != nil {
		return false
	}
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != "" && v != "false"
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return false
}

// first is the value of the first field of an object, and any other value as it is.
func first(value json.RawMessage) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(value))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return value
	}
	var field json.RawMessage
	if _, err := dec.Token(); err != nil || !dec.More() || dec.Decode(&field) != nil {
		return nil
	}
	return field
}
