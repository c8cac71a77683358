package argument

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Coerce makes the arguments of a call from the words of a command line: "name=value" items, read by the schema of
// the tool. A value for a string is taken as it stands; for a number, a boolean or an object it must be one. A list
// is written by naming it more than once, or as JSON. "a.b=c" sets b of the object a. Base are arguments that are
// JSON already; items win over them.
//
// Every mistake is reported at once: items that are none, names the schema does not have (with the nearest), values
// that do not fit.
func Coerce(s *jsonschema.Schema, base json.RawMessage, items []string) (json.RawMessage, error) {
	if len(items) == 0 && len(base) > 0 {
		return base, nil
	}
	obj := map[string]any{}
	if len(base) > 0 {
		v, err := Decode(base)
		if err != nil {
			return nil, fault.New(fault.Invalid, "read arguments", "%w", err)
		}
		given, ok := v.(map[string]any)
		if !ok && v != nil {
			return nil, fault.New(fault.Invalid, "read arguments", "the arguments are not a JSON object")
		}
		if ok {
			obj = given
		}
	}
	c := coercion{root: s, obj: obj, typed: map[string]bool{}}
	for _, item := range items {
		c.item(item)
	}
	if len(c.mistakes) > 0 {
		c.missing()
		return nil, c.fault()
	}
	return json.Marshal(obj)
}

// coercion is one reading of a command line's arguments.
type coercion struct {
	root     *jsonschema.Schema
	obj      map[string]any
	typed    map[string]bool // names that an item has set, so that a second one makes a list
	mistakes []string
}

func (c *coercion) item(item string) {
	name, value, ok := strings.Cut(item, "=")
	if !ok || name == "" {
		c.mistake("%q is not name=value", item)
		return
	}
	path, s := c.find(name)
	if path == nil {
		return
	}
	target := c.obj
	for _, step := range path[:len(path)-1] {
		child, ok := target[step].(map[string]any)
		if !ok {
			child = map[string]any{}
			target[step] = child
		}
		target = child
	}
	last := path[len(path)-1]
	again := c.typed[name]
	c.typed[name] = true
	if list, isList := listOf(s); isList {
		c.list(target, last, name, value, list, again)
		return
	}
	if again {
		c.mistake("parameter %s is given twice", name)
		return
	}
	v, problem := coerce(s, value)
	if problem != "" {
		c.mistake("parameter %s: %s", name, problem)
		return
	}
	target[last] = v
}

// list sets or lengthens a list.
func (c *coercion) list(target map[string]any, key, name, value string, items *jsonschema.Schema, again bool) {
	var have []any
	if again {
		have, _ = target[key].([]any)
	}
	if v, err := Decode(json.RawMessage(value)); err == nil {
		if whole, ok := v.([]any); ok {
			target[key] = append(append([]any{}, have...), whole...)
			return
		}
	}
	v, problem := coerce(items, value)
	if problem != "" {
		c.mistake("parameter %s: %s", name, problem)
		return
	}
	target[key] = append(have, v)
}

// find is the schema of a dotted name, and the way there. A property whose own name has dots is found first.
func (c *coercion) find(name string) (path []string, s *jsonschema.Schema) {
	s = c.root
	rest := name
	for {
		if s == nil {
			parts := strings.Split(rest, ".")
			if slices.Contains(parts, "") {
				c.mistake("%q is not a parameter's name", name)
				return nil, nil
			}
			return append(path, parts...), nil
		}
		if p := property(s, rest); p != nil {
			return append(path, rest), p
		}
		head, tail, dotted := strings.Cut(rest, ".")
		if dotted && (head == "" || tail == "") {
			c.mistake("%q is not a parameter's name", name)
			return nil, nil
		}
		p := property(s, head)
		switch {
		case p == nil && closedForm(s):
			known := make([]string, 0, len(s.Properties))
			for k := range s.Properties {
				known = append(known, k)
			}
			slices.Sort(known)
			in := ""
			if len(path) > 0 {
				in = " (in " + strings.Join(path, ".") + ")"
			}
			c.mistake("%s%s", Unknown(head, known), in)
			return nil, nil
		case !dotted:
			return append(path, head), p
		case p != nil && !holds(p, "object"):
			c.mistake("parameter %s has no parts, so %q cannot be set", strings.Join(append(path, head), "."), name)
			return nil, nil
		}
		path, s, rest = append(path, head), p, tail
	}
}

// missing adds the required parameters that are not there, once there is another mistake: all are mended in one go.
func (c *coercion) missing() {
	if c.root == nil {
		return
	}
	for _, name := range c.root.Required {
		if _, ok := c.obj[name]; !ok && !c.typed[name] {
			c.mistake("parameter %s is missing", name)
		}
	}
}

func (c *coercion) mistake(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.mistakes, text) {
		c.mistakes = append(c.mistakes, text)
	}
}

func (c *coercion) fault() error {
	if len(c.mistakes) == 1 {
		return fault.New(fault.Invalid, "read arguments", "%s", c.mistakes[0])
	}
	return fault.New(fault.Invalid, "read arguments", "%d arguments are wrong: %s", len(c.mistakes),
		strings.Join(c.mistakes, "; "))
}
