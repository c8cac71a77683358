package screen

import "github.com/trailblaze-dev/trailblaze/screen/words"

// ColumnHeader returns the text of the header of the column that n lies in, or "" when n lies in no table with
// headers. Of headers above each other the lowest counts.
func (n *Node) ColumnHeader() string {
	cell := Ancestor(n, "cell", "gridcell", "rowheader")
	table := Ancestor(cell, "table", "grid", "treegrid")
	if table == nil || !Boxed(cell) {
		return ""
	}
	var found *Node
	x := cell.Bounds.X + cell.Bounds.W/2
	for h := range descendants(table) {
		b := h.Bounds
		if h.Role == "columnheader" && Boxed(h) && b.X <= x && x < b.X+b.W && b.Y < cell.Bounds.Y+cell.Bounds.H/2 &&
			(found == nil || b.Y > found.Bounds.Y) {
			found = h
		}
	}
	if found == nil {
		return ""
	}
	return words.Squeeze(found.Called())
}
