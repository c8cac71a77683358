package evidence

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// TestVerdict holds the rules of honest green: what an action, an assertion and a navigation must
// leave behind before a step may pass.
func TestVerdict(t *testing.T) {
	effect := func(c driver.Changes) *tool.Evidence { return &tool.Evidence{Effect: &driver.Effect{Changes: c}} }
	landed := func(status int, url string) *tool.Evidence {
		return &tool.Evidence{Effect: &driver.Effect{Changes: driver.Changes{Navigation: true, URL: true}, Status: status, URL: url}}
	}
	tests := []struct {
		name   string
		kind   tool.Kind
		ev     *tool.Evidence
		want   tool.Expectation
		from   string
		kindOf fault.Kind // "" passes
		says   string
	}{
		{"an action without evidence", tool.Action, nil, tool.Expectation{}, "", fault.Degraded, "no evidence"},
		{"an action with empty evidence", tool.Action, &tool.Evidence{}, tool.Expectation{}, "", fault.Degraded, "no evidence"},
		{"an action that declares it has no effect", tool.Action, &tool.Evidence{None: "waits 1 s"}, tool.Expectation{}, "", "", ""},
		{"an action that changed the tree", tool.Action, effect(driver.Changes{Tree: 1}), tool.Expectation{}, "", "", ""},
		{"an action whose asked state was read back", tool.Action, effect(driver.Changes{Verified: true}), tool.Expectation{}, "", "", ""},
		{"an action that was only received", tool.Action, effect(driver.Changes{Received: true}), tool.Expectation{}, "", fault.NotActed, "nothing changed"},
		{"an action that was only received, as declared", tool.Action, effect(driver.Changes{Received: true}), tool.Expectation{Effect: "none"}, "", "", ""},
		{"a navigation that worked", tool.Action, landed(200, "https://a.test/x"), tool.Expectation{URL: "https://a.test/"}, "", "", ""},
		{"a navigation into an HTTP error", tool.Action, landed(404, "https://a.test/x"), tool.Expectation{}, "", fault.Assertion, "HTTP status 404"},
		{"a navigation into an HTTP error, as declared", tool.Action, landed(404, "https://a.test/x"), tool.Expectation{Status: 404}, "", "", ""},
		{"a navigation with another status than declared", tool.Action, landed(200, "https://a.test/x"), tool.Expectation{Status: 404}, "",
			fault.Assertion, "expected 404"},
		{"a navigation that ends elsewhere", tool.Action, landed(200, "https://login.test/"), tool.Expectation{URL: "https://a.test/"}, "",
			fault.Assertion, "another origin"},
		{"a click that leads elsewhere", tool.Action, landed(200, "https://ads.test/"), tool.Expectation{}, "https://a.test/p", fault.Assertion, "another origin"},
		{"a click that leads elsewhere, as declared", tool.Action, landed(200, "https://pay.test/"), tool.Expectation{Origin: "https://pay.test"},
			"https://a.test/", "", ""},
		{"a click that leads to a third place", tool.Action, landed(200, "https://ads.test/"), tool.Expectation{Origin: "https://pay.test"},
			"https://a.test/", fault.Assertion, "expected origin"},
		{"the first navigation has nothing to compare with", tool.Action, landed(200, "https://a.test/"), tool.Expectation{}, "about:blank", "", ""},
		{"an assertion that says nothing", tool.Assertion, &tool.Evidence{}, tool.Expectation{}, "", fault.Degraded, "what it looked at"},
		{"an assertion that says what it saw", tool.Assertion, &tool.Evidence{Checked: `text "Paid" is visible`}, tool.Expectation{}, "", "", ""},
		{"a query needs no evidence", tool.Query, nil, tool.Expectation{}, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := verdict(&tool.Spec{Name: "demo_tool", Kind: tt.kind}, tt.ev, tt.want, tt.from)
			if got := fault.KindOf(err); got != tt.kindOf {
				t.Fatalf("verdict = %v (kind %q), want kind %q", err, got, tt.kindOf)
			}
			if err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("verdict says %q, want it to say %q", err, tt.says)
			}
		})
	}
}
