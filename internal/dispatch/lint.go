package dispatch

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Lint says all that is wrong with written arguments, without a call: for checking trail files. A value that holds a
// token is not judged, since what it will be is not known yet.
func Lint(s *tool.Spec, args json.RawMessage) ([]string, error) {
	decoded, err := tool.DecodeArgs(args)
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
	tool.NormalizeObject(s.Input, obj)
	c, err := newChecker(s.Input)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "read input schema of "+s.Name)
	}
	return sentences(withoutTokens(c.check(obj))), nil
}

// withoutTokens drops the violations of values that hold tokens. A value of several forms is not judged when one of them
// may fit once the tokens are replaced.
func withoutTokens(list []violation) []violation {
	return slices.DeleteFunc(list, func(v violation) bool {
		if text, ok := v.value.(string); ok && (strings.Contains(text, "{{") || strings.Contains(text, "${")) {
			return true
		}
		return slices.ContainsFunc(v.ways, func(way []violation) bool { return len(withoutTokens(way)) == 0 })
	})
}
