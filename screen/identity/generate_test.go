package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/screen"
	"pgregory.net/rapid"
)

// TestSelectorForChooses: what a selector rests on, by what the page offers.
func TestSelectorForChooses(t *testing.T) {
	id := func(id string) *screen.Web { return &screen.Web{Tag: "button", HTMLID: id} }
	row := func(y float64, name string, parts ...any) *screen.Node {
		return el("listitem", "", append([]any{box(0, y, 400, 40), el("link", name, box(0, y, 100, 20)),
			el("button", "Edit", box(200, y, 50, 20), &screen.Web{Tag: "button"})}, parts...)...)
	}
	page := tree(
		el("button", "Save", &screen.Web{Tag: "button", TestID: "save"}),
		el("button", "Help"),
		el("button", "Paid on 2026-11-21", id("last-payment")),
		el("button", "Order #48213 of 09:31", id("radix-17")),
		el("button", "Go", id("go-top")), el("button", "Go", id("ember1432")),
		el("link", "More", &screen.Web{Tag: "a", TestID: "a8f3c2e1"}),
		el("list", "", row(100, "Mug"), row(200, "Cup"), row(300, "Order 48213"), row(400, "Mug")),
		el("form", "Billing", screen.Landmark, el("textbox", "City")), el("form", "Delivery", screen.Landmark, el("textbox", "City")),
	)
	items := page.Root.Children[7].Children
	tests := []struct {
		name string
		node *screen.Node
		want string
	}{
		{"a test id, with role and name beside it", page.Root.Children[0], `{"web":{"ariaRole":"button","ariaNameRegex":"Save","dataTestId":"save"}}`},
		{"role and name", page.Root.Children[1], `{"web":{"ariaRole":"button","ariaNameRegex":"Help"}}`},
		{"a stable id rather than a name with a date", page.Root.Children[2], `{"web":{"ariaRole":"button","cssSelector":"#last-payment"}}`},
		{"a varying name rather than an id that a library counted up", page.Root.Children[3],
			`{"web":{"ariaRole":"button","ariaNameRegex":"Order #48213 of 09:31"}}`},
		{"a stable id tells equals apart", page.Root.Children[4], `{"web":{"ariaRole":"button","ariaNameRegex":"Go","cssSelector":"#go-top"}}`},
		{"a name rather than a test id that is a hash", page.Root.Children[6], `{"web":{"ariaRole":"link","ariaNameRegex":"More"}}`},
		{"the item it is part of", items[1].Children[1], `{"web":{"ariaRole":"button","ariaNameRegex":"Edit"}` +
			`,"childOf":{"web":{"ariaRole":"listitem"},"containsDescendants":[{"web":{"ariaRole":"link","ariaNameRegex":"Cup"}}]}}`},
		{"an item by a varying name rather than by counting", items[2].Children[1],
			`{"web":{"ariaRole":"button","ariaNameRegex":"Edit"},"childOf":{"web":{"ariaRole":"listitem"}` +
				`,"containsDescendants":[{"web":{"ariaRole":"link","ariaNameRegex":"Order 48213"}}]}}`},
		{"counting, when nothing else is left", items[3].Children[1],
			`{"web":{"ariaRole":"button","ariaNameRegex":"Edit","nthIndex":3},"childOf":{"web":{"ariaRole":"list"}}}`},
		{"the place it is in", page.Root.Children[9].Children[0],
			`{"web":{"ariaRole":"textbox","ariaNameRegex":"City"},"childOf":{"web":{"ariaRole":"form","ariaNameRegex":"Delivery"}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // the same screen gives the same selector
				sel, err := SelectorFor(page, tt.node.ID)
				if err != nil {
					t.Fatal(err)
				}
				if got, _ := json.Marshal(sel); string(got) != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

// TestSelectorForMobile: every block has its way to say who a node is.
func TestSelectorForMobile(t *testing.T) {
	tests := []struct {
		name string
		a, b screen.Native
		want string
	}{
		{"Android: an id", &screen.AndroidAccessibility{ResourceID: new("app:id/a"), Text: new("x")}, &screen.AndroidAccessibility{Text: new("x")},
			`{"androidAccessibility":{"resourceIdRegex":"app:id/a"}}`},
		{"Android: what is typed into a field is no name", &screen.AndroidAccessibility{Text: new("milk"), HintText: new("Search"), IsEditable: true},
			&screen.AndroidAccessibility{Text: new("eggs")}, `{"androidAccessibility":{"hintTextRegex":"Search"}}`},
		{"Android: class and state", &screen.AndroidAccessibility{ClassName: new("View"), IsPassword: true},
			&screen.AndroidAccessibility{ClassName: new("View")}, `{"androidAccessibility":{"classNameRegex":"View","isPassword":true}}`},
		{"Android: row and column", &screen.AndroidAccessibility{CollectionItemRowIndex: new(1), CollectionItemColumnIndex: new(0)},
			&screen.AndroidAccessibility{CollectionItemRowIndex: new(0), CollectionItemColumnIndex: new(0)},
			`{"androidAccessibility":{"collectionItemRowIndex":1,"collectionItemColumnIndex":0}}`},
		{"Maestro", &screen.AndroidMaestro{Text: new("Pay")}, &screen.AndroidMaestro{Text: new("Back")}, `{"androidMaestro":{"textRegex":"Pay"}}`},
		{"iOS Maestro", &screen.IOSMaestro{Text: new("Pay"), ClassName: new("Button")}, &screen.IOSMaestro{Text: new("Pay"), ClassName: new("Text")},
			`{"iosMaestro":{"textRegex":"Pay","classNameRegex":"Button"}}`},
		{"axe", &screen.IOSAxe{Label: new("Pay"), Role: new("AXButton")}, &screen.IOSAxe{Label: new("Pay"), Role: new("AXText")},
			`{"iosAxe":{"roleRegex":"AXButton","labelRegex":"Pay"}}`},
		{"white space is exact", &screen.AndroidAccessibility{Text: new("Send  now ")}, &screen.AndroidAccessibility{Text: new("Send now")},
			`{"androidAccessibility":{"textRegex":"Send  now "}}`},
		{"so are line ends", &screen.IOSAxe{Label: new("a\n.b")}, &screen.IOSAxe{}, `{"iosAxe":{"labelRegex":"\\Qa\n.b\\E"}}`},
		{"a class and a place", &screen.AndroidAccessibility{ClassName: new("Cell"), CollectionItemRowIndex: new(2)},
			&screen.AndroidAccessibility{ClassName: new("Cell"), CollectionItemRowIndex: new(3)},
			`{"androidAccessibility":{"classNameRegex":"Cell","collectionItemRowIndex":2}}`},
		{"an id and a description", &screen.AndroidMaestro{ResourceID: new("row"), AccessibilityText: new("Mug")},
			&screen.AndroidMaestro{ResourceID: new("row"), AccessibilityText: new("Cup")}, `{"androidMaestro":{"accessibilityTextRegex":"Mug"}}`},
		{"enabled", &screen.Compose{Role: new("Button"), Text: new("Pay")}, &screen.Compose{Role: new("Button"), Text: new("Pay"), Disabled: true},
			`{"compose":{"textRegex":"Pay","isEnabled":true}}`},
		{"the case, where only it tells", &screen.IOSMaestro{Text: new("Pay")}, &screen.IOSMaestro{Text: new("PAY")}, `{"iosMaestro":{"textRegex":"(?-i)Pay"}}`},
		{"an empty text", &screen.AndroidAccessibility{ClassName: new("View"), Text: new("")}, &screen.AndroidAccessibility{ClassName: new("View")},
			`{"androidAccessibility":{"classNameRegex":"View","textRegex":""}}`},
		{"Compose", &screen.Compose{TestTag: new("pay")}, &screen.Compose{}, `{"compose":{"testTag":"pay"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := tree(&screen.Node{Role: "view", Native: tt.a}, &screen.Node{Role: "view", Native: tt.b})
			sel, err := SelectorFor(s, s.Root.Children[0].ID)
			if got, _ := json.Marshal(sel); err != nil || string(got) != tt.want {
				t.Errorf("got %s (%v), want %s", got, err, tt.want)
			}
		})
	}
}

// TestWhatNobodySeesNeedsNoTellingApart: a list that is closed holds the same options as the one that is open.
func TestWhatNobodySeesNeedsNoTellingApart(t *testing.T) {
	option := func(at screen.Visibility, id string) *screen.Node {
		n := el("option", "Large", &screen.Web{Tag: "li", HTMLID: id})
		n.Visibility = at
		return n
	}
	for _, c := range []struct {
		name   string
		other  screen.Visibility
		unsure bool
	}{{"a hidden twin", screen.Hidden, false}, {"a twin cut off", screen.Clipped, false}, {"a twin that is seen", screen.Visible, true}} {
		t.Run(c.name, func(t *testing.T) {
			page := tree(el("list", "", option(c.other, "")), el("list", "", option(screen.Visible, "size-usmd-1")))
			sel, err := SelectorFor(page, page.Root.Children[1].Children[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := byMarkup(&sel) || sel.Counts(); got != c.unsure {
				t.Errorf("%+v rests on an id or a number: %v, want %v", sel, got, c.unsure)
			}
		})
	}
}

// TestStructuralSelectorHoldsNoWords: it finds exactly its element, too, and a translation of the page would not
// break it.
func TestStructuralSelectorHoldsNoWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyTree(t)
		for i, n := range screen.Preorder(s.Root) {
			n.Bounds = box(float64(i%3), float64(i), 5, 1)
		}
		for _, n := range screen.Preorder(s.Root) {
			sel, err := StructuralSelectorFor(s, n.ID)
			if err != nil {
				t.Fatal(err)
			}
			found, err := s.Find(sel)
			found = slices.DeleteFunc(found, func(o *screen.Node) bool { return outseen(o, n) }) // a replay takes what is seen
			if err != nil || len(found) != 1 || found[0] != n {
				t.Fatalf("finds %v (%v)", found, err)
			}
			if data, _ := json.Marshal(sel); strings.Contains(string(data), "NameRegex") {
				t.Fatalf("rests on a name: %s", data)
			}
		}
	})
}

