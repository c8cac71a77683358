package tool

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Schema returns a JSON schema, the same one each time. It is safe for concurrent use. The schema of a Go type is
// made when it is first asked for: a start needs few of them.
type Schema func() *jsonschema.Schema

// Get is the schema, nil when there is none.
func (s Schema) Get() *jsonschema.Schema {
	if s == nil {
		return nil
	}
	return s()
}

// MarshalJSON implements json.Marshaler.
func (s Schema) MarshalJSON() ([]byte, error) { return json.Marshal(s.Get()) }

// Fixed returns a schema that is made already. Of nil it is nil.
func Fixed(s *jsonschema.Schema) Schema {
	if s == nil {
		return nil
	}
	return func() *jsonschema.Schema { return s }
}

// Enumerated is implemented by named types with a closed set of values. The values are listed in the schema and
// matched without regard to case.
type Enumerated interface{ Enum() []any }

// SchemaFor makes the JSON schema of a Go type. Beyond what the jsonschema package reads (`json` names, `jsonschema`
// descriptions, required unless omitempty) these field tags count:
//
//	enum:"left,right"  default:"left"  minimum:"1"  maximum:"9"
//	minLength:"1"  maxLength:"80"  pattern:"^a"  minItems:"1"
//
// Types with an Enum method list their values. A field with a default is never required. Pointers and slices do not
// accept null: optional means absent, and the dispatcher treats null as absent.
func SchemaFor(t reflect.Type) (*jsonschema.Schema, error) { return schemaFor(t, false) }

func schemaFor(t reflect.Type, nullable bool) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: opaque(t)})
	if err != nil {
		return nil, err
	}
	a := annotator{nullable: nullable}
	if err := a.walk(t, s, t.String()); err != nil {
		return nil, err
	}
	return s, nil
}

// Reflection over the same few embedded structs is most of the cost of making the schemas of all tools, and every
// start of the daemon waits for it: the fields found in a type are kept.
var (
	visible  sync.Map // reflect.Type -> []reflect.StructField
	opaqueOf sync.Map // reflect.Type -> map[reflect.Type]*jsonschema.Schema
)

func visibleFields(t reflect.Type) []reflect.StructField {
	if have, ok := visible.Load(t); ok {
		return have.([]reflect.StructField) //nolint:forcetypeassert // only these are stored
	}
	fields := reflect.VisibleFields(t)
	visible.Store(t, fields)
	return fields
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	marshaler   = reflect.TypeFor[json.Marshaler]()
	textual     = reflect.TypeFor[encoding.TextMarshaler]()
	enumerated  = reflect.TypeFor[Enumerated]()
)

// plainly lists values as they come out of JSON: constants of a named string type would equal no argument.
func plainly(s *jsonschema.Schema, values []any) error {
	raw, err := json.Marshal(values)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, &s.Enum)
}

// opaque lists the types in t whose Go shape does not show their JSON, or that are recursive, with the schemas to use
// for them. The map is shared: it is only read.
func opaque(t reflect.Type) map[reflect.Type]*jsonschema.Schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if have, ok := opaqueOf.Load(t); ok {
		return have.(map[reflect.Type]*jsonschema.Schema) //nolint:forcetypeassert // only these are stored
	}
	out := map[reflect.Type]*jsonschema.Schema{}
	findOpaque(t, out, map[reflect.Type]bool{})
	opaqueOf.Store(t, out)
	return out
}

func findOpaque(t reflect.Type, out map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if seen[t] || t.PkgPath() == "" && t.Kind() < reflect.Array {
		return
	}
	seen[t] = true
	if have, ok := opaqueOf.Load(t); ok {
		maps.Copy(out, have.(map[reflect.Type]*jsonschema.Schema)) //nolint:forcetypeassert // only these are stored
		return
	}
	if t.PkgPath() == "time" || t.PkgPath() == "math/big" {
		return // known to the jsonschema package
	}
	if s := opaqueSchema(t); s != nil {
		out[t] = s
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		findOpaque(t.Elem(), out, seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() || f.Anonymous {
				findOpaque(f.Type, out, seen)
			}
		}
	default:
	}
}

