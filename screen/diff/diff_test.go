package diff_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
	"pgregory.net/rapid"
)

func shop() *screen.Snapshot {
	menu := el("menu", "Sort", screen.Hidden, el("menuitem", "By price", screen.Hidden))
	menu.Children[0].Ref = "e50"
	return tree(
		el(
			"main",
			"",
			screen.Landmark,
			el(
				"list",
				"Cart",
				el("listitem", "", para("Mug", screen.Rect{}), el("button", "Remove Mug")),
				el("listitem", "", para("Cup", screen.Rect{}), el("button", "Remove Cup")),
				el("listitem", "", para("Jar", screen.Rect{}), el("button", "Remove Jar")),
			),
			menu,
			el("textbox", "Coupon", screen.Editable),
			el("button", "Pay", screen.Disabled),
			el("link", "Help", screen.Offscreen, box(0, 2000, 10, 10)),
		))
}

func TestDiffSays(t *testing.T) {
	tests := []struct {
		name string
		edit func(s *screen.Snapshot)
		want string
	}{
		{"nothing", func(*screen.Snapshot) {}, "nothing changed\n"},
		{"only boxes", func(s *screen.Snapshot) { namedNode(s, "Pay").Bounds.Y += 40 }, "nothing changed\n"},
		{"address, title and focus", func(s *screen.Snapshot) {
			s.URL, s.Title, s.Focus = "http://x.test/2", "Two", namedNode(s, "Coupon").ID
		},
			"address is now \"http://x.test/2\"\ntitle is now \"Two\"\nfocus is on textbox \"Coupon\" e4\n"},
		{"a dialog", func(s *screen.Snapshot) { s.Dialog = &screen.Dialog{Type: "confirm", Message: "Sure?"} }, "confirm dialog opened: \"Sure?\"\n"},
		{"a value and a state", func(s *screen.Snapshot) {
			namedNode(s, "Coupon").Value = "TEN"
			namedNode(s, "Pay").State &^= screen.Disabled
		}, "~ textbox \"Coupon\" e4: value \"\" → \"TEN\"\n~ button \"Pay\" e5: no longer disabled\n"},
		{"a subtree that is new, with the refs in it", func(s *screen.Snapshot) {
			item := el("listitem", "", para("Pot", screen.Rect{}), el("button", "Remove Pot"))
			item.ID, item.Children[0].ID, item.Children[1].ID, item.Children[1].Ref = 100, 101, 102, "e60"
			l := namedNode(s, "Cart")
			l.Children = append(l.Children, item)
		}, "+ - \"Pot\" button \"Remove Pot\" e60\n"},
		{"a subtree that is gone", func(s *screen.Snapshot) { l := namedNode(s, "Cart"); l.Children = slices.Delete(l.Children, 1, 2) },
			"- listitem with paragraph \"Cup\"\n"},
		{"a list in another order", func(s *screen.Snapshot) {
			l := namedNode(s, "Cart")
			l.Children = append(l.Children[1:], l.Children[0])
		},
			"> listitem with paragraph \"Mug\" moved behind listitem with paragraph \"Jar\"\n"},
		{"a list in another order, to the beginning", func(s *screen.Snapshot) {
			l := namedNode(s, "Cart")
			l.Children = []*screen.Node{l.Children[2], l.Children[0], l.Children[1]}
		}, "> listitem with paragraph \"Jar\" moved to the beginning\n"},
		{"under another parent", func(s *screen.Snapshot) {
			main := s.Root.Children[0]
			pay := namedNode(s, "Pay")
			main.Children = slices.DeleteFunc(main.Children, func(n *screen.Node) bool { return n == pay })
			namedNode(s, "Cart").Children = append(namedNode(s, "Cart").Children, pay)
		}, "> button \"Pay\" e5 moved behind listitem with paragraph \"Jar\"\n"},
		{"a menu that opens", func(s *screen.Snapshot) {
			namedNode(s, "Sort").Visibility, namedNode(s, "By price").Visibility = screen.Visible, screen.Visible
		},
			"+ menu \"Sort\"\n+  menuitem \"By price\" e50\n"},
		{"what something now covers is counted", func(s *screen.Snapshot) {
			for _, n := range screen.Preorder(namedNode(s, "Cart")) {
				n.Visibility = screen.Covered
			}
		}, "(10 elements now covered by something)\n"},
		{"scrolling", func(s *screen.Snapshot) {
			namedNode(s, "Help").Visibility, namedNode(s, "Coupon").Visibility = screen.Visible, screen.Offscreen
		},
			"> link \"Help\" e6\n(1 element scrolled out of view)\n"},
		{"what nobody sees is only counted", func(s *screen.Snapshot) {
			n := el("button", "Secret", screen.Hidden)
			n.ID = 100
			s.Root.Children = append(s.Root.Children, n)
		}, "(1 change that cannot be seen)\n"},
		{"another document", func(s *screen.Snapshot) { *s = *tree(el("heading", "Thanks")); s.Root.ID = 999 }, "the page is another one\nheading \"Thanks\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old := shop()
			c := diff.Between(old, later(t, old, tt.edit))
			if diff := cmp.Diff(tt.want, text.Changes(c, 0)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if got, want := c.Empty(), tt.want == "nothing changed\n"; got != want {
				t.Errorf("Empty() = %v, want %v", got, want)
			}
		})
	}
	if !diff.Between(shop(), nil).Empty() {
		t.Error("against no capture there is nothing to say")
	}
	if got := text.Changes(diff.Between(nil, shop()), 0); !strings.Contains(got, "button \"Pay\" e5") {
		t.Errorf("the first capture of a session: %s", got)
	}
}

// TestDiffFallsBackToASummary: a change that is larger than the budget says how much is missing and where it is.
func TestDiffFallsBackToASummary(t *testing.T) {
	old := pageOf(500)
	now := later(t, old, func(s *screen.Snapshot) {
		for _, n := range screen.Preorder(s.Root) {
			if n.Ref != "" {
				n.Name += " (new)"
			}
		}
	})
	got := text.Changes(diff.Between(old, now), 120)
	if text.Tokens(got) > 120 || !strings.HasSuffix(got, "lines left out to stay within 120 tokens: take a snapshot for the whole)\n") {
		t.Errorf("%d tokens:\n%s", text.Tokens(got), got)
	}
}

// TestDiffHolds: a screen is no different from itself, and what is said of two screens stays within its budget.
func TestDiffHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyTree(t), anyTree(t)
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var again screen.Snapshot
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		if c := diff.Between(a, &again); !c.Empty() {
			t.Fatalf("a screen differs from its copy: %s", text.Changes(c, 0))
		}
		budget := rapid.IntRange(1, 300).Draw(t, "budget")
		if got := text.Changes(diff.Between(a, b), budget); text.Tokens(got) > budget || got == "" {
			t.Fatalf("%d tokens, allowed were %d: %q", text.Tokens(got), budget, got)
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		old := pageOf(n)
		now := later(b, old, func(s *screen.Snapshot) {
			for i, n := range screen.Preorder(s.Root) {
				if i%50 == 0 {
					n.Name += "!"
				}
			}
		})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				diff.Between(old, now)
			}
		})
	}
}
