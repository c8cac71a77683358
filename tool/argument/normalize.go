package argument

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Normalize brings arguments into the form a tool works with: a null for an optional parameter that is not nullable
// is dropped, an enum value in the wrong case gets the listed spelling, 900.0 becomes the integer 900, and defaults are
// filled in, at every depth.
// It returns the input bytes when nothing had to change. Unknown lists top-level parameters the schema does not have,
// when it closes the set.
func Normalize(s *jsonschema.Schema, args json.RawMessage) (out json.RawMessage, unknown []string, err error) {
	if len(bytes.TrimSpace(args)) == 0 || bytes.Equal(bytes.TrimSpace(args), []byte("null")) {
		args = json.RawMessage("{}")
	}
	v, err := Decode(args)
	if err != nil {
		return nil, nil, err
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, nil, errors.New("the arguments are not a JSON object")
	}
	changed := NormalizeObject(s, obj)
	if closed(s) {
		for name := range obj {
			if s.Properties[name] == nil {
				unknown = append(unknown, name)
			}
		}
		slices.Sort(unknown)
	}
	if !changed {
		return args, unknown, nil
	}
	out, err = json.Marshal(obj)
	return out, unknown, err
}

// Decode decodes JSON without losing digits of numbers, and refuses anything after the value.
func Decode(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, errors.New("there is more after the JSON value")
	}
	return v, nil
}

// Fields are the fields of a JSON object in their order, which a map loses.
type Fields []Field

// Field is one of them.
type Field struct {
	Name  string
	Value json.RawMessage
}

// FieldsOf reads a JSON object; other JSON, and broken JSON, gives false and the fields that could be read.
func FieldsOf(raw json.RawMessage) (out Fields, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		t, err := dec.Token()
		name, isName := t.(string)
		f := Field{Name: name}
		if err != nil || !isName || dec.Decode(&f.Value) != nil {
			return out, false
		}
		out = append(out, f)
	}
	return out, true
}

// Get returns the value of the first field of a name, nil when there is none.
func (l Fields) Get(name string) json.RawMessage {
	for _, f := range l {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// JSON writes the fields as an object, the bytes of their values as they are.
func (l Fields) JSON() json.RawMessage {
	out := []byte{'{'}
	for i, f := range l {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(f.Name) // a text
		out = append(append(append(out, name...), ':'), f.Value...)
	}
	return append(out, '}')
}

func closed(s *jsonschema.Schema) bool {
	return s != nil && s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil && len(s.PatternProperties) == 0
}

func normalizeValue(s *jsonschema.Schema, v any) (any, bool) {
	if s == nil {
		return v, false
	}
	switch v := v.(type) {
	case json.Number:
		return integral(s, v)
	case string:
		for _, e := range s.Enum {
			if listed, ok := e.(string); ok && listed != v && strings.EqualFold(listed, v) && !slices.Contains(s.Enum, any(v)) {
				return listed, true
			}
		}
	case map[string]any:
		return v, NormalizeObject(s, v)
	case []any:
		changed := false
		for i, item := range v {
			next, c := normalizeValue(s.Items, item)
			v[i], changed = next, changed || c
		}
		return v, changed
	}
	return v, false
}

// NormalizeObject is Normalize for arguments that are decoded already, in place. It reports whether anything changed.
func NormalizeObject(s *jsonschema.Schema, obj map[string]any) bool {
	if s == nil {
		return false
	}
	changed := false
	for name, v := range obj {
		p := s.Properties[name]
		if v == nil && p != nil && !slices.Contains(s.Required, name) && !nullable(p) {
			delete(obj, name)
			changed = true
			continue
		}
		if p == nil {
			p = s.AdditionalProperties
		}
		next, c := normalizeValue(p, v)
		if c {
			obj[name], changed = next, true
		}
	}
	for name, p := range s.Properties {
		if _, given := obj[name]; given || p == nil || p.Default == nil {
			continue
		}
		if d, err := Decode(p.Default); err == nil {
			obj[name], changed = d, true
		}
	}
	return changed
}

// integral is a number as Go reads it into an integer, where the schema wants one: 900.0 is an integer in JSON Schema.
func integral(s *jsonschema.Schema, v json.Number) (any, bool) {
	if n, ok := rational(v); ok && strings.ContainsAny(string(v), ".eE") && hasInteger(s) && n.IsInt() {
		return json.Number(n.Num().String()), true
	}
	return v, false
}

// hasInteger reports whether a value may be an integer and no other number, in the schema or one of its forms.
func hasInteger(s *jsonschema.Schema) bool {
	return slices.Contains(typesOf(s), "integer") && !slices.Contains(typesOf(s), "number") ||
		slices.ContainsFunc(slices.Concat(s.AnyOf, s.OneOf), hasInteger)
}

// nullable reports whether a property accepts null as a value of its own.
func nullable(p *jsonschema.Schema) bool {
	if p.Type == "" && len(p.Types) == 0 {
		// Any type, or a union whose branches we ask.
		branches := slices.Concat(p.AnyOf, p.OneOf)
		return len(branches) == 0 && len(p.Enum) == 0 || slices.ContainsFunc(branches, nullable) ||
			slices.Contains(p.Enum, nil)
	}
	return p.Type == "null" || slices.Contains(p.Types, "null")
}
