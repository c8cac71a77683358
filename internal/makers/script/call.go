package script

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// maxTimer limits the wait of a script for a timer.
const maxTimer = 10 * time.Minute

// call is one call of a scripted tool, with everything that the script may ask of the session.
type call struct {
	env    tool.Env
	access *access // network and files, as far as the tool declared them
	mark   string  // makes the names that stand for secrets unguessable

	output *argument.Checker // of the result; nil: it may be anything
	checks bool              // the tool fails unless something holds

	mu      sync.Mutex
	did     []string        // what it did outside of other calls, for its evidence
	granted map[string]bool // secrets whose names it has
}

var _ world = (*call)(nil)

func newCall(env tool.Env, r *access) *call {
	return &call{env: env, access: r, mark: rand.Text()[:8], granted: map[string]bool{}}
}

// now implements world.
func (c *call) now(op string, value json.RawMessage) (any, bool, error) {
	m := c.env.Memory()
	switch op {
	case "memory.get":
		v, err := c.remembered(text(value))
		return v, true, err
	case "memory.has":
		_, has := m.Get(text(value))
		return has, true, nil
	case "memory.keys":
		return append([]string{}, m.Names()...), true, nil
	case "memory.delete":
		name := text(value)
		if _, was := m.Get(name); was {
			c.done("forgot " + name)
		}
		m.Delete(name)
		return true, true, nil
	case "memory.interpolate":
		out, err := c.interpolate(text(value))
		return out, true, err
	case "memory.set":
		var in struct {
			Name  string
			Value any
		}
		if err := json.Unmarshal(value, &in); err != nil || in.Name == "" {
			return nil, true, fault.New(fault.Invalid, "", "memory.set needs a name and a value")
		}
		if err := exact("memory."+in.Name+" would hold", value); err != nil {
			return nil, true, err
		}
		m.Set(in.Name, in.Value)
		c.done("remembered " + in.Name)
		return nil, true, nil
	}
	return nil, false, nil
}

// text is a JSON string, "" when it is none.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// remembered is a value of memory as a script may see it: a secret's is a name that stands for it.
func (c *call) remembered(name string) (any, error) {
	m := c.env.Memory()
	if m.IsSecret(name) {
		if !slices.Contains(c.access.secrets, name) {
			return nil, c.access.denied("read memory", "the secret "+name, "Add it to secrets in the tool's spec.")
		}
		return c.grant(name)
	}
	v, _ := m.Get(name)
	return v, nil
}

