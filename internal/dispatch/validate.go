package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	google "github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// validator is the compiled input schema of a tool.
type validator struct {
	once    sync.Once
	checker *checker
	err     error
}

// validated brings the arguments into their normal form (nulls, enum spelling, defaults) and checks them, reporting
// every violation at once: a model that is told one mistake per turn needs as many turns as it made mistakes.
func (d *Dispatcher) validated(next Handler) Handler {
	return func(ctx context.Context, inv *Invocation) (*tool.Result, error) {
		s := inv.Spec()
		op := "call " + s.Name
		decoded, err := tool.DecodeArgs(inv.Call.Args)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, op)
		}
		obj, ok := decoded.(map[string]any)
		if !ok && decoded != nil {
			return nil, fault.New(fault.Invalid, op, "the arguments are not a JSON object")
		}
		if obj == nil {
			obj = map[string]any{}
		}
		changed := tool.NormalizeObject(s.Input, obj) || decoded == nil
		if err := d.check(s, obj); err != nil {
			return nil, err
		}
		if changed {
			raw, err := json.Marshal(obj)
			if err != nil {
				return nil, fault.Wrap(err, fault.Internal, op)
			}
			ready := *inv
			ready.Call.Args = raw
			inv = &ready
		}
		return next(ctx, inv)
	}
}

func (d *Dispatcher) check(s *tool.Spec, obj map[string]any) error {
	v, _ := d.schemas.LoadOrStore(s, &validator{})
	c, ok := v.(*validator)
	if !ok {
		return nil
	}
	c.once.Do(func() { c.checker, c.err = newChecker(s.Input) })
	if c.err != nil {
		return fault.Wrap(c.err, fault.Internal, "read input schema of "+s.Name)
	}
	list := sentences(c.checker.check(obj))
	op := "call " + s.Name
	switch len(list) {
	case 0:
		return nil
	case 1:
		return fault.New(fault.Invalid, op, "%s", list[0])
	}
	return fault.New(fault.Invalid, op, "%d arguments are wrong: %s", len(list), strings.Join(list, "; "))
}

func enumText(at string, got any, want []any) string {
	var allowed []string
	for _, w := range want {
		allowed = append(allowed, fmt.Sprint(w))
	}
	msg := fmt.Sprintf("parameter %s: %v is not one of %s", at, quoted(got), strings.Join(allowed, ", "))
	if s, ok := got.(string); ok {
		if near := tool.Near(s, allowed, 1); len(near) > 0 {
			msg += "; did you mean " + near[0] + "?"
		}
	}
	return msg
}

func quoted(v any) any {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return v
}

// path spells an instance location as people write it: steps[2].button.
func path(loc []string) string {
	var b strings.Builder
	for _, part := range loc {
		switch _, err := strconv.Atoi(part); {
		case err == nil && b.Len() > 0:
			b.WriteString("[" + part + "]")
		case b.Len() > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func propertyNames(s *google.Schema) []string {
	out := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
