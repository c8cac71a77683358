package screen

import (
	"strings"
	"testing"
)

// What a person cannot see is not read by a model without a word about it, in no view and in no difference (D23):
// that is where a page hides instructions.
func TestUnseenTextIsMarked(t *testing.T) {
	at := box(10, 10, 100, 20)
	for _, why := range []Visibility{Hidden, Transparent, Clipped, Covered, Offscreen} {
		mark := "[" + why.mark() + "]"
		place := at
		if why == Offscreen {
			mark, place = "(below)", box(10, 2000, 100, 20)
		}
		words := func(s string) []*Node {
			return []*Node{
				el("button", "B "+s, why, place),
				{Role: "text", Name: "T " + s, Visibility: why, Bounds: place, Native: &Web{}},
				{Role: "paragraph", Text: "P " + s, Visibility: why, Bounds: place, Native: &Web{Tag: "p"}},
				el("generic", "", why, place, el("button", "G "+s, why, place)), // a box without a line of its own
			}
		}
		before := tree(el("button", "Fine", at))
		with := later(t, before, func(now *Snapshot) {
			now.Root.Children = append(now.Root.Children, words("evil")...)
			for i, n := range preorder(now.Root) {
				n.ID = NodeID(i + 1)
			}
		})
		changed := later(t, with, func(now *Snapshot) {
			for _, n := range preorder(now.Root) {
				n.Name, n.Text = strings.ReplaceAll(n.Name, "evil", "evil too"), strings.ReplaceAll(n.Text, "evil", "evil too")
			}
			now.Focus = namedNode(now, "B evil too").ID
		})
		renamed := later(t, tree(el("button", "Fine", at), el("button", "Harmless", at)), func(now *Snapshot) {
			n := namedNode(now, "Harmless")
			n.Name, n.Visibility, n.Bounds = "evil", why, place
		})
		for name, text := range map[string]string{
			"default": with.Text(TextOptions{}), "all": with.Text(TextOptions{Detail: []string{DetailAll}}),
			"details": with.Text(TextOptions{Detail: []string{DetailOffscreen, DetailCovered, DetailBounds}}),
			"find":    with.Text(TextOptions{Find: "vil"}),
			"added":   Diff(before, with).Text(0), "changed": Diff(with, changed).Text(0), "gone": Diff(with, before).Text(0),
			"renamed": Diff(tree(el("button", "Fine", at), el("button", "Harmless", at)), renamed).Text(0),
		} {
			for line := range strings.Lines(text) {
				if strings.Contains(line, "evil") && !strings.Contains(line, mark) && !strings.Contains(line, "(out of view)") {
					t.Errorf("%s, %s: unmarked: %s\n%s", mark, name, line, text)
				}
			}
		}
		if all := with.Text(TextOptions{Detail: []string{DetailAll}}); strings.Count(all, "evil") != 4 {
			t.Errorf("%s: not all is told:\n%s", mark, all)
		}
	}
}