// grant lets the script have the name that stands for a secret.
func (c *call) grant(name string) (any, error) {
	if err := c.access.trusted(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.granted[name] = true
	return c.stand(name), nil
}

// stand returns the text that a script has in place of a secret's value. The arguments of a nested call may hold it.
func (c *call) stand(name string) string { return "<secret " + c.mark + " " + name + ">" }

// interpolate replaces the tokens of a text by public values; secrets that the tool declares stay names.
func (c *call) interpolate(s string) (string, error) {
	public := memory.New()
	for name, v := range c.env.Memory().Public() {
		public.Set(name, v)
	}
	for _, name := range c.env.Memory().Names() {
		if c.env.Memory().IsSecret(name) && slices.Contains(c.access.secrets, name) {
			stand, err := c.grant(name)
			if err != nil {
				return "", err
			}
			public.Set(name, stand)
		}
	}
	out, _, err := public.ExpandString(s)
	return out, err
}

// exact refuses JSON with an integer whose digits a script loses.
func exact(what string, raw []byte) error {
	number, inexact := argument.InexactIn(raw)
	if !inexact {
		return nil
	}
	return fault.New(fault.Invalid, "", "%s the integer %s: JavaScript keeps the digits of integers up to %d",
		what, number, int64(argument.MaxExact)).WithHint("Give such a number as a text.")
}

// incoming are the arguments as a script may see them: in place of a secret's value stands a name, also within a longer
// text. Another form of the value, such as an encoded one, is masked.
func (c *call) incoming(args json.RawMessage) (json.RawMessage, error) {
	if err := exact("the arguments hold", args); err != nil {
		return nil, err
	}
	m := c.env.Memory()
	secrets := map[string]string{}
	for _, name := range m.Names() {
		if v, _ := m.Get(name); m.IsSecret(name) {
			if s, ok := v.(string); ok {
				secrets[s] = name
			}
		}
	}
	if len(args) == 0 {
		return json.RawMessage("{}"), nil
	}
	if len(secrets) == 0 {
		return args, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(args, &fields); err != nil {
		return nil, err
	}
	for field, raw := range fields {
		var err error
		if fields[field], err = c.field(field, raw, secrets); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}

// field is one argument as a script may see it. A secret gets into those that the tool declares for secrets, and one
// that it declares by name into all.
func (c *call) field(field string, raw json.RawMessage, secrets map[string]string) (json.RawMessage, error) {
	m := c.env.Memory()
	longest := slices.SortedFunc(maps.Keys(secrets), func(a, b string) int { return len(b) - len(a) })
	var refused error
	out, err := rewrite(raw, func(s string) string {
		for _, value := range longest {
			// A short value is no secret within a text.
			if value == "" || s != value && (!strings.Contains(s, value) || m.Mask(value) == value) {
				continue
			}
			name := secrets[value]
			if !c.access.secretArg(field) && !slices.Contains(c.access.secrets, name) {
				refused = c.access.denied("read arguments", "that the argument "+field+" may hold the secret "+name,
					"Add the argument to secretArguments, or the secret to secrets, in the tool's spec.")
				return ""
			}
			if _, refused = c.grant(name); refused != nil {
				return ""
			}
			s = strings.ReplaceAll(s, value, c.stand(name))
		}
		return m.Mask(s)
	})
	return out, errors.Join(refused, err)
}

// outgoing returns the arguments of a nested call: the placeholder of a secret becomes its token, and other text that
// looks like a token is data, since it may come from a page.
func (c *call) outgoing(args json.RawMessage) (json.RawMessage, error) {
	if !strings.Contains(string(args), "{{") && !strings.Contains(string(args), "${") &&
		!strings.Contains(string(args), c.mark) {
		return args, nil
	}
	c.mu.Lock()
	names := slices.Collect(maps.Keys(c.granted)) // a script that has one name can guess the others
	c.mu.Unlock()
	return rewrite(args, func(s string) string {
		if strings.Contains(s, "{{") || strings.Contains(s, "${") {
			s = memory.Escape(s)
		}
		for _, name := range names {
			s = strings.ReplaceAll(s, c.stand(name), "{{"+name+"}}")
		}
		return s
	})
}

// rewrite changes the strings of a JSON value.
func rewrite(raw json.RawMessage, change func(string) string) (json.RawMessage, error) {
	var v any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(changed(v, change))
}

func changed(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = changed(v[i], change)
		}
	case map[string]any:
		for k := range v {
			v[k] = changed(v[k], change)
		}
	}
	return v
}

// later implements world.
func (c *call) later(ctx context.Context, op string, value json.RawMessage) (any, error) {
	if (op == "fetch" || op == "write") && strings.Contains(string(value), c.mark) {
		return nil, fault.New(fault.Denied, op,
			"it holds the name of a secret, which goes into arguments of tools and nowhere else").
			WithHint("Give the secret to a tool that types it.")
	}
	switch op {
	case "call":
		return c.nested(ctx, value)
	case "timer":
		return nil, sleep(ctx, value)
	case "fetch":
		c.done("asked the network")
		return c.access.fetch(ctx, value)
	case "read":
		return c.access.read(text(value))
	case "write":
		c.done("wrote a file")
		return nil, c.access.write(value)
	}
	return nil, fault.New(fault.Invalid, "", "a tool cannot %s", op)
}

func sleep(ctx context.Context, ms json.RawMessage) error {
	var n float64
	if err := json.Unmarshal(ms, &n); err != nil || n < 0 {
		n = 0
	}
	t := time.NewTimer(min(time.Duration(n*float64(time.Millisecond)), maxTimer))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// on calls a tool on the device of an actor, "" on that of the call.
func (c *call) on(ctx context.Context, actor string, to tool.Call) (*tool.Result, error) {
	if actor == "" {
		return c.env.Call(ctx, to)
	}
	several, ok := c.env.(interface {
		CallOn(ctx context.Context, actor string, c tool.Call) (*tool.Result, error)
	})
	if !ok {
		return nil, fault.New(fault.Unsupported, "", "there is one device here, and no actor %q", actor)
	}
	return several.CallOn(ctx, actor, to)
}

// nested calls another tool.
func (c *call) nested(ctx context.Context, value json.RawMessage) (any, error) {
	var in struct {
		Name string
		Args json.RawMessage
		On   string // the actor on whose device, "" on that of the call
	}
	if err := json.Unmarshal(value, &in); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "call tool")
	}
	args, err := c.outgoing(in.Args)
	if err == nil {
		err = exact("the arguments hold", args)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "call "+in.Name)
	}
	res, err := c.on(ctx, in.On, tool.Call{Name: in.Name, Args: args})
	if err != nil {
		return nil, &callFailed{in.Name, nil, err}
	}
	if err := res.Err(); err != nil {
		return nil, &callFailed{in.Name, res.Value, err}
	}
	if err := exact("the result of "+in.Name+" holds", res.Value); err != nil {
		return nil, err
	}
	return unwrapped(res), nil
}

// unwrapped returns a result as a script gets it: the value, else the text.
func unwrapped(res *tool.Result) any {
	if len(res.Value) > 0 && string(res.Value) != "null" {
		return res.Value
	}
	return res.Text()
}

func (c *call) done(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.did) < 20 {
		c.did = append(c.did, what)
	}
}

// callFailed is a nested call that failed.
type callFailed struct {
	tool  string
	value json.RawMessage
	err   error
}

// Error implements error.
func (f *callFailed) Error() string { return f.err.Error() }

// Unwrap returns the failure.
func (f *callFailed) Unwrap() error { return f.err }

// failure is a failed question as a script sees it.
func failure(err error, number int) map[string]any {
	out := map[string]any{
		"message": err.Error(), "kind": fault.KindOf(err), "hint": fault.HintOf(err), "failure": number,
	}
	if f, ok := errors.AsType[*callFailed](err); ok {
		out["tool"], out["message"] = f.tool, fmt.Sprintf("tool failed: %v", f.err)
		if len(f.value) > 0 {
			out["value"] = f.value
		}
	}
	return out
}
