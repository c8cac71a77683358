package argument

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
)

// Texts makes texts of the numbers and the truth values that tokens were replaced by where the schema takes a text and
// nothing of theirs: a number is typed into a field as it is printed. What was written without a token stays as it is.
func Texts(s *jsonschema.Schema, written, expanded json.RawMessage) json.RawMessage {
	if s == nil || bytes.Equal(written, expanded) {
		return expanded
	}
	was, err := Decode(written)
	if err != nil {
		return expanded
	}
	is, err := Decode(expanded)
	if err != nil {
		return expanded
	}
	out, changed := texts(s, was, is)
	if !changed {
		return expanded
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return expanded
	}
	return raw
}

func texts(s *jsonschema.Schema, was, is any) (out any, changed bool) {
	switch v := is.(type) {
	case map[string]any:
		from, _ := was.(map[string]any)
		for k, x := range v {
			y, c := texts(property(s, k), from[k], x)
			v[k], changed = y, changed || c
		}
	case []any:
		from, _ := was.([]any)
		items, _ := listOf(s)
		for i := 0; i < len(v) && len(v) == len(from); i++ { // of a list that lost an element nobody knows which
			y, c := texts(items, from[i], v[i])
			v[i], changed = y, changed || c
		}
	case json.Number:
		if _, token := was.(string); token && wordy(s, "number") && !holds(s, "integer") {
			return v.String(), true
		}
	case bool:
		if _, token := was.(string); token && wordy(s, "boolean") {
			return strconv.FormatBool(v), true
		}
	}
	return is, changed
}

// wordy says whether a schema takes a text, and no value of this kind.
func wordy(s *jsonschema.Schema, kind string) bool {
	return s != nil && !untyped(s) && holds(s, "string") && !holds(s, kind)
}
