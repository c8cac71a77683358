package locator

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestDescribe proves that a failure names what a selector looks for in words, not as JSON.
func TestDescribe(t *testing.T) {
	yes, no, first, text := true, false, 1, "Pay"
	form := &screen.Selector{Web: &screen.WebMatch{AriaDescriptorRegex: `form "Login"`}}
	for want, sel := range map[string]screen.Selector{
		`button "Save" in form "Login", number 2`: {Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Save"}, ChildOf: form, Index: &first},
		`row own text "Ann" number 2`:             {Web: &screen.WebMatch{AriaRole: "row", OwnTextRegex: "Ann", NthIndex: &first}},
		`data test id "pay" below form "Login"`:   {Web: &screen.WebMatch{DataTestID: "pay"}, Below: form},
		`text "Pay" enabled not checked`:          {AndroidMaestro: &screen.AndroidMaestroMatch{TextRegex: &text, Enabled: &yes, Checked: &no}},
		`an element that contains form "Login"`:   {ContainsDescendants: []screen.Selector{*form}},
	} {
		if got := Describe(sel); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
