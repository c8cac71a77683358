package observe

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/tool/argument"
)

// shrink makes data fit: its lists and texts become shorter until it does, so that it still has the form of its
// schema. The input is not changed.
func shrink(data json.RawMessage, most int) json.RawMessage {
	if len(data) <= most {
		return data
	}
	v, err := argument.Decode(data)
	if err != nil {
		return nil
	}
	for _, limit := range []int{1000, 300, 100, 30, 10, 3, 1, 0} {
		if out, err := json.Marshal(shorten(v, limit)); err == nil && len(out) <= most {
			return out
		}
	}
	return nil
}

// shorten keeps at most limit items of a list, and of a text forty times as many bytes.
func shorten(v any, limit int) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, 0, min(len(v), limit))
		for _, item := range v[:min(len(v), limit)] {
			out = append(out, shorten(item, limit))
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = shorten(item, limit)
		}
		return out
	case string:
		if n := 40 * limit; len(v) > n {
			for n > 0 && !utf8.RuneStart(v[n]) {
				n--
			}
			return v[:n]
		}
	}
	return v
}
