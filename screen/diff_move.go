package screen

import (
	"cmp"
	"slices"
	"strings"
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
	moved := map[NodeID]bool{}
	for id, p := range parents {
		for _, n := range reordered(c.old.Node(id), p, was) {
			moved[n.ID] = was[n.ID] != 0
		}
	}
	again := map[NodeID]bool{} // of the old ones
	c.Added = slices.DeleteFunc(c.Added, func(n *Node) bool {
		old, ok := was[n.ID]
		again[old] = again[old] || ok
		switch {
		case !ok:
			return false
		case moved[n.ID]:
			c.Moved = append(c.Moved, n)
		case n.Ref != "" || interactiveBelow(n):
			c.Renewed = append(c.Renewed, n)
		}
		return true
	})
	c.Removed = slices.DeleteFunc(c.Removed, func(n *Node) bool { return again[n.ID] })
}

// replaced pairs added elements with removed ones: the same content under the same parent, in the old order. It
// returns the old element by the new one, and the parents of the new ones.
func (c *Changes) replaced() (was map[NodeID]NodeID, parents map[NodeID]*Node) {
	gone := map[NodeID]map[string][]*Node{} // by parent and content
	for _, n := range c.Removed {
		if n.Parent == nil {
			continue
		}
		by := gone[n.Parent.ID]
		if by == nil {
			by = map[string][]*Node{}
			gone[n.Parent.ID] = by
		}
		key := content(n)
		by[key] = append(by[key], n)
	}
	was, parents = map[NodeID]NodeID{}, map[NodeID]*Node{}
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
func content(n *Node) string {
	var b strings.Builder
	for _, c := range preorder(n) {
		b.WriteString(c.Role + "\x00" + c.Name + "\x00" + c.Text + "\x00" + c.Value + "\x00" + lasting(c) + "\x00" +
			c.Visibility.mark() + "\x01")
	}
	return b.String()
}

// rearranged are the children that style alone put in another place among their siblings: rows that a grid moves by a
// transform, items with another order. Only what lay wholly before a sibling and lies wholly behind it now counts:
// other lines of a text, or another width, are no move.
func rearranged(is *Node, old *Snapshot) []*Node {
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
	var out []*Node
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
func shifted(is *Node, old *Snapshot) (olds, kids []*Node) {
	still := true
	for _, k := range is.Children {
		o := old.Node(k.ID)
		if o == nil || k.Visibility > Offscreen || o.Visibility > Offscreen || k.Bounds.Empty() || o.Bounds.Empty() {
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
func readingOrder(nodes []*Node) []int {
	at := make([]int, len(nodes))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return inReadingOrder(nodes[a].Bounds, nodes[b].Bounds) })
	return at
}

func shift(was, is *Node) [2]float64 {
	return [2]float64{is.Bounds.X - was.Bounds.X, is.Bounds.Y - was.Bounds.Y}
}

func inReadingOrder(a, b Rect) int {
	return cmp.Or(cmp.Compare(a.Y+a.H/2, b.Y+b.H/2), cmp.Compare(a.X+a.W/2, b.X+b.W/2))
}

// crossed reports whether two boxes changed places: one lay wholly before the other, and lies wholly behind it now.
func crossed(a, b, a2, b2 Rect) bool {
	if v := above(a, b); v != 0 {
		return above(a2, b2) == -v
	}
	return above(a2, b2) == 0 && left(a, b) != 0 && left(a2, b2) == -left(a, b)
}

// above is 1 when a lies wholly above b, -1 when wholly below it, 0 when they share a line. left is the same for
// columns.
func above(a, b Rect) int { return ends(a.Y, a.H, b.Y, b.H) }
func left(a, b Rect) int  { return ends(a.X, a.W, b.X, b.W) }

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

// movedText names the element that moved, and its new place.
func movedText(n *Node) string {
	text := "> " + gone(n)
	if text == "> " {
		text = "> " + ident(n)
	}
	if n.Parent == nil {
		return text + " moved"
	}
	if prev := before(n); prev != nil {
		return text + " moved behind " + cmp.Or(gone(prev), ident(prev))
	}
	return text + " moved to the beginning"
}

// before is the sibling that n comes after, as a person sees them.
func before(n *Node) *Node {
	var best *Node
	for _, o := range n.Parent.Children {
		if o == n {
			if n.Bounds.Empty() {
				return best
			}
			continue
		}
		if o.Visibility > Offscreen || !n.Bounds.Empty() && (o.Bounds.Empty() || inReadingOrder(o.Bounds, n.Bounds) >= 0) {
			continue
		}
		if best == nil || n.Bounds.Empty() || inReadingOrder(o.Bounds, best.Bounds) > 0 {
			best = o
		}
	}
	return best
}
