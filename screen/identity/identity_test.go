package identity

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/screen"
	"pgregory.net/rapid"
)

// deleteOf is the fingerprint of the Delete button in the item that says text.
func deleteOf(t *testing.T, s *screen.Snapshot, item string) Fingerprint {
	t.Helper()
	for _, n := range screen.Preorder(s.Root) {
		if n.Role == "listitem" && n.Children[0].Text == item {
			return Of(s, n.Children[1])
		}
	}
	t.Fatalf("no item %s", item)
	return Fingerprint{}
}

// TestFingerprint: the same element in changed surroundings is the same; the same words in other surroundings are not.
func TestFingerprint(t *testing.T) {
	recorded := deleteOf(t, list("Mug", "Cup", "Jar"), "Cup")
	tests := []struct {
		name string
		now  Fingerprint
		want bool
	}{
		{"nothing changed", deleteOf(t, list("Mug", "Cup", "Jar"), "Cup"), true},
		{"the list was sorted another way", deleteOf(t, list("Jar", "Cup", "Mug"), "Cup"), true},
		{"an item was added before it", deleteOf(t, list("Pot", "Mug", "Cup", "Jar"), "Cup"), true},
		{"the button of the next row", deleteOf(t, list("Mug", "Cup", "Jar"), "Jar"), false},
		{"another role", Fingerprint{Role: "link", Name: "Delete", Within: recorded.Within, Near: recorded.Near}, false},
		{"another name", Fingerprint{Role: "button", Name: "Delete all", Within: recorded.Within, Near: recorded.Near}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := recorded.Compare(tt.now)
			if got.Same != tt.want {
				t.Errorf("Same = %v, want %v; %v\nrecorded %+v\nnow %+v", got.Same, tt.want, got.Differences, recorded, tt.now)
			}
			if !got.Same && len(got.Differences) == 0 {
				t.Error("says they differ, but not how")
			}
		})
	}
}

// TestFingerprintTwins: of elements called the same, only the one in the recorded place is the recorded one.
func TestFingerprintTwins(t *testing.T) {
	shelves := func(cart string, items ...string) *screen.Snapshot {
		rows := func(items ...string) []any {
			var out []any
			for _, i := range items {
				out = append(out, el("listitem", "", para(i, screen.Rect{}), el("button", "Delete")))
			}
			return out
		}
		return tree(el("form", "Billing", screen.Landmark, el("button", "Edit")), el("form", "Delivery", screen.Landmark, el("button", "Edit")),
			el("list", cart, rows(items...)...), el("list", "Wishes", rows("Mug", "Pot")...))
	}
	s := shelves("Cart (2)", "Mug", "Cup")
	in := func(s *screen.Snapshot, list, item int) Fingerprint {
		return Of(s, s.Root.Children[list].Children[item].Children[1])
	}
	edit := func(form int) Fingerprint { return Of(s, s.Root.Children[form].Children[0]) }
	tests := []struct {
		name      string
		then, now Fingerprint
		want      bool
	}{
		{"the same form", edit(1), edit(1), true},
		{"another form with nothing else in it", edit(0), edit(1), false},
		{"the same item in the same list", in(s, 2, 0), in(s, 2, 0), true},
		{"a counter in the list's name", in(s, 2, 0), in(shelves("Cart (3)", "Jar", "Mug", "Cup"), 2, 1), true},
		{"the same item in another list", in(s, 2, 0), in(s, 3, 0), false},
		{"another item of the same list", in(s, 2, 0), in(s, 2, 1), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.then.Compare(tt.now)
			if got.Same != tt.want || !got.Same && len(got.Differences) == 0 {
				t.Errorf("Same = %v, want %v; %v\nthen %+v\nnow  %+v", got.Same, tt.want, got.Differences, tt.then, tt.now)
			}
		})
	}
}

// TestFingerprintNames: how far a name may differ.
func TestFingerprintNames(t *testing.T) {
	f := func(name, id string) Fingerprint { return Fingerprint{Role: "button", Name: name, TestID: id} }
	tests := []struct {
		name      string
		then, now Fingerprint
		want      bool
	}{
		{"white space does not count", f("Save  all", ""), f("Save all", ""), true},
		{"a counter in the name, told by its test id", f("Cart (2 items)", "cart"), f("Cart (13 items)", "cart"), true},
		{"a date in the name, told by its test id", f("Due 2026-11-21", "due"), f("Due 2026-12-01", "due"), true},
		{"a number alone may be who it is", f("Order 1001", ""), f("Order 1002", ""), false},
		{"another word, in spite of the test id", f("Delete", "row-action"), f("Edit", "row-action"), false},
		{"another test id", f("Save", "a"), f("Save", "b"), false},
		{"a test id that a library counted up tells nothing", f("Order 1001", "radix-7"), f("Order 1002", "radix-7"), false},
		{"a generic recorded without its text", Fingerprint{Role: "generic"}, Fingerprint{Role: "generic", Name: "Gift wrap"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.then.Compare(tt.now); got.Same != tt.want {
				t.Errorf("Same = %v, want %v; %v", got.Same, tt.want, got.Differences)
			}
		})
	}
}

