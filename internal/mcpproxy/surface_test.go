package mcpproxy

import (
	"encoding/json"
	"testing"
)

// FuzzRead: on any well-formed line the surface is what a decoder finds; on any other there is no panic.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		initialize, listTools, `{"id":1,"result":{"a":["}"]}}`, `{"id":"x\\","error":{"code":1}}`, ` { "id" : -1.5e3 , "method":"m","params":[1,{"a":"\""}] } `,
		`{"id":null,"method":"m"}`, `{}`, `{"a":1,}`, `{"method":"é"}`, `{"id":1,"result":null}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got, ok := read(line, false)
		_, _ = read(line, true)
		var want map[string]json.RawMessage
		if json.Unmarshal(line, &want) != nil || want == nil || !plain(want) {
			return
		}
		var method string
		if raw, has := want["method"]; has && json.Unmarshal(raw, &method) != nil {
			if ok {
				t.Errorf("%s is taken for a message", line)
			}
			return
		}
		if got.method != method {
			t.Errorf("%s: method %q, want %q", line, got.method, method)
		}
		if id := string(want["id"]); id != string(got.id) && !(id == "null" && got.id == nil) {
			t.Errorf("%s: id %s, want %s", line, got.id, id)
		}
		if string(got.params) != string(want["params"]) {
			t.Errorf("%s: params %s, want %s", line, got.params, want["params"])
		}
	})
}

// plain leaves out what no client sends and what a decoder folds: escapes in keys, repeated keys, a null method.
func plain(m map[string]json.RawMessage) bool {
	if string(m["method"]) == "null" {
		return false
	}
	for k := range m {
		raw, _ := json.Marshal(k)
		if string(raw) != `"`+k+`"` {
			return false
		}
	}
	return true
}
