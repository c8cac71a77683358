// Package diff compares two captures of one session: what came, went, moved or changed, as nodes. Package text writes
// the changes for a model.
//
//	if changes := diff.Between(before, now); !changes.Empty() { … }
package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Changes lists the differences between one capture and the next of the same session. Elements are compared by id.
// Of a subtree only the top is listed.
type Changes struct {
	URL, Title, Dialog  string       // a sentence each; "" when unchanged
	NewPage             bool         // another document: nothing else is listed
	Focus               *screen.Node // the newly focused element
	Added, Removed      []*screen.Node
	Revealed, Concealed []*screen.Node // were there and hidden before; are still there and hidden now
	Moved               []*screen.Node // under another parent, or to another place among their siblings
	// the page made them anew, with the same content in the same place: their refs are other ones
	Renewed            []*screen.Node
	Entered            []*screen.Node // scrolled into view
	Left               int            // how many were scrolled out of it
	Covered, Uncovered int            // how many are covered by something now, or no longer
	Changed            []Change

	Old, Now *screen.Snapshot
}

// Change is one element that is not as it was.
type Change struct {
	Node *screen.Node
	What string // `value "" → "Ada"`
}

// Between compares two captures of one session. Bounds alone are no change: everything below a new line moves.
func Between(old, now *screen.Snapshot) Changes {
	same := old == now
	old, now = old.HiddenAs(now).Written(), now.Written()
	c := Changes{Now: now}
	if now == nil || same {
		return c
	}
	if old == nil {
		old = &screen.Snapshot{}
	}
	c.Old = old
	c.frame(old, now)
	if now.Root != nil && (old.Root == nil || old.Root.ID != now.Root.ID) {
		c.NewPage = true
		return c
	}
	c.tree(old, now)
	return c
}

// frame compares the facts that are not in the tree.
func (c *Changes) frame(old, now *screen.Snapshot) {
	if old.URL != now.URL {
		c.URL = "address is now " + words.Quote(now.URL, 200)
	}
	if old.Title != now.Title {
		c.Title = "title is now " + words.Quote(now.Title, 120)
	}
	switch {
	case now.Dialog != nil && (old.Dialog == nil || *old.Dialog != *now.Dialog):
		c.Dialog = words.Bare(now.Dialog.Type) + " dialog opened: " + words.Quote(now.Dialog.Message, 200)
	case old.Dialog != nil && now.Dialog == nil:
		c.Dialog = "the dialog closed"
	}
	if old.Focus != now.Focus {
		c.Focus = now.Node(now.Focus)
	}
}

// tree compares the nodes.
func (c *Changes) tree(old, now *screen.Snapshot) {
	for _, n := range screen.Preorder(now.Root) {
		was := old.Node(n.ID)
		if was == nil {
			if n.Parent == nil || old.Node(n.Parent.ID) != nil {
				c.Added = append(c.Added, n)
			}
			continue
		}
		c.compareVisibility(old, was, n)
		if moved(was, n) {
			c.Moved = append(c.Moved, n)
		}
		if what := changed(was, n); what != "" {
			c.Changed = append(c.Changed, Change{n, what})
		}
		if ordered := reordered(was, n, nil); ordered != nil {
			c.Moved = append(c.Moved, ordered...)
		} else {
			c.Moved = append(c.Moved, rearranged(n, old)...)
		}
	}
	for _, n := range screen.Preorder(old.Root) {
		if now.Node(n.ID) == nil && (n.Parent == nil || now.Node(n.Parent.ID) != nil) {
			c.Removed = append(c.Removed, n)
		}
	}
	c.renewed()
}

// compareVisibility compares whether a person sees the element. A change that a whole subtree shares is listed once,
// by its top.
func (c *Changes) compareVisibility(old *screen.Snapshot, was, is *screen.Node) {
	if was.Visibility == is.Visibility {
		return
	}
	list := func(to *[]*screen.Node) {
		if !withParent(old, was, is) {
			*to = append(*to, is)
		}
	}
	seen, saw := is.Visibility <= screen.Offscreen, was.Visibility <= screen.Offscreen
	switch {
	case seen && saw && is.Visibility == screen.Visible:
		list(&c.Entered)
	case seen && saw:
		c.Left++
	case is.Visibility == screen.Covered:
		c.Covered++
	case was.Visibility == screen.Covered && seen:
		c.Uncovered++
	case seen:
		list(&c.Revealed)
	case saw || was.Visibility == screen.Covered:
		list(&c.Concealed)
	}
}