// TestSelectorForFindsExactly: whatever the page, a made selector finds its element and no other.
func TestSelectorForFindsExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"Save", "Delete", "Item 1", "Item 2", "$5 (new)", "", "a\\Eb", "Ünï"})
		roles := rapid.SampledFrom([]string{"button", "link", "textbox", "listitem", "group", "heading"})
		var build func(depth int) *screen.Node
		at := 0.0
		build = func(depth int) *screen.Node {
			at += 10
			n := el(roles.Draw(t, "role"), words.Draw(t, "name"), box(float64(rapid.IntRange(0, 5).Draw(t, "x"))*50, at, 40, 8))
			if depth > 0 {
				for range rapid.IntRange(0, 3).Draw(t, "children") {
					n.Children = append(n.Children, build(depth-1))
				}
			}
			return n
		}
		s := tree(build(3), build(2), build(1))
		for _, n := range screen.Preorder(s.Root)[1:] {
			sel, err := SelectorFor(s, n.ID)
			if err != nil {
				t.Fatalf("%s: %v", n.Descriptor(), err)
			}
			data, err := json.Marshal(sel)
			if err != nil {
				t.Fatal(err)
			}
			back, warnings, err := screen.ParseSelector(data)
			if err != nil || len(warnings) > 0 {
				t.Fatalf("%s does not read back: %v %v", data, err, warnings)
			}
			if found, err := s.Find(back); err != nil || len(found) != 1 || found[0] != n {
				t.Fatalf("%s finds %v (%v), want %s", data, found, err, n.Descriptor())
			}
		}
	})
}

func TestSelectorForPrefers(t *testing.T) {
	page := tree(
		el("button", "Save", &screen.Web{Tag: "button", TestID: "save", CSS: "#save"}), el("button", "Help"),
		el("form", "Billing", screen.Landmark, el("button", "Edit")), el("form", "Delivery", screen.Landmark, el("button", "Edit")),
	)
	tests := []struct{ name, want string }{
		{"a test id, with role and name beside it", `{"web":{"ariaRole":"button","ariaNameRegex":"Save","dataTestId":"save"}}`},
		{"role and name", `{"web":{"ariaRole":"button","ariaNameRegex":"Help"}}`},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sel, err := SelectorFor(page, page.Root.Children[i].ID)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := json.Marshal(sel); string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	sel, err := SelectorFor(page, page.Root.Children[3].Children[0].ID)
	if got, _ := json.Marshal(sel); err != nil ||
		string(got) != `{"web":{"ariaRole":"button","ariaNameRegex":"Edit"},"childOf":{"web":{"ariaRole":"form","ariaNameRegex":"Delivery"}}}` {
		t.Errorf("equal names: got %s (%v), want the place they are in", got, err)
	}
}

func TestNearestSaysWhy(t *testing.T) {
	page := tree(el("button", "Save draft"), el("link", "Save"), el("button", "Save", screen.Covered), el("heading", "Unrelated matters of state"))
	got := map[string]string{}
	for _, c := range Nearest(page, web("button", "Save"), 3) {
		got[c.Node.Descriptor()] = c.Against
	}
	want := map[string]string{
		`button "Save"`:       "it is covered by something else",
		`link "Save"`:         "its role is link, not button",
		`button "Save draft"`: `its name is "Save draft", looked for "Save"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

func TestNearestByID(t *testing.T) {
	page := tree(el("button", "Save", &screen.Web{TestID: "save-draft"}), el("button", "Help", &screen.Web{TestID: "unrelated-thing-elsewhere"}),
		el("button", "Send", &screen.Web{HTMLID: "send"}))
	for _, tt := range []struct {
		name string
		sel  screen.Selector
		want string
	}{
		{"test id", screen.Selector{Web: &screen.WebMatch{DataTestID: "save-drafts"}}, `its id is "save-draft", looked for "save-drafts"`},
		{"css id", screen.Selector{Web: &screen.WebMatch{CSSSelector: "#sent"}}, `its id is "send", looked for "sent"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Nearest(page, tt.sel, 1); len(got) != 1 || got[0].Against != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
	if got := Nearest(page, screen.Selector{}, 3); len(got) != 0 {
		t.Errorf("nothing is near to nothing: %+v", got)
	}
}

// TestNeighbourThatWent: what stands beside an element that is unique by itself may go; the item it is part of may not.
func TestNeighbourThatWent(t *testing.T) {
	f := func(role, name, item string, near ...string) Fingerprint {
		return Fingerprint{Role: role, Name: name, Item: item, Near: near}
	}
	tests := []struct {
		name      string
		then, now Fingerprint
		want      bool
	}{
		{"an item beside another item", f("treeitem", "Holiday", "", `treeitem "Work"`), f("treeitem", "Holiday", "", `treeitem "Family"`), true},
		{"a button beside another text", f("button", "Go", "", `text "before"`), f("button", "Go", "", `text "after"`), true},
		{"a button below another title", f("button", "Remove", "", `heading "Laptop"`), f("button", "Remove", "", `heading "Mouse"`), false},
		{"the button of the only row left", f("button", "Delete", "listitem", `text "Mug"`, `button "Edit"`),
			f("button", "Delete", "listitem", `text "Cup"`, `button "Edit"`), false},
		{"the title of its row counts", f("button", "Delete", "row", `cell "Order 7"`), f("button", "Delete", "row", `cell "Order 8"`), true},
		{"an early recording, now in a row that says something else", f("button", "Delete", "", `text "Mug"`),
			f("button", "Delete", "listitem", `text "Cup"`), false},
		{"measuring text", f("textbox", "", "", `text "xxxxxxxxxx"`), f("textbox", "", ""), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.then.Compare(tt.now); got.Same != tt.want || !got.Same && len(got.Differences) == 0 {
				t.Errorf("Same = %v, want %v; %v", got.Same, tt.want, got.Differences)
			}
		})
	}
}
