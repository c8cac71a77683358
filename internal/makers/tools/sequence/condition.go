package sequence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
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
		yes = spec.Kind == tool.Assertion || res.Affirms()
	}
	said = held.Name + " " + string(held.Args) + ": no"
	if yes {
		said = said[:len(said)-2] + "yes"
	}
	return yes != not, said, nil
}

const (
	known = 5 * time.Second        // how long a condition may take to come to what it was when it was recorded
	still = 500 * time.Millisecond // how long the screen has to rest before it counts as that
)

// decideAs asks a condition until it comes to what it was when it was recorded, on a whole screen that rests: what is
// about to appear must not slip through. That it comes to something else decides nothing about the app.
func (c condition) decideAs(ctx context.Context, env tool.Env, was bool) (said string, err error) {
	w, waits := driver.As[driver.Waiter](env.Device())
	for deadline := time.Now().Add(known); ; {
		snap := &screen.Snapshot{}
		if waits {
			if snap, err = env.Device().Snapshot(ctx, driver.SnapshotOptions{}); err != nil {
				return "", err
			}
		}
		yes, said, err := c.decide(ctx, env)
		whole, over := snap.Quality.Verdict != screen.Degraded, !time.Now().Before(deadline)
		switch {
		case err != nil:
			return said, err
		case yes == was && whole && (!waits || over || rests(ctx, w, snap, still)):
			return said, ctx.Err()
		case !waits || over:
			return said, otherwise(said, snap)
		case yes != was || !whole:
			rests(ctx, w, snap, min(still, time.Until(deadline)))
		}
	}
}

// otherwise says that a condition is not what it was.
func otherwise(said string, snap *screen.Snapshot) error {
	if snap.Quality.Verdict == screen.Degraded {
		return fault.New(fault.Degraded, "decide", "%s, on a screen that was not seen whole: %s", said,
			strings.Join(snap.Quality.Reasons, "; "))
	}
	return fault.New(fault.Degraded, "decide", "%s; when the step was recorded it was the other way", said).
		WithHint("What was done then may not be what this screen calls for. Record the step anew, or write down both ways " +
			"in it: in place of `was`, the calls when the condition holds in `tools`, and the others in `else`.")
}

// rests says whether nothing changes on a screen for a while. It returns at the first change.
func rests(ctx context.Context, w driver.Waiter, since *screen.Snapshot, d time.Duration) bool {
	wait, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return w.WaitChange(wait, since) != nil && wait.Err() != nil && ctx.Err() == nil
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
