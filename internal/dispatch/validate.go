package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	google "github.com/google/jsonschema-go/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// validator is the compiled input schema of a tool.
type validator struct {
	once   sync.Once
	schema *jsonschema.Schema
	err    error
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
	c.once.Do(func() { c.schema, c.err = Compile(s.Input) })
	if c.err != nil {
		return fault.Wrap(c.err, fault.Internal, "read input schema of "+s.Name)
	}
	err := c.schema.Validate(obj)
	var bad *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &bad):
		return fault.Wrap(err, fault.Invalid, "call "+s.Name)
	}
	list := violations(bad, s.Input)
	op := "call " + s.Name
	if len(list) == 1 {
		return fault.New(fault.Invalid, op, "%s", list[0])
	}
	return fault.New(fault.Invalid, op, "%d arguments are wrong: %s", len(list), strings.Join(list, "; "))
}

// Compile makes a validator of a schema.
func Compile(s *google.Schema) (*jsonschema.Schema, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	const url = "tool:input"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

// violations flattens a validation error into one sentence per mistake, in a stable order.
func violations(e *jsonschema.ValidationError, root *google.Schema) []string {
	var out []string
	if len(e.Causes) == 0 {
		return describe(e, root)
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		var ways []string
		for _, c := range e.Causes {
			ways = append(ways, strings.Join(violations(c, root), " and "))
		}
		return []string{"parameter " + path(e.InstanceLocation) + " fits none of its forms: " + strings.Join(ways, ", or ")}
	}
	for _, c := range e.Causes {
		out = append(out, violations(c, root)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var english = message.NewPrinter(language.English)

func describe(e *jsonschema.ValidationError, root *google.Schema) []string {
	at := path(e.InstanceLocation)
	var out []string
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			out = append(out, "parameter "+join(at, name)+" is missing")
		}
	case *kind.AdditionalProperties:
		known := names(root, e.InstanceLocation)
		for _, name := range k.Properties {
			msg := tool.UnknownParameter(name, known)
			if at != "" {
				msg += " (in " + at + ")"
			}
			out = append(out, msg)
		}
	case *kind.Type:
		out = append(out, fmt.Sprintf("parameter %s: want %s, got %s", at, strings.Join(k.Want, " or "), k.Got))
	case *kind.Enum:
		out = append(out, enumText(at, k))
	case *kind.FalseSchema:
		out = append(out, "parameter "+at+" is not allowed")
	default:
		out = append(out, "parameter "+at+": "+e.ErrorKind.LocalizedString(english))
	}
	return out
}

func enumText(at string, k *kind.Enum) string {
	var allowed []string
	for _, w := range k.Want {
		allowed = append(allowed, fmt.Sprint(w))
	}
	msg := fmt.Sprintf("parameter %s: %v is not one of %s", at, quoted(k.Got), strings.Join(allowed, ", "))
	if s, ok := k.Got.(string); ok {
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

// names lists the properties of the schema at a location, as far as properties and items lead there.
func names(s *google.Schema, loc []string) []string {
	for _, part := range loc {
		switch {
		case s == nil:
			return nil
		case s.Properties[part] != nil:
			s = s.Properties[part]
		default:
			s = s.Items
		}
	}
	if s == nil {
		return nil
	}
	var out []string
	for name := range s.Properties {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
