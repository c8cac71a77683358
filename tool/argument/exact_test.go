package argument

import "testing"

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
