package argument

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNear(t *testing.T) {
	names := []string{"web_click", "web_type", "tapOn", "takeSnapshot", "pressKey"}
	for _, tc := range []struct {
		want string
		near []string
	}{
		{"web_clik", []string{"web_click"}},
		{"webClick", []string{"web_click"}},
		{"tap_on", []string{"tapOn"}},
		{"snapshot", []string{"takeSnapshot"}},
		{"presskye", []string{"pressKey"}},
		{"zzz", []string{}},
	} {
		if d := cmp.Diff(tc.near, Near(tc.want, names, 3)); d != "" {
			t.Errorf("Near(%q) (-want +got):\n%s", tc.want, d)
		}
	}
}

// A mistake is told with what is right: the nearest names, or all that there are.
func TestUnknown(t *testing.T) {
	many := strings.Split(strings.Repeat("first,", maxNamed+2)+"last", ",")
	for _, tc := range []struct {
		known []string
		want  string
	}{
		{[]string{"button", "ref"}, "unknown parameter botton; did you mean button?"},
		{[]string{"ref", "text"}, "unknown parameter botton; it takes ref, text"},
		{nil, "unknown parameter botton; it takes none"},
		{many, "unknown parameter botton; it takes " + strings.Repeat("first, ", maxNamed-1) + "first and 3 more"},
	} {
		if got := Unknown("botton", tc.known); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}
