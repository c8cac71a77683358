// Package argument reads the arguments of a call by the schema of its tool: it makes them from words of a command line
// (Coerce), brings them into the form that tools expect (Normalize), and finds every mistake in them (Checker, Lint).
//
// It knows schemas, not tools: tool.Define builds on it, the dispatcher checks a call with it, and `check` a trail. A
// Checker is safe for concurrent use; everything else keeps no state.
package argument

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Lint returns every mistake in the written arguments of a tool, for checking trail files. It passes over values that
// hold a token, because their value is not known before the call.
func Lint(tool string, s *jsonschema.Schema, args json.RawMessage) ([]string, error) {
	decoded, err := Decode(args)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "check arguments")
	}
	obj, ok := decoded.(map[string]any)
	if !ok && decoded != nil {
		return []string{"the arguments are not an object"}, nil
	}
	if obj == nil {
		obj = map[string]any{}
	}
	NormalizeObject(s, obj)
	list, err := (&Checker{Schema: s}).check(obj)
	return sentences(withoutTokens(list)), fault.Wrap(err, fault.Internal, "read input schema of "+tool)
}

// withoutTokens drops the violations of values that hold tokens. A value of several forms is not judged when one of
// them may fit once the tokens are replaced.
func withoutTokens(list []violation) []violation {
	return slices.DeleteFunc(list, func(v violation) bool {
		if text, ok := v.value.(string); ok && (strings.Contains(text, "{{") || strings.Contains(text, "${")) {
			return true
		}
		return slices.ContainsFunc(v.ways, func(way []violation) bool { return len(withoutTokens(way)) == 0 })
	})
}
