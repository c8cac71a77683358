package screen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// later is s some time after, changed by edit.
func later(tb testing.TB, s *Snapshot, edit func(now *Snapshot)) *Snapshot {
	tb.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	var now Snapshot
	if err := json.Unmarshal(data, &now); err != nil {
		tb.Fatal(err)
	}
	edit(&now)
	now.Index()
	return &now
}

// named is the node called that.
func namedNode(s *Snapshot, name string) *Node {
	for _, n := range preorder(s.Root) {
		if n.Name == name {
			return n
		}
	}
	return nil
}

func shop() *Snapshot {
	menu := el("menu", "Sort", Hidden, el("menuitem", "By price", Hidden))
	menu.Children[0].Ref = "e50"
	return tree(
		el("main", "", Landmark,
			el("list", "Cart", el("listitem", "", text("Mug", Rect{}), el("button", "Remove Mug")), el("listitem", "", text("Cup", Rect{}), el("button", "Remove Cup")),
				el("listitem", "", text("Jar", Rect{}), el("button", "Remove Jar"))),
			menu, el("textbox", "Coupon", Editable), el("button", "Pay", Disabled), el("link", "Help", Offscreen, box(0, 2000, 10, 10))))
}

func TestDiffSays(t *testing.T) {
	tests := []struct {
		name string
		edit func(s *Snapshot)
		want string
	}{
		{"nothing", func(*Snapshot) {}, "nothing changed\n"},
		{"only boxes", func(s *Snapshot) { namedNode(s, "Pay").Bounds.Y += 40 }, "nothing changed\n"},
		{"address, title and focus", func(s *Snapshot) { s.URL, s.Title, s.Focus = "http://x.test/2", "Two", namedNode(s, "Coupon").ID },
			"address is now \"http://x.test/2\"\ntitle is now \"Two\"\nfocus is on textbox \"Coupon\" e4\n"},
		{"a dialog", func(s *Snapshot) { s.Dialog = &Dialog{Type: "confirm", Message: "Sure?"} }, "confirm dialog opened: \"Sure?\"\n"},
		{"a value and a state", func(s *Snapshot) {
			namedNode(s, "Coupon").Value = "TEN"
			namedNode(s, "Pay").State &^= Disabled
		}, "~ textbox \"Coupon\" e4: value \"\" → \"TEN\"\n~ button \"Pay\" e5: no longer disabled\n"},
		{"a subtree that is new, with the refs in it", func(s *Snapshot) {
			item := el("listitem", "", text("Pot", Rect{}), el("button", "Remove Pot"))
			item.ID, item.Children[0].ID, item.Children[1].ID, item.Children[1].Ref = 100, 101, 102, "e60"
			l := namedNode(s, "Cart")
			l.Children = append(l.Children, item)
		}, "+ - \"Pot\" button \"Remove Pot\" e60\n"},
		{"a subtree that is gone", func(s *Snapshot) { l := namedNode(s, "Cart"); l.Children = slices.Delete(l.Children, 1, 2) },
			"- listitem with paragraph \"Cup\"\n"},
		{"a list in another order", func(s *Snapshot) { l := namedNode(s, "Cart"); l.Children = append(l.Children[1:], l.Children[0]) },
			"> listitem with paragraph \"Mug\" moved behind listitem with paragraph \"Jar\"\n"},
		{"a list in another order, to the beginning", func(s *Snapshot) {
			l := namedNode(s, "Cart")
			l.Children = []*Node{l.Children[2], l.Children[0], l.Children[1]}
		}, "> listitem with paragraph \"Jar\" moved to the beginning\n"},
		{"under another parent", func(s *Snapshot) {
			main := s.Root.Children[0]
			pay := namedNode(s, "Pay")
			main.Children = slices.DeleteFunc(main.Children, func(n *Node) bool { return n == pay })
			namedNode(s, "Cart").Children = append(namedNode(s, "Cart").Children, pay)
		}, "> button \"Pay\" e5 moved behind listitem with paragraph \"Jar\"\n"},
		{"a menu that opens", func(s *Snapshot) {
			namedNode(s, "Sort").Visibility, namedNode(s, "By price").Visibility = Visible, Visible
		},
			"+ menu \"Sort\"\n+  menuitem \"By price\" e50\n"},
		{"what something now covers is counted", func(s *Snapshot) {
			for _, n := range preorder(namedNode(s, "Cart")) {
				n.Visibility = Covered
			}
		}, "(10 elements now covered by something)\n"},
		{"scrolling", func(s *Snapshot) {
			namedNode(s, "Help").Visibility, namedNode(s, "Coupon").Visibility = Visible, Offscreen
		},
			"> link \"Help\" e6\n(1 element scrolled out of view)\n"},
		{"what nobody sees is only counted", func(s *Snapshot) {
			n := el("button", "Secret", Hidden)
			n.ID = 100
			s.Root.Children = append(s.Root.Children, n)
		}, "(1 change that cannot be seen)\n"},
		{"another document", func(s *Snapshot) { *s = *tree(el("heading", "Thanks")); s.Root.ID = 999 }, "the page is another one\nheading \"Thanks\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old := shop()
			c := Diff(old, later(t, old, tt.edit))
			if diff := cmp.Diff(tt.want, c.Text(0)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if got, want := c.Empty(), tt.want == "nothing changed\n"; got != want {
				t.Errorf("Empty() = %v, want %v", got, want)
			}
		})
	}
	if !Diff(shop(), nil).Empty() {
		t.Error("against no capture there is nothing to say")
	}
	if got := Diff(nil, shop()).Text(0); !strings.Contains(got, "button \"Pay\" e5") {
		t.Errorf("the first capture of a session: %s", got)
	}
}

