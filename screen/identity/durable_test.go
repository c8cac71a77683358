package identity

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestSelectorRestsOnNothingThatChanges: the value of a field, what a cell holds, dates and long texts tell no
// element from another, although they could on the screen that is recorded.
func TestSelectorRestsOnNothingThatChanges(t *testing.T) {
	shelf := el("combobox", "")
	shelf.Children = []*screen.Node{el("option", "--")}
	status := el("cell", "201")
	row := func(children ...*screen.Node) *screen.Node {
		return el("row", "", anyNodes(children)...)
	}
	cell := func(name string, children ...*screen.Node) *screen.Node {
		return el("cell", name, anyNodes(children)...)
	}
	answer := cell(`Response body { "id": 7 } Response headers date: Sat, 21 Nov 2026 09:27:53 GMT`, el("heading", "Response body"))
	page := tree(
		el("table", "", row(cell("title"), cell("", el("textbox", "title"))), row(cell("shelf"), cell("--", shelf))),
		el("combobox", ""),
		el("table", "", row(status, answer), row(cell("201"), cell("the book as stored"))),
		el("heading", "books Collapse operation", el("link", "books"), el("button", "Collapse operation")),
		el("heading", "loans Collapse operation", el("link", "loans"), el("button", "Collapse operation")),
	)
	fold := page.Root.Children[3].Children[1]
	tests := []struct {
		name string
		node *screen.Node
		want string
	}{
		{"the row by its label, not by the field's value", shelf,
			`{"web":{"ariaRole":"combobox"},"childOf":{"web":{"ariaRole":"row"},"containsDescendants":[{"web":{"ariaRole":"cell","ariaNameRegex":"shelf"}}]}}`},
		{"the row by its heading, not by a long text with a date", status,
			`{"web":{"ariaRole":"cell","ariaNameRegex":"201"},"childOf":{"web":{"ariaRole":"row"}` +
				`,"containsDescendants":[{"web":{"ariaRole":"heading","ariaNameRegex":"Response body"}}]}}`},
		{"the heading by the link in it, not by a name that the button is part of", fold,
			`{"web":{"ariaRole":"button","ariaNameRegex":"Collapse operation"},"childOf":{"web":{"ariaRole":"heading"}` +
				`,"containsDescendants":[{"web":{"ariaRole":"link","ariaNameRegex":"books"}}]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sel, err := SelectorFor(page, tt.node.ID)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(sel)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFingerprintOfContent: an element without a name is who its words say; counts and punctuation around an element,
// and what editors put between letters, are no surroundings.
func TestFingerprintOfContent(t *testing.T) {
	items := func(words ...string) *screen.Snapshot {
		var all []*screen.Node
		for _, w := range words {
			n := el("listitem", "")
			n.Text = w
			all = append(all, n)
		}
		return tree(el("list", "", anyNodes(all)...))
	}
	item := func(s *screen.Snapshot, i int) Fingerprint { return Of(s, s.Root.Children[0].Children[i]) }
	plums := item(items("apples", "plums"), 1)
	if got := plums.Compare(item(items("pears", "plums", "nuts"), 1)); !got.Same {
		t.Errorf("the same item in another list is another: %v", got.Differences)
	}
	if got := plums.Compare(item(items("apples", "pears"), 1)); got.Same {
		t.Error("an item with other words is taken for the recorded one")
	}
	page := tree(el("form", "", para("3", box(0, 0, 9, 9)), el("slider", "Days"), para(")", box(0, 20, 9, 9)), para("\ufeffWishes", box(0, 40, 9, 9))))
	if diff := cmp.Diff([]string{`text "Wishes"`}, Of(page, page.Root.Children[0].Children[1]).Near); diff != "" {
		t.Errorf("near (-want +got):\n%s", diff)
	}
}

// TestNearestFindsWords: what was looked for may be some words of a longer text; and a name that the pattern matches
// is no difference.
func TestNearestFindsWords(t *testing.T) {
	page := tree(
		el("heading", "Letter desk"), para("<h2>Dear neighbour</h2> <p>Come and see.</p>", box(0, 0, 9, 9)), el("menuitem", "Underline"),
	)
	tests := []struct {
		name string
		sel  screen.Selector
		want string
	}{
		{
			"words",
			screen.Selector{Web: &screen.WebMatch{AriaNameRegex: "<em>see</em>"}},
			`its name is "<h2>Dear neighbour</h2> <p>Come and see.</p>", looked for "<em>see</em>"`,
		},
		{"pattern", web("menuitemcheckbox", "Underline.*"), "its role is menuitem, not menuitemcheckbox"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Nearest(page, tt.sel, 1)
			if len(got) != 1 || got[0].Against != tt.want {
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}
