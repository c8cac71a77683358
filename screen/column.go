package screen

import (
	"iter"
	"slices"
)

// columnHeader returns the text of the header of the column that n lies in, or "" when n lies in no table with
// headers. Of headers above each other the lowest counts.
func (n *Node) columnHeader() string {
	cell := ancestor(n, "cell", "gridcell", "rowheader")
	table := ancestor(cell, "table", "grid", "treegrid")
	if table == nil || !boxed(cell) {
		return ""
	}
	var found *Node
	x := cell.Bounds.X + cell.Bounds.W/2
	for h := range descendants(table) {
		b := h.Bounds
		if h.Role == "columnheader" && boxed(h) && b.X <= x && x < b.X+b.W && b.Y < cell.Bounds.Y+cell.Bounds.H/2 &&
			(found == nil || b.Y > found.Bounds.Y) {
			found = h
		}
	}
	if found == nil {
		return ""
	}
	return squeeze(found.called())
}

// ancestor is n or the closest node around it of one of these roles, or nil.
func ancestor(n *Node, roles ...string) *Node {
	for ; n != nil; n = n.Parent {
		if slices.Contains(roles, n.Role) {
			return n
		}
	}
	return nil
}

// descendants are all nodes below n.
func descendants(n *Node) iter.Seq[*Node] {
	return func(yield func(*Node) bool) { visit(n, yield) }
}

func visit(n *Node, yield func(*Node) bool) bool {
	for _, c := range n.Children {
		if !yield(c) || !visit(c, yield) {
			return false
		}
	}
	return true
}

// inColumn yields selectors of the target by its column's header and by something in its row that no other row has.
func (g *generator) inColumn(own []criterion, yield func(Selector) bool) bool {
	row := ancestor(g.target, "row")
	if g.structural || row == nil || row == g.target {
		return true
	}
	header := g.target.columnHeader()
	if header == "" || variable().MatchString(header) {
		return true
	}
	item, ok := g.anchor(row)
	if !ok {
		return true
	}
	for i := range own {
		w := *own[i].sel.Web
		w.ColumnRegex = g.pattern(header)
		if !yield(Selector{Web: &w, ChildOf: &item}) {
			return false
		}
	}
	return true
}
