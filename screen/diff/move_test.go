package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// anew gives the elements of a subtree other ids and refs, as when a page writes them again.
func anew(n *screen.Node) {
	for _, c := range screen.Preorder(n) {
		if c.ID += 1000; c.Ref != "" {
			c.Ref += "00"
		}
	}
}

// place puts an element and what is in it at another height.
func place(n *screen.Node, y float64) {
	for _, c := range screen.Preorder(n)[1:] {
		c.Bounds.Y += y - n.Bounds.Y
	}
	n.Bounds.Y = y
}

// TestReorderIsAMove: an element in another place among its siblings has moved, whether the page moved it, wrote the
// list again, or moved it by style.
func TestReorderIsAMove(t *testing.T) {
	orders := func(s *screen.Snapshot) *screen.Node { return namedNode(s, "Orders") }
	for _, tt := range []struct {
		name string
		edit func(s *screen.Snapshot)
		want string
	}{
		{"written again in another order", func(s *screen.Snapshot) {
			l := orders(s)
			l.Children = append(l.Children[1:], l.Children[0])
			for i, item := range l.Children {
				place(item, float64(100*i))
				anew(item)
			}
		}, "> listitem with paragraph \"Mug\" moved behind listitem with paragraph \"Jar\"\n~ - \"Cup\" button \"Delete\" e200\n~ - " +
			"\"Jar\" button \"Delete\" e300\n"},
		{"written again as it was, without anything to act on", func(s *screen.Snapshot) { anew(orders(s).Children[1].Children[0]) }, "nothing changed\n"},
		{"written again with one item that is new", func(s *screen.Snapshot) {
			l := orders(s)
			for _, item := range l.Children {
				anew(item)
			}
			l.Children[1].Children[0].Text = "Pot"
		}, "+ - \"Pot\" button \"Delete\" e200\n~ - \"Mug\" button \"Delete\" e100\n~ - \"Jar\" button \"Delete\" e300\n- listitem with paragraph \"Cup\"\n"},
		{"moved by style alone", func(s *screen.Snapshot) {
			l := orders(s)
			for i, y := range []float64{200, 0, 100} {
				place(l.Children[i], y)
			}
		}, "> listitem with paragraph \"Mug\" moved behind listitem with paragraph \"Jar\"\n"},
		{"columns that changed places by style", func(s *screen.Snapshot) {
			item := orders(s).Children[0]
			item.Children[0].Bounds.X, item.Children[1].Bounds.X = 300, 0
		}, "> button \"Delete\" e1 moved to the beginning\n"},
		{"all of them further down", func(s *screen.Snapshot) {
			for i, item := range orders(s).Children {
				place(item, float64(300+120*i))
			}
		}, "nothing changed\n"},
		{"a row that wraps", func(s *screen.Snapshot) { orders(s).Children[0].Children[1].Bounds = box(0, 40, 60, 20) }, "nothing changed\n"},
		{"a row of a virtual list that shows another item", func(s *screen.Snapshot) {
			item := orders(s).Children[0]
			place(item, 300)
			item.Children[0].Text = "Pot"
		}, "~ paragraph \"Pot\": text \"Mug\" → \"Pot\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := list("Mug", "Cup", "Jar")
			if diff := cmp.Diff(tt.want, text.Changes(diff.Between(before, later(t, before, tt.edit)), 0)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// TestProseThatScrolledIn: of prose that merely came into view a reply tells the beginning, of controls everything.
func TestProseThatScrolledIn(t *testing.T) {
	var parts []any
	for i := range 20 {
		p := para(fmt.Sprintf("Paragraph %d %s", i, strings.Repeat("and so on ", 30)), box(0, 900, 100, 10))
		p.Visibility = screen.Offscreen
		parts = append(parts, p, el("link", fmt.Sprintf("More %d", i), screen.Offscreen, box(0, 900, 100, 10)))
	}
	before := tree(el("main", "", parts...))
	now := later(t, before, func(s *screen.Snapshot) {
		for _, n := range screen.Preorder(s.Root)[2:] {
			n.Visibility = screen.Visible
		}
	})
	got := text.Changes(diff.Between(before, now), 0)
	if n := strings.Count(got, "Paragraph"); n != 3 || !strings.Contains(got, "(17 more texts scrolled into view: take a snapshot to read on)") {
		t.Errorf("%d paragraphs:\n%s", n, got)
	}
	if strings.Count(got, "> link") != 20 || len(got) > 1200 {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

// TestNothingIsSaidOfNothing: a line says something, and a role is one that means something.
func TestNothingIsSaidOfNothing(t *testing.T) {
	s := tree(
		para("\u00a0", box(0, 0, 10, 10)),
		&screen.Node{Role: "text", Name: "\u00a0\u00a0"},
		el("generic", "\u00a0"),
		&screen.Node{
			Role:   "none",
			Ref:    "e7",
			Bounds: box(0, 0, 10, 10),
			Native: &screen.Web{Tag: "div"},
		},
		el("listitem", "", para("Mug", screen.Rect{}), para("\u00a0", screen.Rect{})),
	)
	for _, detail := range []string{"", text.DetailAll} {
		got := text.Of(s, text.Options{Detail: []string{detail}})
		if strings.Contains(got, `""`) || strings.Contains(got, "none") || !strings.Contains(got, "generic e7") || !strings.Contains(got, "Mug") {
			t.Errorf("detail %q:\n%s", detail, got)
		}
	}
}
