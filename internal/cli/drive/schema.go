package drive

import (
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// typeOf says what a value must be, in a few words.
func typeOf(s *jsonschema.Schema) string {
	var b strings.Builder
	switch {
	case len(s.Enum) > 0:
		var vals []string
		for _, e := range s.Enum {
			vals = append(vals, fmt.Sprint(e))
		}
		b.WriteString(strings.Join(vals, "|"))
	case s.Type == "array" && s.Items != nil:
		b.WriteString("list of " + typeOf(s.Items))
	case s.Type != "":
		b.WriteString(s.Type)
	case len(s.Types) > 0:
		b.WriteString(strings.Join(s.Types, "|"))
	default:
		b.WriteString("any")
	}
	if len(s.Default) > 0 {
		b.WriteString(", default " + string(s.Default))
	}
	return b.String()
}
