package screen

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// OwnText returns the text directly in n, without white space around it: "Call now" in "Call <b>Olwen</b> now".
func (n *Node) OwnText() string {
	if t := DirectText(n); t != "" || n.Role == "text" {
		return words.Squeeze(t)
	}
	var runs []string
	for _, c := range n.Children {
		if c.Role == "text" {
			runs = append(runs, c.Name)
		}
	}
	return words.Squeeze(strings.Join(runs, " "))
}

// FullText returns all text that a reader finds in n, white space aside: hidden parts, the options of lists and texts
// typed into fields left out, for those change while the element stays who it is.
func (n *Node) FullText() string {
	t, _ := n.TextWithin(false, true, unbounded)
	return words.Squeeze(t)
}

const unbounded = 1 << 30

// TextWithin joins the runs of text in n, with a space between them or without; beyond limit bytes it gives up.
func (n *Node) TextWithin(printed, spaced bool, limit int) (string, bool) {
	if n.State.Has(Editable) || n.Role == "option" && n.Visibility == Hidden {
		return "", true
	}
	var b strings.Builder
	seen := !Undrawn(n)
	var walk func(c *Node) bool
	walk = func(c *Node) bool {
		if c != n && (FilledIn(c) || seen && Undrawn(c)) {
			return true
		}
		if t := DirectText(c); t != "" {
			if printed {
				t = c.Printed(t)
			}
			if b.Len() > 0 && spaced {
				b.WriteByte(' ')
			}
			if b.WriteString(t); b.Len() > limit {
				return false
			}
		}
		for _, k := range c.Children {
			if !walk(k) {
				return false
			}
		}
		return true
	}
	ok := walk(n)
	return b.String(), ok
}

// FilledIn reports whether the text in n is typed or chosen by a person.
func FilledIn(n *Node) bool { return n.State.Has(Editable) || n.Role == "option" }

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