// TestDiffFallsBackToASummary: a change that is larger than the budget says how much is missing and where it is.
func TestDiffFallsBackToASummary(t *testing.T) {
	old := pageOf(500)
	now := later(t, old, func(s *Snapshot) {
		for _, n := range preorder(s.Root) {
			if n.Ref != "" {
				n.Name += " (new)"
			}
		}
	})
	got := Diff(old, now).Text(120)
	if Tokens(got) > 120 || !strings.HasSuffix(got, "lines left out to stay within 120 tokens: take a snapshot for the whole)\n") {
		t.Errorf("%d tokens:\n%s", Tokens(got), got)
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
		var again Snapshot
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		if c := Diff(a, &again); !c.Empty() {
			t.Fatalf("a screen differs from its copy: %s", c.Text(0))
		}
		budget := rapid.IntRange(1, 300).Draw(t, "budget")
		if got := Diff(a, b).Text(budget); Tokens(got) > budget || got == "" {
			t.Fatalf("%d tokens, allowed were %d: %q", Tokens(got), budget, got)
		}
	})
}

func TestIncreasingIsLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}[:rapid.IntRange(0, 8).Draw(t, "n")]).Draw(t, "seq")
		longest := func() int { // the plain way
			best := 0
			for mask := range 1 << len(seq) {
				last, n := -1, 0
				for i, v := range seq {
					if mask>>i&1 == 1 {
						if v < last {
							n = -1
							break
						}
						last, n = v, n+1
					}
				}
				best = max(best, n)
			}
			return best
		}
		in, last, got := increasing(seq), -1, 0
		for i, v := range seq {
			if in[i] {
				if v < last {
					t.Fatalf("%v: %v does not increase", seq, in)
				}
				last, got = v, got+1
			}
		}
		if got != longest() {
			t.Fatalf("%v: %v has %d, possible are %d", seq, in, got, longest())
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	for _, n := range []int{2000, 20000} {
		old := pageOf(n)
		now := later(b, old, func(s *Snapshot) {
			for i, n := range preorder(s.Root) {
				if i%50 == 0 {
					n.Name += "!"
				}
			}
		})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Diff(old, now)
			}
		})
	}
}
