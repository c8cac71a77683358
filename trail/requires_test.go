package trail

import (
	"fmt"
	"testing"
)

// TestRequires proves that each comparison holds a device to its numbers, and that what is not known is not met.
func TestRequires(t *testing.T) {
	for _, test := range []struct{ want, unmet string }{
		{`">=30"`, ""}, {`">=31"`, "api >=31, and the device has 30"}, {`">30"`, "api >30, and the device has 30"}, {`"<= 30"`, ""},
		{`"<30"`, "api <30, and the device has 30"}, {`30`, ""}, {`"=29"`, "api =29, and the device has 30"},
	} {
		tr := mustParse(t, "config: {requires: {width: '>=100', api: "+test.want+"}}\ntrail:\n  - step: x\n")
		if got := tr.Config.Unmet(Facts{API: 30, Width: 100}); got != test.unmet {
			t.Errorf("%s: %q, want %q", test.want, got, test.unmet)
		}
		if got := tr.Config.Unmet(Facts{Width: 100}); got == "" {
			t.Errorf("%s: met by a device without an API level", test.want)
		}
		data, err := Encode(tr)
		if again := mustParse(t, string(data)); err != nil || fmt.Sprint(again.Config.Requires) != fmt.Sprint(tr.Config.Requires) {
			t.Errorf("%s is written as\n%s (%v)", test.want, data, err)
		}
	}
	for _, bad := range []string{`{api: new}`, `{api: ">= thirty"}`, `{apis: 30}`, `[api]`, `{api: [30]}`} {
		if _, problems := Parse("x", []byte("config: {requires: "+bad+"}\ntrail:\n  - step: x\n"), Strict); problems.Err() == nil {
			t.Errorf("requires: %s is accepted", bad)
		}
	}
}
