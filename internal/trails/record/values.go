package record

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// learn finds out what tokens stood for, from a call as it was written and as it was executed. That way a session's
// trail can be made when the session and its memory are gone. Secrets are masked in both, and so are not learnt.
func learn(values map[string]string, authored, executed json.RawMessage) {
	if !bytes.Contains(authored, []byte("{")) || bytes.Equal(authored, executed) {
		return
	}
	var a, x any
	if json.Unmarshal(authored, &a) == nil && json.Unmarshal(executed, &x) == nil {
		compare(values, a, x)
	}
}

func compare(values map[string]string, authored, executed any) {
	switch a := authored.(type) {
	case map[string]any:
		if x, ok := executed.(map[string]any); ok {
			for k, v := range a {
				compare(values, v, x[k])
			}
		}
	case []any:
		if x, ok := executed.([]any); ok && len(x) == len(a) {
			for i, v := range a {
				compare(values, v, x[i])
			}
		}
	case string:
		if x, ok := executed.(string); ok {
			match(values, a, x)
		}
	}
}

// match reads the value of a text's only token off what the text became.
func match(values map[string]string, authored, executed string) {
	all := token().FindAllStringSubmatchIndex(authored, -1)
	if len(all) != 1 || authored == executed {
		return
	}
	m := all[0]
	head, tail := authored[:m[0]], authored[m[1]:]
	rest, ok := strings.CutPrefix(executed, head)
	if !ok {
		return
	}
	value, ok := strings.CutSuffix(rest, tail)
	if !ok {
		return
	}
	name := ""
	if m[2] >= 0 && authored[m[2]:m[3]] == "args." {
		name = "args."
	}
	for _, g := range []int{4, 6} {
		if m[g] >= 0 {
			name += authored[m[g]:m[g+1]]
		}
	}
	if _, known := values[name]; !known || strings.Contains(value, mask.Masked) {
		values[name] = value
	}
}
