package argument

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// plain reports whether a schema uses only keywords that walk knows all about.
func plain(s *jsonschema.Schema) bool {
	if s == nil {
		return true
	}
	rest := *s
	// Ours, and those that only describe.
	rest.Type, rest.Types, rest.Enum, rest.Const, rest.Required, rest.Properties, rest.AdditionalProperties = "", nil,
		nil, nil, nil, nil, nil
	rest.Items, rest.MinItems, rest.MaxItems, rest.UniqueItems = nil, nil, nil, false
	rest.MinLength, rest.MaxLength, rest.Pattern = nil, nil, ""
	rest.Minimum, rest.Maximum, rest.ExclusiveMinimum, rest.ExclusiveMaximum = nil, nil, nil, nil
	rest.AllOf, rest.AnyOf = nil, nil
	rest.Title, rest.Description, rest.Default, rest.Examples, rest.Comment = "", "", nil, nil, ""
	rest.Deprecated, rest.ReadOnly, rest.WriteOnly, rest.Extra, rest.PropertyOrder = false, false, false, nil, nil
	rest.Schema, rest.ID = "", ""
	if isFalse(&rest) {
		rest.Not = nil
	}
	if raw, err := json.Marshal(&rest); err != nil || string(raw) != "true" {
		return false
	}
	if s.Pattern != "" {
		if _, err := regexp.Compile(s.Pattern); err != nil {
			return false
		}
	}
	inner := slices.Concat(slices.Collect(maps.Values(s.Properties)), s.AllOf, s.AnyOf,
		[]*jsonschema.Schema{s.AdditionalProperties, s.Items})
	return !slices.ContainsFunc(inner, func(s *jsonschema.Schema) bool { return !plain(s) })
}

// plainNumbers makes the numbers of a decoded value such as the library knows.
func plainNumbers(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = plainNumbers(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = plainNumbers(e)
		}
		return out
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n
		}
		f, _ := x.Float64() // too large for a number is infinite, which no bound admits
		return f
	}
	return v
}
