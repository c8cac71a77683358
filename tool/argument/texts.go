package argument

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
)

// Texts makes texts of the numbers and the truth values that tokens were replaced by where the schema takes only a
// text: a number is typed into a field as it is printed. A value that was written without a token stays as it is;
// the written form of a nested call is unknown (nil), and each value may have been a token.
func Texts(s *jsonschema.Schema, written, expanded json.RawMessage) json.RawMessage {
	if s == nil || bytes.Equal(written, expanded) {
		return expanded
	}
	var was any
	if written != nil {
		var err error
		if was, err = Decode(written); err != nil {
			return expanded
		}
	}
	is, err := Decode(expanded)
	if err != nil {
		return expanded
	}
	out, changed := texts(s, was, is, written == nil)
	if !changed {
		return expanded
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return expanded
	}
	return raw
}

func texts(s *jsonschema.Schema, was, is any, held bool) (out any, changed bool) {
	_, token := was.(string)
	token = token || held
	switch v := is.(type) {
	case map[string]any:
		from, _ := was.(map[string]any)
		for k, x := range v {
			y, c := texts(property(s, k), from[k], x, held)
			v[k], changed = y, changed || c
		}
	case []any:
		return v, textsOf(s, was, v, held)
	case json.Number:
		if token && wordy(s, "number") && !holds(s, "integer") {
			return v.String(), true
		}
	case bool:
		if token && wordy(s, "boolean") {
			return strconv.FormatBool(v), true
		}
	}
	return is, changed
}

func textsOf(s *jsonschema.Schema, was any, list []any, held bool) (changed bool) {
	from, _ := was.([]any)
	if held {
		from = make([]any, len(list))
	}
	items, _ := listOf(s)
	for i := 0; i < len(list) && len(list) == len(from); i++ { // of one that lost an element nobody knows which
		y, c := texts(items, from[i], list[i], held)
		list[i], changed = y, changed || c
	}
	return changed
}

// wordy reports whether a schema takes a text, and no value of this kind.
func wordy(s *jsonschema.Schema, kind string) bool {
	return s != nil && !untyped(s) && holds(s, "string") && !holds(s, kind)
}
