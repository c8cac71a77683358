package argument

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

func property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if p := s.Properties[name]; p != nil {
		return p
	}
	for _, branch := range slices.Concat(s.AnyOf, s.OneOf, s.AllOf) {
		if p := property(branch, name); p != nil {
			return p
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		return s.AdditionalProperties
	}
	return nil
}

// Closed reports whether an object of the schema may hold no other properties than those that it declares.
func Closed(s *jsonschema.Schema) bool { return s != nil && closedForm(s) }

func closedForm(s *jsonschema.Schema) bool {
	if closed(s) {
		return true
	}
	branches := slices.Concat(s.AnyOf, s.OneOf)
	return len(branches) > 0 && !slices.ContainsFunc(branches, func(b *jsonschema.Schema) bool {
		return holds(b, "object") && !closedForm(b)
	})
}

// holds reports whether a value of this type may satisfy the schema. One that names no type takes any.
func holds(s *jsonschema.Schema, kind string) bool {
	if s == nil {
		return true
	}
	if s.Type != "" {
		return s.Type == kind || s.Type == "number" && kind == "integer"
	}
	if len(s.Types) > 0 {
		return slices.Contains(s.Types, kind) || kind == "integer" && slices.Contains(s.Types, "number")
	}
	if branches := slices.Concat(s.AnyOf, s.OneOf); len(branches) > 0 {
		return slices.ContainsFunc(branches, func(b *jsonschema.Schema) bool { return holds(b, kind) })
	}
	if len(s.Enum) > 0 {
		return slices.ContainsFunc(s.Enum, func(v any) bool { return typeName(v) == kind })
	}
	return true
}

func listOf(s *jsonschema.Schema) (*jsonschema.Schema, bool) {
	if untyped(s) || !holds(s, "array") {
		return nil, false
	}
	if s.Items != nil {
		return s.Items, true
	}
	for _, b := range slices.Concat(s.AnyOf, s.OneOf) {
		if items, ok := listOf(b); ok {
			return items, !holds(s, "string") // of a string or a list, one word is a string
		}
	}
	return nil, s.Type == "array"
}

// coerce reads one value as the schema wants it. The second result is the mistake.
func coerce(s *jsonschema.Schema, text string) (any, string) {
	if s != nil && len(s.Enum) > 0 {
		return choose(s, text)
	}
	if isText(s, text) {
		return text, ""
	}
	switch v, err := Decode(json.RawMessage(text)); {
	case untyped(s) && err != nil, tokens(text):
		return text, "" // a word; or a token of memory, which gets its type when it is expanded
	case untyped(s):
		return v, ""
	case err == nil && fits(s, v):
		return v, ""
	}
	if holds(s, "boolean") {
		if b, ok := truth(text); ok {
			return b, ""
		}
	}
	if holds(s, "string") {
		return text, ""
	}
	return nil, fmt.Sprintf("want %s, got %s", wanted(s), strconv.Quote(phrase.Clip(text, 60)))
}

// untyped reports whether a schema takes values of every type.
func untyped(s *jsonschema.Schema) bool {
	return s == nil || s.Type == "" && len(s.Types) == 0 && len(s.AnyOf)+len(s.OneOf) == 0
}

// isText reports whether text is a string as it stands: one is wanted, and text is not JSON that is wanted as well.
func isText(s *jsonschema.Schema, text string) bool {
	if untyped(s) || !holds(s, "string") {
		return false
	}
	return !holds(s, "object") && !holds(s, "array") || !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[")
}

func fits(s *jsonschema.Schema, v any) bool {
	n, number := v.(json.Number)
	if !number {
		return holds(s, typeName(v))
	}
	if holds(s, "number") && s.Type != "integer" {
		return true
	}
	r, ok := new(big.Rat).SetString(n.String())
	return holds(s, "integer") && len(n) < 40 && ok && r.IsInt()
}

// truth reads what people write for true and false.
func truth(text string) (value, ok bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

// choose finds the listed value that is meant.
func choose(s *jsonschema.Schema, text string) (any, string) {
	var listed []string
	for _, e := range s.Enum {
		word := fmt.Sprint(e)
		if strings.EqualFold(word, text) {
			return e, ""
		}
		listed = append(listed, word)
	}
	if tokens(text) {
		return text, ""
	}
	msg := fmt.Sprintf("%s is none of %s", strconv.Quote(phrase.Clip(text, 60)), strings.Join(listed, ", "))
	if near := Near(text, listed, 1); len(near) > 0 {
		msg += "; did you mean " + near[0] + "?"
	}
	return nil, msg
}

func tokens(text string) bool { return strings.Contains(text, "{{") && strings.Contains(text, "}}") }

func wanted(s *jsonschema.Schema) string {
	var kinds []string
	for _, k := range []string{"number", "boolean", "object", "array"} {
		switch {
		case k == "number" && !holds(s, k) && holds(s, "integer"):
			kinds = append(kinds, "a whole number")
		case !holds(s, k):
		case k == "boolean":
			kinds = append(kinds, "true or false")
		case k == "object" || k == "array":
			kinds = append(kinds, "a JSON "+k)
		default:
			kinds = append(kinds, "a "+k)
		}
	}
	return strings.Join(kinds, " or ")
}
