package diff

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// renewed finds the elements that the page made anew with the same content: a list that is written again has other
// elements, but to a reader the same items. They leave Added and Removed. An item in another place is listed as
// moved; one in its old place counts only when it holds refs, since those are other ones now.
func (c *Changes) renewed() {
	if len(c.Added) == 0 || len(c.Removed) == 0 {
		return
	}
	was, parents := c.replaced()
	if len(was) == 0 {
		return
	}
	moved := map[screen.NodeID]bool{}
	for id, p := range parents {
		for _, n := range reordered(c.Old.Node(id), p, was) {
			moved[n.ID] = was[n.ID] != 0
		}
	}
	again := map[screen.NodeID]bool{} // of the old ones
	c.Added = slices.DeleteFunc(c.Added, func(n *screen.Node) bool {
		old, ok := was[n.ID]
		again[old] = again[old] || ok
		switch {
		case !ok:
			return false
		case moved[n.ID]:
			c.Moved = append(c.Moved, n)
		case n.Ref != "" || screen.ActsBelow(n):
			c.Renewed = append(c.Renewed, n)
		}
		return true
	})
	c.Removed = slices.DeleteFunc(c.Removed, func(n *screen.Node) bool { return again[n.ID] })
}

// replaced pairs added elements with removed ones: the same content under the same parent, in the old order. It
// returns the old element by the new one, and the parents of the new ones.
func (c *Changes) replaced() (was map[screen.NodeID]screen.NodeID, parents map[screen.NodeID]*screen.Node) {
	gone := map[screen.NodeID]map[string][]*screen.Node{} // by parent and content
	for _, n := range c.Removed {
		if n.Parent == nil {
			continue
		}
		by := gone[n.Parent.ID]
		if by == nil {
			by = map[string][]*screen.Node{}
			gone[n.Parent.ID] = by
		}
		key := content(n)
		by[key] = append(by[key], n)
	}
	was, parents = map[screen.NodeID]screen.NodeID{}, map[screen.NodeID]*screen.Node{}
	for _, n := range c.Added {
		if n.Parent == nil || gone[n.Parent.ID] == nil {
			continue
		}
		by, key := gone[n.Parent.ID], content(n)
		if twins := by[key]; len(twins) > 0 {
			was[n.ID], by[key] = twins[0].ID, twins[1:]
			parents[n.Parent.ID] = n.Parent
		}
	}
	return was, parents
}

// content returns the text by which a reader knows an element, without its position.
func content(n *screen.Node) string {
	var b strings.Builder
	for _, c := range screen.Preorder(n) {
		b.WriteString(c.Role + "\x00" + c.Name + "\x00" + c.Text + "\x00" + c.Value + "\x00" + lasting(c) + "\x00" +
			c.Visibility.Mark() + "\x01")
	}
	return b.String()
}

// rearranged are the children that style alone put in another place among their siblings: rows that a grid moves by a
// transform, items with another order. Only what lay wholly before a sibling and lies wholly behind it now counts:
// other lines of a text, or another width, are no move.
func rearranged(is *screen.Node, old *screen.Snapshot) []*screen.Node {
	olds, kids := shifted(is, old)
	if len(kids) < 2 {
		return nil
	}
	before := make([]int, len(olds))
	for place, i := range readingOrder(olds) {
		before[i] = place
	}
	now := readingOrder(kids)
	seq := make([]int, len(now))
	for place, i := range now {
		seq[place] = before[i]
	}
	stays := increasing(seq)
	var out []*screen.Node
	for place, i := range now {
		if stays[place] || content(olds[i]) != content(kids[i]) {
			continue
		}
		for other, j := range now {
			if stays[other] && crossed(olds[i].Bounds, olds[j].Bounds, kids[i].Bounds, kids[j].Bounds) {
				out = append(out, kids[i])
				break
			}
		}
	}
	return out
}

// shifted are the children that were drawn before and are drawn now, unless all of them moved by the same distance.
func shifted(is *screen.Node, old *screen.Snapshot) (olds, kids []*screen.Node) {
	still := true
	for _, k := range is.Children {
		o := old.Node(k.ID)
		if o == nil || k.Visibility > screen.Offscreen || o.Visibility > screen.Offscreen || k.Bounds.Empty() ||
			o.Bounds.Empty() {
			continue
		}
		kids, olds = append(kids, k), append(olds, o)
		still = still && shift(o, k) == shift(olds[0], kids[0])
	}
	if still {
		return nil, nil
	}
	return olds, kids
}

// readingOrder are the indexes of nodes in the order that a person reads them.
func readingOrder(nodes []*screen.Node) []int {
	at := make([]int, len(nodes))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return screen.InReadingOrder(nodes[a].Bounds, nodes[b].Bounds) })
	return at
}

func shift(was, is *screen.Node) [2]float64 {
	return [2]float64{is.Bounds.X - was.Bounds.X, is.Bounds.Y - was.Bounds.Y}
}

// crossed reports whether two boxes changed places: one lay wholly before the other, and lies wholly behind it now.
func crossed(a, b, a2, b2 screen.Rect) bool {
	if v := above(a, b); v != 0 {
		return above(a2, b2) == -v
	}
	return above(a2, b2) == 0 && left(a, b) != 0 && left(a2, b2) == -left(a, b)
}

// above is 1 when a lies wholly above b, -1 when wholly below it, 0 when they share a line. left is the same for
// columns.
func above(a, b screen.Rect) int { return ends(a.Y, a.H, b.Y, b.H) }
func left(a, b screen.Rect) int  { return ends(a.X, a.W, b.X, b.W) }

func ends(a, aLen, b, bLen float64) int {
	const slack = 1 // of a pixel: borders of neighbours overlap
	switch {
	case a+aLen <= b+slack:
		return 1
	case b+bLen <= a+slack:
		return -1
	}
	return 0
}
