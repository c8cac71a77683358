package rpcid

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCancellation: who takes a request back names it by the id that the request has behind us.
func TestCancellation(t *testing.T) {
	k := New()
	for _, id := range []string{"1.5", "9007199254740993", "7", `"x"`} {
		id := json.RawMessage(id)
		request := k.Replace([]byte(`{"jsonrpc":"2.0","id":`+string(id)+`,"method":"ping"}`), id, "ping", nil)
		params := json.RawMessage(`{"requestId":` + string(id) + `,"reason":"<late>"}`)
		cancel := k.Replace([]byte(`{"jsonrpc":"2.0","method":"`+methodCancelled+`","params":`+string(params)+`}`), nil, methodCancelled, params)
		var r struct{ ID json.RawMessage }
		var c struct {
			Params struct {
				RequestID json.RawMessage
				Reason    string
			}
		}
		if json.Unmarshal(request, &r) != nil || json.Unmarshal(cancel, &c) != nil || string(r.ID) != string(c.Params.RequestID) || c.Params.Reason != "<late>" {
			t.Errorf("%s: %s and %s", id, request, cancel)
		}
		if got := k.Restore(request); !strings.Contains(string(got), `"id":`+string(id)) {
			t.Errorf("%s became %s", id, got)
		}
	}
}

// FuzzRestore: a text comes back as it was, and an id in its own form, whatever stands around it.
func FuzzRestore(f *testing.F) {
	f.Add(`{"id":1,"x":"\"`, "1.5")
	f.Add(`data: {"a":"id-","id":`, "1e3")
	f.Fuzz(func(t *testing.T, around, id string) {
		k := New()
		if got := string(k.Restore([]byte(around))); got != around {
			t.Errorf("%q became %q", around, got)
		}
		if !json.Valid([]byte(id)) || !number(json.RawMessage(id)) {
			return
		}
		if got := string(k.Restore([]byte(around + string(k.standIn(json.RawMessage(id))) + around))); got != around+id+around {
			t.Errorf("%q around %s became %q", around, id, got)
		}
	})
}
