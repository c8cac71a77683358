package argument

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// Token is the pattern of a text with a token in it, which stands for a value of any type.
const Token = `\{\{|\$\{`

// Written returns the schema of arguments as a file holds them, for editors: where a number, a truth value, a list or
// one of a few words belongs, a token may stand, and a word in any case. It changes nothing of s.
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
	pattern := Token
	for _, v := range s.Enum {
		if word, ok := v.(string); ok && word != "" {
			pattern += "|^" + anyCase(word) + "$"
		}
	}
	return &jsonschema.Schema{Description: s.Description, Default: s.Default, Title: s.Title,
		AnyOf: []*jsonschema.Schema{&inner, {Type: "string", Pattern: pattern}}}
}

// anyCase is a pattern for a word in any case: Normalize finds the value that is meant.
func anyCase(word string) string {
	var b strings.Builder
	for _, r := range word {
		if upper, lower := unicode.ToUpper(r), unicode.ToLower(r); upper != lower {
			b.WriteString("[" + string(upper) + string(lower) + "]")
			continue
		}
		b.WriteString(regexp.QuoteMeta(string(r)))
	}
	return b.String()
}
