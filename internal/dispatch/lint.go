package dispatch

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

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
	schema, err := Compile(s.Input)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "read input schema of "+s.Name)
	}
	err = schema.Validate(obj)
	var bad *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil, nil
	case !errors.As(err, &bad):
		return nil, fault.Wrap(err, fault.Invalid, "check arguments")
	}
	if bad = withoutTokens(bad, obj); bad == nil {
		return nil, nil
	}
	return violations(bad, s.Input), nil
}

// withoutTokens drops the violations of values that hold tokens; nil means that nothing is left.
func withoutTokens(e *jsonschema.ValidationError, root any) *jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		if text, ok := at(root, e.InstanceLocation).(string); ok && (strings.Contains(text, "{{") || strings.Contains(text, "${")) {
			return nil
		}
		return e
	}
	kept := *e
	kept.Causes = nil
	for _, c := range e.Causes {
		if c = withoutTokens(c, root); c != nil {
			kept.Causes = append(kept.Causes, c)
		}
	}
	if len(kept.Causes) == 0 {
		return nil
	}
	return &kept
}

func at(v any, path []string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}