// opaqueSchema is the schema of a type that writes its JSON itself, nil of others.
func opaqueSchema(t reflect.Type) *jsonschema.Schema {
	p := reflect.PointerTo(t)
	switch {
	case t == reflect.TypeFor[screen.Selector]():
		return &jsonschema.Schema{Type: "object"}
	case p.Implements(textual):
		return &jsonschema.Schema{Type: "string"}
	case p.Implements(unmarshaler) || p.Implements(marshaler):
		return &jsonschema.Schema{}
	}
	return nil
}

// annotator adds to a schema what the jsonschema package does not read.
type annotator struct{ nullable bool }

func (a annotator) walk(t reflect.Type, s *jsonschema.Schema, at string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !a.nullable && len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	if t.Implements(enumerated) {
		v, ok := reflect.TypeAssert[Enumerated](reflect.Zero(t))
		if ok {
			return plainly(s, v.Enum())
		}
		return nil
	}
	switch {
	case s.Items != nil:
		return a.walk(t.Elem(), s.Items, at+"[]")
	case t.Kind() == reflect.Map && s.AdditionalProperties != nil:
		return a.walk(t.Elem(), s.AdditionalProperties, at+"{}")
	case t.Kind() == reflect.Struct && len(s.Properties) > 0:
		for _, f := range visibleFields(t) {
			if err := a.field(f, s, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a annotator) field(f reflect.StructField, s *jsonschema.Schema, at string) error {
	name := jsonName(f)
	p := s.Properties[name]
	if f.Anonymous || !f.IsExported() || name == "-" || p == nil {
		return nil
	}
	at += "." + name
	if err := a.walk(f.Type, p, at); err != nil {
		return err
	}
	if err := annotate(f, p); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if p.Default != nil {
		s.Required = remove(s.Required, name)
	}
	return nil
}

// annotate reads the tags of one field into its property.
func annotate(f reflect.StructField, p *jsonschema.Schema) error {
	target := p
	if p.Items != nil { // an enum, pattern or bound on a list is about its items
		target = p.Items
	}
	if v, ok := f.Tag.Lookup("enum"); ok {
		target.Enum = nil
		for part := range strings.SplitSeq(v, ",") {
			target.Enum = append(target.Enum, scalar(target, part))
		}
	}
	if v, ok := f.Tag.Lookup("pattern"); ok {
		target.Pattern = v
	}
	if err := bound(f.Tag, "minimum", &target.Minimum); err != nil {
		return err
	}
	if err := bound(f.Tag, "maximum", &target.Maximum); err != nil {
		return err
	}
	for _, c := range []struct {
		tag string
		dst **int
	}{{"minLength", &target.MinLength}, {"maxLength", &target.MaxLength}, {"minItems", &p.MinItems},
		{"maxItems", &p.MaxItems}} {
		if v, ok := f.Tag.Lookup(c.tag); ok {
			n, err := strconv.Atoi(v)
			if err != nil {
				return fmt.Errorf("tag %s: %w", c.tag, err)
			}
			*c.dst = &n
		}
	}
	if v, ok := f.Tag.Lookup("default"); ok {
		return setDefault(p, v)
	}
	return nil
}

func setDefault(p *jsonschema.Schema, v string) error {
	raw, err := json.Marshal(scalar(p, v))
	if err != nil {
		return fmt.Errorf("tag default: %w", err)
	}
	p.Default = raw
	if !json.Valid(raw) || (p.Type == "integer" || p.Type == "number" || p.Type == "boolean") && raw[0] == '"' {
		return fmt.Errorf("tag default: %q is not a %s", v, p.Type)
	}
	return nil
}

func bound(tags reflect.StructTag, tag string, dst **float64) error {
	v, ok := tags.Lookup(tag)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return fmt.Errorf("tag %s: %w", tag, err)
	}
	*dst = &n
	return nil
}

// scalar reads a tag's value as the property's type.
func scalar(p *jsonschema.Schema, v string) any {
	switch p.Type {
	case "integer", "number", "boolean", "array", "object":
		var out any
		if json.Unmarshal([]byte(v), &out) == nil {
			return out
		}
	}
	return v
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		return f.Name
	}
	return name
}

func remove(list []string, name string) []string {
	var out []string
	for _, s := range list {
		if s != name {
			out = append(out, s)
		}
	}
	return out
}
