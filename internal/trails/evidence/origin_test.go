package evidence

import (
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestLeftOrigin proves that a page which goes to another origin between two calls is caught by the
// second, whatever that does, unless the trail says that it should.
func TestLeftOrigin(t *testing.T) {
	const shop, other = "https://shop.test/a", "https://other.test/b"
	acts := &tool.Spec{Name: "web_click", Kind: tool.Action, Input: tool.Fixed(&jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"expectOrigin": {}}})}
	sees := &tool.Spec{Name: "web_verifyTextVisible", Kind: tool.Assertion}
	waits := &tool.Spec{Name: "web_wait", Kind: tool.Action, Facts: tool.Facts{Purpose: tool.Pause}}
	runs := &tool.Spec{Name: "runTrail", Kind: tool.Action}
	asks := &tool.Spec{Name: "web_waitForUrl", Kind: tool.Assertion, Facts: tool.Facts{Purpose: tool.AwaitAddress}}
	on := func(url string) *tool.Evidence { return &tool.Evidence{Screen: &screen.Snapshot{URL: url}} }
	did := func(c driver.Changes, url string) *tool.Evidence {
		return &tool.Evidence{Effect: &driver.Effect{Changes: c, URL: url}}
	}
	type call struct {
		spec *tool.Spec
		ev   *tool.Evidence
		want tool.Expectation
	}
	clicked := call{acts, did(driver.Changes{Tree: 1}, shop), tool.Expectation{}}
	tests := []struct {
		name  string
		calls []call
		fails bool
	}{
		{"stays", []call{clicked, {sees, on(shop), tool.Expectation{}}}, false},
		{"another page of the origin", []call{clicked, {sees, on(shop + "/c"), tool.Expectation{}}}, false},
		{"seen elsewhere", []call{clicked, {sees, on(other), tool.Expectation{}}}, true},
		{"acted on elsewhere", []call{clicked, {acts, did(driver.Changes{Tree: 1}, other), tool.Expectation{}}}, true},
		{"found elsewhere", []call{clicked, {acts, &tool.Evidence{Screen: &screen.Snapshot{URL: other}, Effect: &driver.Effect{URL: shop}},
			tool.Expectation{}}}, true},
		{"after a pause", []call{clicked, {waits, &tool.Evidence{None: "waits"}, tool.Expectation{}}, {sees, on(other), tool.Expectation{}}}, true},
		{"declared on the call before", []call{{acts, did(driver.Changes{Tree: 1}, shop), tool.Expectation{Origin: other}},
			{sees, on(other), tool.Expectation{}}}, false},
		{"declared on the call itself", []call{clicked, {acts, did(driver.Changes{Tree: 1}, other), tool.Expectation{Origin: other}}}, false},
		{"asked for by its address", []call{clicked, {asks, on(other), tool.Expectation{}}, {sees, on(other), tool.Expectation{}}}, false},
		{"opened", []call{clicked, {acts, did(driver.Changes{Navigation: true, URL: true}, other), tool.Expectation{}},
			{sees, on(other), tool.Expectation{}}}, false},
		{"another tab", []call{clicked, {acts, did(driver.Changes{Tabs: true}, shop), tool.Expectation{}}, {sees, on(other), tool.Expectation{}}}, false},
		{"a trail in the trail", []call{clicked, {runs, &tool.Evidence{None: "played"}, tool.Expectation{}}, {sees, on(other), tool.Expectation{}}}, false},
		{"nothing known", []call{{sees, on(other), tool.Expectation{}}}, false},
		{"a page of no origin", []call{clicked, {sees, on("about:blank"), tool.Expectation{}}}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var page pageState
			for i, c := range test.calls {
				err := page.leftOrigin(c.spec, c.ev, c.want)
				if last := i == len(test.calls)-1; (err != nil) != (last && test.fails) {
					t.Fatalf("call %d: %v", i, err)
				}
				if err != nil && (fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "another origin")) {
					t.Errorf("err = %v", err)
				}
				page.note(t.Context(), nil, c.spec, c.ev, c.want)
			}
		})
	}
}