func BenchmarkSelectorFor(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		s := pageOf(n)
		var targets []*screen.Node
		for _, n := range screen.Preorder(s.Root) {
			if n.Ref != "" {
				targets = append(targets, n)
			}
		}
		for _, at := range []struct {
			name string
			node *screen.Node
		}{{"first", targets[0]}, {"middle", targets[len(targets)/2]}, {"repeated", targets[len(targets)/2+8]}} {
			b.Run(fmt.Sprintf("%d/%s", n, at.name), func(b *testing.B) {
				for b.Loop() {
					if _, err := SelectorFor(s, at.node.ID); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSelectorForAny tells the slowest of many targets all over a page, each as fast as it was in three tries.
func BenchmarkSelectorForAny(b *testing.B) {
	s := pageOf(20000)
	all := screen.Preorder(s.Root)
	for b.Loop() {
		var took []time.Duration
		for i := 7; i < len(all); i += len(all) / 300 {
			best := time.Hour
			for range 3 {
				start := time.Now()
				if _, err := SelectorFor(s, all[i].ID); err != nil {
					b.Fatal(err)
				}
				best = min(best, time.Since(start))
			}
			took = append(took, best)
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-µs")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		s := pageOf(n)
		for _, sel := range []struct {
			name string
			sel  screen.Selector
		}{
			{"role and name", web("button", "Reply 8")}, {"pattern", web("button", `Reply \d+`)}, {"look-ahead", web("button", `(?=Reply)Reply.*`)},
			{"relations", screen.Selector{Web: &screen.WebMatch{AriaRole: "row"}, ContainsDescendants: []screen.Selector{web("link", "#2003")},
				ChildOf: new(web("table", "Orders 2"))}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, sel.name), func(b *testing.B) {
				for b.Loop() {
					if found, err := s.Find(sel.sel); err != nil || len(found) == 0 {
						b.Fatal(found, err)
					}
				}
			})
		}
	}
}
