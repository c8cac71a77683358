package argument

import (
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
