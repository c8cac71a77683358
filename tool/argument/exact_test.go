package argument

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func TestInexact(t *testing.T) {
	for raw, want := range map[string]string{
		`9007199254740991`: "", `9007199254740992`: "9007199254740992", `-9007199254740993`: "-9007199254740993",
		`{"a":[1,{"id":12345678901234567890}]}`: "12345678901234567890", `"9007199254740993"`: "", `0.12345678901234567`: "",
		`1e30`: "", `123456789012345678901234567890`: "123456789012345678901234567890", `[9007199254740993`: "", ``: "",
	} {
		if got, found := InexactIn([]byte(raw)); found != (want != "") || found && got != want {
			t.Errorf("%s: %q, %t, want %q", raw, got, found, want)
		}
	}
	if got, found := Inexact(map[string]any{"id": float64(1 << 60)}); !found || got != "1152921504606846976" {
		t.Errorf("a decoded number: %q, %t", got, found)
	}
}

// TestNumbersAsTheSchemaMeansThem: 900.0 and 9e2 are integers in JSON Schema, and a limit is the number that is written there.
func TestNumbersAsTheSchemaMeansThem(t *testing.T) {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"n": {Type: "integer"}, "x": {Type: "number", Minimum: new(0.01)}, "list": {Type: "array", Items: &jsonschema.Schema{Type: "integer"}},
	}}
	out, _, err := Normalize(s, json.RawMessage(`{"n": 900.0, "x": 0.01, "list": [9e2, 1.5]}`))
	if err != nil || string(out) != `{"list":[900,1.5],"n":900,"x":0.01}` {
		t.Error(string(out), err)
	}
	wrong, err := (&Checker{Schema: s}).Mistakes(map[string]any{"x": json.Number("0.01"), "n": json.Number("900.0")})
	if err != nil || len(wrong) > 0 {
		t.Error(wrong, err)
	}
	if wrong, _ = (&Checker{Schema: s}).Mistakes(map[string]any{"x": json.Number("0.0099")}); len(wrong) != 1 {
		t.Error(wrong)
	}
}
