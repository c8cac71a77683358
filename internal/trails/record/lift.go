package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// leastLifted is the length, in characters, of the shortest value that becomes a token inside of a longer text:
// shorter ones are in texts by chance. Alone, any value of two characters does.
const leastLifted = 4

// lift puts tokens in the place of values in the arguments of a call. How an element is found stays: a name that is
// another in the next run would find another element than the recorded one.
func lift(raw json.RawMessage, tokens map[string]string) json.RawMessage {
	var args map[string]json.RawMessage
	if len(tokens) == 0 || json.Unmarshal(raw, &args) != nil {
		return raw
	}
	values := slices.SortedFunc(maps.Keys(tokens), func(a, b string) int { // the longest first
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	changed := false
	for name, v := range args {
		if out := liftValue(v, values, tokens); !bytes.Equal(out, v) {
			args[name], changed = out, true
		}
	}
	if !changed {
		return raw
	}
	return reorder(raw, args)
}

// liftValue is a text, or a list of texts, with tokens; anything else as it is.
func liftValue(v json.RawMessage, values []string, tokens map[string]string) json.RawMessage {
	var text string
	var list []string
	var out any
	switch {
	case json.Unmarshal(v, &text) == nil && text != "":
		out = liftText(text, values, tokens)
		if out == text {
			return v
		}
	case json.Unmarshal(v, &list) == nil && len(list) > 0:
		was := slices.Clone(list)
		for i := range list {
			list[i] = liftText(list[i], values, tokens)
		}
		if slices.Equal(was, list) {
			return v
		}
		out = list
	default:
		return v
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(out) != nil {
		return v
	}
	return bytes.TrimSpace(b.Bytes())
}

func liftText(text string, values []string, tokens map[string]string) string {
	if strings.Contains(text, "{{") || strings.Contains(text, "${") {
		return text // what stands there is the choice of whoever made the call
	}
	for _, v := range values {
		if text == v && utf8.RuneCountInString(v) > 1 {
			return tokens[v]
		}
	}
	for _, v := range values {
		if utf8.RuneCountInString(v) < leastLifted {
			continue
		}
		if at := strings.Index(text, v); at >= 0 && isWholeWord(text, at, at+len(v)) {
			return text[:at] + tokens[v] + text[at+len(v):]
		}
	}
	return text
}

// isWholeWord reports whether a piece of a text begins and ends at the edge of a word.
func isWholeWord(text string, from, to int) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	return !(word(before) && word(first)) && !(word(after) && word(last))
}

// reorder is an object with other values and its keys in the order of raw.
func reorder(raw json.RawMessage, args map[string]json.RawMessage) json.RawMessage {
	fields, ok := argument.FieldsOf(raw)
	if !ok {
		return raw
	}
	for i := range fields {
		fields[i].Value = args[fields[i].Name]
	}
	return fields.JSON()
}
