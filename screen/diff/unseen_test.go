package diff_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/diff"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// What a person cannot see is not read by a model without a word about it, in no view and in no difference (D23):
// that is where a page hides instructions.
func TestUnseenTextIsMarked(t *testing.T) {
	at := box(10, 10, 100, 20)
	for _, why := range []screen.Visibility{screen.Hidden, screen.Transparent, screen.Clipped, screen.Covered, screen.Offscreen} {
		mark := "[" + why.Mark() + "]"
		place := at
		if why == screen.Offscreen {
			mark, place = "(below)", box(10, 2000, 100, 20)
		}
		words := func(s string) []*screen.Node {
			return []*screen.Node{
				el("button", "B "+s, why, place),
				{Role: "text", Name: "T " + s, Visibility: why, Bounds: place, Native: &screen.Web{}},
				{Role: "paragraph", Text: "P " + s, Visibility: why, Bounds: place, Native: &screen.Web{Tag: "p"}},
				el("generic", "", why, place, el("button", "G "+s, why, place)), // a box without a line of its own
			}
		}
		before := tree(el("button", "Fine", at))
		with := later(t, before, func(now *screen.Snapshot) {
			now.Root.Children = append(now.Root.Children, words("evil")...)
			for i, n := range screen.Preorder(now.Root) {
				n.ID = screen.NodeID(i + 1)
			}
		})
		changed := later(t, with, func(now *screen.Snapshot) {
			for _, n := range screen.Preorder(now.Root) {
				n.Name, n.Text = strings.ReplaceAll(n.Name, "evil", "evil too"), strings.ReplaceAll(n.Text, "evil", "evil too")
			}
			now.Focus = namedNode(now, "B evil too").ID
		})
		renamed := later(t, tree(el("button", "Fine", at), el("button", "Harmless", at)), func(now *screen.Snapshot) {
			n := namedNode(now, "Harmless")
			n.Name, n.Visibility, n.Bounds = "evil", why, place
		})
		for name, text := range map[string]string{
			"default": text.Of(with, text.Options{}), "all": text.Of(with, text.Options{Detail: []string{text.DetailAll}}),
			"details": text.Of(with, text.Options{Detail: []string{text.DetailOffscreen, text.DetailCovered, text.DetailBounds}}),
			"find":    text.Of(with, text.Options{Find: "vil"}),
			"added":   text.Changes(diff.Between(before, with), 0),
			"changed": text.Changes(diff.Between(with, changed), 0),
			"gone":    text.Changes(diff.Between(with, before), 0),
			"renamed": text.Changes(diff.Between(tree(el("button", "Fine", at), el("button", "Harmless", at)), renamed), 0),
		} {
			for line := range strings.Lines(text) {
				if strings.Contains(line, "evil") && !strings.Contains(line, mark) && !strings.Contains(line, "(out of view)") {
					t.Errorf("%s, %s: unmarked: %s\n%s", mark, name, line, text)
				}
			}
		}
		if all := text.Of(with, text.Options{Detail: []string{text.DetailAll}}); strings.Count(all, "evil") != 4 {
			t.Errorf("%s: not all is told:\n%s", mark, all)
		}
	}
}
