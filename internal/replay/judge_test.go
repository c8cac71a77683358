package replay

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestJudge holds the rules of honest green (architecture rule 6): what an action, an assertion and a navigation must
// leave behind before a step may pass.
func TestJudge(t *testing.T) {
	effect := func(c driver.Changes) *tool.Evidence { return &tool.Evidence{Effect: &driver.Effect{Changes: c}} }
	landed := func(status int, url string) *tool.Evidence {
		return &tool.Evidence{Effect: &driver.Effect{Changes: driver.Changes{Navigation: true, URL: true}, Status: status, URL: url}}
	}
	tests := []struct {
		name   string
		kind   tool.Kind
		ev     *tool.Evidence
		want   expectations
		kindOf fault.Kind // "" passes
		says   string
	}{
		{"an action without evidence", tool.Action, nil, expectations{}, fault.NotActed, "no evidence"},
		{"an action with empty evidence", tool.Action, &tool.Evidence{}, expectations{}, fault.NotActed, "no evidence"},
		{"an action that declares it has no effect", tool.Action, &tool.Evidence{None: "waits 1 s"}, expectations{}, "", ""},
		{"an action that changed the tree", tool.Action, effect(driver.Changes{Tree: 1}), expectations{}, "", ""},
		{"an action whose asked state was read back", tool.Action, effect(driver.Changes{Verified: true}), expectations{}, "", ""},
		{"an action that was only received", tool.Action, effect(driver.Changes{Received: true}), expectations{}, fault.NotActed, "nothing changed"},
		{"an action that was only received, as declared", tool.Action, effect(driver.Changes{Received: true}), expectations{Effect: "none"}, "", ""},
		{"a navigation that worked", tool.Action, landed(200, "https://a.test/x"), expectations{URL: "https://a.test/"}, "", ""},
		{"a navigation into an HTTP error", tool.Action, landed(404, "https://a.test/x"), expectations{}, fault.Assertion, "HTTP status 404"},
		{"a navigation into an HTTP error, as declared", tool.Action, landed(404, "https://a.test/x"), expectations{ExpectStatus: 404}, "", ""},
		{"a navigation with another status than declared", tool.Action, landed(200, "https://a.test/x"), expectations{ExpectStatus: 404}, fault.Assertion, "expected 404"},
		{"a navigation that ends elsewhere", tool.Action, landed(200, "https://login.test/"), expectations{URL: "https://a.test/"}, fault.Assertion, "another origin"},
		{"a click that leads elsewhere", tool.Action, landed(200, "https://ads.test/"), expectations{from: "https://a.test/p"}, fault.Assertion, "another origin"},
		{"a click that leads elsewhere, as declared", tool.Action, landed(200, "https://pay.test/"), expectations{from: "https://a.test/", ExpectOrigin: "https://pay.test"}, "", ""},
		{"a click that leads to a third place", tool.Action, landed(200, "https://ads.test/"), expectations{from: "https://a.test/", ExpectOrigin: "https://pay.test"}, fault.Assertion, "expected origin"},
		{"the first navigation has nothing to compare with", tool.Action, landed(200, "https://a.test/"), expectations{from: "about:blank"}, "", ""},
		{"an assertion that says nothing", tool.Assertion, &tool.Evidence{}, expectations{}, fault.Degraded, "what it looked at"},
		{"an assertion that says what it saw", tool.Assertion, &tool.Evidence{Checked: `text "Paid" is visible`}, expectations{}, "", ""},
		{"a query needs no evidence", tool.Query, nil, expectations{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := judge(&tool.Spec{Name: "demo_tool", Kind: tt.kind}, tt.ev, tt.want)
			if got := fault.KindOf(err); got != tt.kindOf {
				t.Fatalf("judge = %v (kind %q), want kind %q", err, got, tt.kindOf)
			}
			if err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("judge says %q, want it to say %q", err, tt.says)
			}
		})
	}
}