// withParent reports whether the parent of an element went from the same sight to the same.
func withParent(old *screen.Snapshot, was, is *screen.Node) bool {
	if is.Parent == nil {
		return false
	}
	p := old.Node(is.Parent.ID)
	return p != nil && p.Visibility == was.Visibility && is.Parent.Visibility == is.Visibility
}

// moved reports whether an element has another parent.
func moved(was, is *screen.Node) bool {
	return was.Parent != nil && is.Parent != nil && was.Parent.ID != is.Parent.ID
}

// reordered are the fewest children that had to move to bring those that stayed into their new order. twins says which
// old child a new one takes the place of.
func reordered(was, is *screen.Node, twins map[screen.NodeID]screen.NodeID) []*screen.Node {
	if len(is.Children) < 2 ||
		slices.EqualFunc(was.Children, is.Children, func(a, b *screen.Node) bool { return a.ID == b.ID }) {
		return nil
	}
	at := make(map[screen.NodeID]int, len(was.Children))
	for i, c := range was.Children {
		at[c.ID] = i
	}
	var kept []*screen.Node
	var seq []int
	for _, c := range is.Children {
		id := c.ID
		if old, ok := twins[id]; ok {
			id = old
		}
		if i, ok := at[id]; ok {
			kept, seq = append(kept, c), append(seq, i)
		}
	}
	stays := increasing(seq)
	var out []*screen.Node
	for i, c := range kept {
		if !stays[i] {
			out = append(out, c)
		}
	}
	return out
}

// increasing marks a longest increasing part of seq.
func increasing(seq []int) []bool {
	var ends []int // ends[k]: index of the smallest last element of an increasing part of length k+1
	before := make([]int, len(seq))
	for i, v := range seq {
		k, _ := slices.BinarySearchFunc(ends, v, func(e, v int) int { return seq[e] - v })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	in := make([]bool, len(seq))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			in[i] = true
		}
	}
	return in
}

// changed describes the difference of an element, "" when there is none.
func changed(was, is *screen.Node) string {
	var out []string
	text := func(what, a, b string) {
		if a != b {
			out = append(out, fmt.Sprintf("%s %s → %s", what, words.Quote(a, 80), words.Quote(b, 80)))
		}
	}
	if was.Role != is.Role {
		out = append(out, "role "+words.Bare(was.Role)+" → "+words.Bare(is.Role))
	}
	text("name", was.Name, is.Name)
	if was.Text != was.Name || is.Text != is.Name {
		text("text", was.Text, is.Text)
	}
	text("value", was.Value, is.Value)
	text("description", was.Description, is.Description)
	if a, b := lasting(was), lasting(is); a != b {
		if b == "" {
			b = "no longer " + a
		} else {
			b = "now " + b
		}
		out = append(out, b)
	}
	return strings.Join(out, ", ")
}

// lasting returns the states without focus and sight, which are compared separately.
func lasting(n *screen.Node) string {
	c := screen.Node{Role: n.Role, State: n.State &^ screen.Focused, Level: n.Level}
	return screen.StateWords(&c)
}

// Empty reports that nothing a reader would notice changed.
func (c Changes) Empty() bool {
	return c.URL == "" && c.Title == "" && c.Dialog == "" && c.Focus == nil && !c.NewPage && c.Count() == 0
}

// Count returns the number of changes.
func (c Changes) Count() int {
	return len(c.Added) + len(c.Removed) + len(c.Revealed) + len(c.Concealed) + len(c.Moved) +
		len(c.Renewed) + len(c.Entered) +
		c.Left + c.Covered + c.Uncovered + len(c.Changed)
}

// Away returns the elements that a person saw before and no longer sees, as they were then: the name of an element
// that is out of sight is not for reading.
func (c Changes) Away() []*screen.Node {
	var out []*screen.Node
	for _, n := range c.Removed {
		if n.Visibility <= screen.Offscreen {
			out = append(out, n)
		}
	}
	for _, n := range c.Concealed {
		if was := c.Old.Node(n.ID); was != nil {
			out = append(out, was)
		}
	}
	return out
}
