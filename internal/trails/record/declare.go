package record

import (
	"encoding/json"
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/trails/evidence"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// without is the list but for the declarations of a key.
func without(list []evidence.Declaration, key string) []evidence.Declaration {
	return slices.DeleteFunc(slices.Clone(list), func(x evidence.Declaration) bool { return x.Key == key })
}

// declare adds declarations to the arguments. Declarations that are there stay. A tool that does not know an argument
// would refuse the call because of it: declarations that could not be added are returned.
func declare(args json.RawMessage, list []evidence.Declaration, spec *tool.Spec) (json.RawMessage,
	[]evidence.Declaration) {
	var left []evidence.Declaration
	for _, x := range list {
		if spec != nil && spec.Input != nil && spec.Input.Get().Properties[x.Key] == nil {
			left = append(left, x)
			continue
		}
		args = setDefault(args, x.Key, x.Value)
	}
	return args, left
}

// setDefault adds a key to a JSON object unless it is there; the order of the other keys is kept.
func setDefault(obj json.RawMessage, key string, value any) json.RawMessage {
	var have map[string]json.RawMessage
	if len(obj) > 0 && json.Unmarshal(obj, &have) != nil {
		return obj
	}
	if _, ok := have[key]; ok {
		return obj
	}
	k, _ := json.Marshal(key)
	v, err := json.Marshal(value)
	if err != nil {
		return obj
	}
	field := append(append(k, ':'), v...)
	if len(have) == 0 {
		return slices.Concat([]byte{'{'}, field, []byte{'}'})
	}
	end := len(obj) - 1
	for end > 0 && obj[end] != '}' {
		end--
	}
	return slices.Concat(obj[:end], []byte{','}, field, []byte{'}'})
}
