package jsonsize

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		ok        bool
	}{
		{"nothing", "", true},
		{"a long text", `{"a":"` + strings.Repeat(`,[{\"`, Max) + `"}`, true},
		{"as many as there may be", "[" + strings.Repeat("0,", Max-1) + "0]", true},
		{"one more", "[" + strings.Repeat("0,", Max) + "0]", false},
		{"keys", "{" + strings.Repeat(`"\"":"\\",`, Max) + `"":0}`, false},
		{"lists", strings.Repeat("[", Max+1), false},
		{"objects", strings.Repeat(`[{"a":{}},`, Max), false},
		{"no end", `{"a\`, true},
	} {
		if err := Check([]byte(tt.raw)); (err == nil) != tt.ok || err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
