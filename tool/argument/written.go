package argument

import (
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Token is the schema of a text with a token in it, which stands for a value of any type.
const Token = `\{\{|\$\{`

// Written returns the schema of arguments as a file holds them, for editors: where a number, a truth value, a list or
// one of a few words belongs, a token may stand. It changes nothing of s.
func Written(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	out := *s
	out.Properties = maps.Clone(s.Properties)
	for name, p := range out.Properties {
		out.Properties[name] = orToken(Written(p))
	}
	out.Items = orToken(Written(s.Items))
	if s.AdditionalProperties != nil && !isFalse(s.AdditionalProperties) {
		out.AdditionalProperties = orToken(Written(s.AdditionalProperties))
	}
	for _, ways := range []*[]*jsonschema.Schema{&out.AnyOf, &out.OneOf, &out.AllOf} {
		*ways = slices.Clone(*ways)
		for i, w := range *ways {
			(*ways)[i] = Written(w)
		}
	}
	return &out
}

// orToken lets a token stand for a value, unless any text is allowed, or the value is an object.
func orToken(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil || !slices.Contains([]string{"integer", "number", "boolean", "array", "string"}, s.Type) ||
		s.Type == "string" && len(s.Enum) == 0 && s.Pattern == "" && s.MinLength == nil {
		return s
	}
	inner := *s
	inner.Description, inner.Default, inner.Title = "", nil, ""
	return &jsonschema.Schema{Description: s.Description, Default: s.Default, Title: s.Title,
		AnyOf: []*jsonschema.Schema{&inner, {Type: "string", Pattern: Token}}}
}
