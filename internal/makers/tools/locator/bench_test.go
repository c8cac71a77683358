package locator_test

import (
	"fmt"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/locator"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// rows is a page with a table of n rows, each with a button of the same name.
func rows(n int) *screen.Snapshot {
	table := &screen.Node{Role: "table", Name: "Orders"}
	for i := range n {
		table.Children = append(table.Children, &screen.Node{Role: "row", Children: []*screen.Node{
			{Role: "cell", Text: fmt.Sprintf("Order %d", i), Bounds: screen.Rect{X: 10, Y: float64(20 * i), W: 80, H: 20}},
			{Role: "button", Name: "Open", Text: "Open", Ref: fmt.Sprintf("e%d", i+1), Bounds: screen.Rect{X: 100, Y: float64(20 * i), W: 80, H: 20}},
		}})
	}
	return tooltest.Page(table)
}

func BenchmarkResolve(b *testing.B) {
	page := rows(1000)
	at := 700
	recorded := identity.Of(page, page.ByRef("e701"))
	for _, q := range []struct {
		name  string
		query locator.Query
	}{
		{"ref", locator.Query{Target: locator.Target{Ref: "e701"}}},
		{"text", locator.Query{Text: "Order 700"}},
		{"selector", locator.Query{Target: locator.Target{NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button",
			AriaNameRegex: "Open", NthIndex: &at}}}}},
		{"fingerprint of one", locator.Query{Target: locator.Target{
			NodeSelector: &screen.Selector{Web: &screen.WebMatch{AriaRole: "button", AriaNameRegex: "Open", NthIndex: &at}}, Fingerprint: &recorded,
		}}},
	} {
		b.Run(q.name, func(b *testing.B) {
			dev := tooltest.NewDevice(page)
			for b.Loop() {
				if _, err := locator.Resolve(b.Context(), dev, q.query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
