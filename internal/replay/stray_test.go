package replay

import (
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestStrayed proves that a page which goes to another origin between two calls is caught by the second, whatever that
// does, unless the trail says that it should.
func TestStrayed(t *testing.T) {
	const shop, other = "https://shop.test/a", "https://other.test/b"
	acts := &tool.Spec{Name: "web_click", Kind: tool.Action, Input: &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"expectOrigin": {}}}}
	sees := &tool.Spec{Name: "web_verifyTextVisible", Kind: tool.Assertion}
	waits := &tool.Spec{Name: "web_wait", Kind: tool.Action}
	runs := &tool.Spec{Name: "runTrail", Kind: tool.Action}
	asks := &tool.Spec{Name: "web_waitForUrl", Kind: tool.Assertion}
	on := func(url string) *tool.Evidence { return &tool.Evidence{Screen: &screen.Snapshot{URL: url}} }
	did := func(c driver.Changes, url string) *tool.Evidence {
		return &tool.Evidence{Effect: &driver.Effect{Changes: c, URL: url}}
	}
	type call struct {
		spec *tool.Spec
		ev   *tool.Evidence
		want expectations
	}
	clicked := call{acts, did(driver.Changes{Tree: 1}, shop), expectations{}}
	tests := []struct {
		name  string
		calls []call
		fails bool
	}{
		{"stays", []call{clicked, {sees, on(shop), expectations{}}}, false},
		{"another page of the origin", []call{clicked, {sees, on(shop + "/c"), expectations{}}}, false},
		{"seen elsewhere", []call{clicked, {sees, on(other), expectations{}}}, true},
		{"acted on elsewhere", []call{clicked, {acts, did(driver.Changes{Tree: 1}, other), expectations{}}}, true},
		{"found elsewhere", []call{clicked, {acts, &tool.Evidence{Screen: &screen.Snapshot{URL: other}, Effect: &driver.Effect{URL: shop}}, expectations{}}}, true},
		{"after a pause", []call{clicked, {waits, &tool.Evidence{None: "waits"}, expectations{}}, {sees, on(other), expectations{}}}, true},
		{"declared on the call before", []call{{acts, did(driver.Changes{Tree: 1}, shop), expectations{ExpectOrigin: other}}, {sees, on(other), expectations{}}}, false},
		{"declared on the call itself", []call{clicked, {acts, did(driver.Changes{Tree: 1}, other), expectations{ExpectOrigin: other}}}, false},
		{"asked for by its address", []call{clicked, {asks, on(other), expectations{}}, {sees, on(other), expectations{}}}, false},
		{"opened", []call{clicked, {acts, did(driver.Changes{Navigation: true, URL: true}, other), expectations{}}, {sees, on(other), expectations{}}}, false},
		{"another tab", []call{clicked, {acts, did(driver.Changes{Tabs: true}, shop), expectations{}}, {sees, on(other), expectations{}}}, false},
		{"a trail in the trail", []call{clicked, {runs, &tool.Evidence{None: "played"}, expectations{}}, {sees, on(other), expectations{}}}, false},
		{"nothing known", []call{{sees, on(other), expectations{}}}, false},
		{"a page of no origin", []call{clicked, {sees, on("about:blank"), expectations{}}}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var w whereabouts
			for i, c := range test.calls {
				err := w.strayed(c.spec, c.ev, c.want)
				if last := i == len(test.calls)-1; (err != nil) != (last && test.fails) {
					t.Fatalf("call %d: %v", i, err)
				}
				if err != nil && (fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "another origin")) {
					t.Errorf("err = %v", err)
				}
				w.note(t.Context(), nil, c.spec, c.ev, c.want)
			}
		})
	}
}
