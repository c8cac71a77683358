package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxWithin bounds how many places a fingerprint remembers.
const maxWithin = 3

// FingerprintOf returns the identity of n: role, name, test id, the named or landmark ancestors it lies in, the item
// it is part of, and the labelled neighbours around it.
func (s *Snapshot) FingerprintOf(n *Node) Fingerprint { return fingerprint(n, s.twins(n)) }

func fingerprint(n *Node, twins []*Node) Fingerprint {
	f := Fingerprint{Role: n.Role, Name: squeeze(n.called()), Alike: len(twins), Editor: isRegion(n)}
	if w, ok := n.Native.(*Web); ok {
		f.Tag, f.TestID = w.Tag, w.TestID
		if f.Name == "" {
			f.Class = w.classes()
		}
	}
	f.Text = tellingText(n, twins)
	if n.Role == "cell" || n.Role == "gridcell" {
		f.Column = n.columnHeader()
	}
	var place *Node
	for p := n.Parent; p != nil && len(f.Within) < maxWithin; p = p.Parent {
		if d := surrounding(p); d != "" {
			if f.Within = append(f.Within, d); place == nil {
				place = p
			}
		}
	}
	f.Item, f.Near = near(n, twins)
	if f.Item == "" {
		f.section(n)
	}
	if place != nil && len(twins) > 0 {
		f.Place = numberIn(place, n, twins)
	}
	return f
}

// section notes what tells the section or form that n is in, where its neighbours do not.
func (f *Fingerprint) section(n *Node) {
	if len(f.Near) == 0 {
		return
	}
	if d := firstField(n); d != "" && !slices.Contains(f.Near, d) {
		f.Near = append(f.Near, d)
	}
	if d := under(n); d != "" && !slices.Contains(f.Near, d) {
		f.Near = append(f.Near, underIt+d)
	}
}

// firstField is the first of the fields that a button comes after, without a heading or another button between them.
// The fields tell one form from the next.
func firstField(n *Node) (first string) {
	if n.Role != "button" {
		return ""
	}
	budget, over := itemNodes, false
	for c := n; c.Parent != nil && !over && (c == n || !c.State.Has(Landmark)); c = c.Parent {
		kin := c.Parent.Children
		for i := slices.Index(kin, c) - 1; i >= 0 && !over; i-- {
			for _, k := range slices.Backward(preorder(kin[i])) {
				budget--
				if over = budget < 0 || k.Role == "heading" || k.Role == "button"; over {
					break
				}
				if d := says(k); isField(d) && !unread(k) {
					first = d
				}
			}
		}
	}
	return first
}

// underIt begins the neighbour that is the heading above an element, where that is not the title of what it lies in.
const underIt = "under "

// Under is the heading above an element as a descriptor; "" where the title of what it lies in is the only one.
func (f *Fingerprint) Under() string {
	for _, d := range f.Near {
		if of, ok := strings.CutPrefix(d, underIt); ok {
			return of
		}
	}
	return ""
}

// under is the last heading before n in its part of the page.
func under(n *Node) string {
	budget := itemNodes
	for c := n; c.Parent != nil && (c == n || !c.State.Has(Landmark)); c = c.Parent {
		kin := c.Parent.Children
		for i := slices.Index(kin, c) - 1; i >= 0 && budget > 0; i-- {
			if d := lastHeading(kin[i], &budget); d != "" {
				return d
			}
		}
	}
	return ""
}

func lastHeading(n *Node, budget *int) string {
	if *budget--; *budget < 0 || unread(n) {
		return ""
	}
	if n.Role == "heading" {
		return says(n)
	}
	for _, c := range slices.Backward(n.Children) {
		if d := lastHeading(c, budget); d != "" {
			return d
		}
	}
	return ""
}

// tellingText returns the text in n, when n has no name and none of its twins has that text.
func tellingText(n *Node, twins []*Node) string {
	if len(twins) == 0 || !speaks(n) {
		return ""
	}
	text, short := n.whole(false, true, 4*maxSaid)
	if text = squeeze(text); !short || !legible(text) {
		return ""
	}
	for _, t := range twins {
		if other, short := t.whole(false, true, 2*len(text)+64); short && squeeze(other) == text {
			return ""
		}
	}
	return text
}

// numberIn returns the number of n among its twins in a place.
func numberIn(place, n *Node, twins []*Node) string {
	before, all := 1, 1
	alike := make(map[*Node]bool, len(twins))
	for _, t := range twins {
		alike[t] = inside(t, place)
		if alike[t] {
			all++
		}
	}
	for _, c := range preorder(place) {
		if c == n {
			break
		}
		if alike[c] {
			before++
		}
	}
	return fmt.Sprintf("%d of %d", before, all)
}

// surrounding is an ancestor as a place: a landmark or a named group. Names that come from content change with it and
// say nothing about the place, so cells and rows do not count; the document itself does not either.
func surrounding(p *Node) string {
	switch p.Role {
	case "document", "row", "cell", "gridcell", "listitem", "text", "paragraph", "link", "button", "option", "treeitem":
		return ""
	}
	if p.Name == "" && !p.State.Has(Landmark) {
		return ""
	}
	return p.Descriptor()
}

// twins are the other elements of the same role and name. An editor is like other editors, and not like what only holds
// things.
func (s *Snapshot) twins(n *Node) []*Node {
	name, region := squeeze(n.called()), isRegion(n)
	return pick(s.below(s.Root), func(o *Node) bool {
		return o != n && o.Role == n.Role && squeeze(o.called()) == name && (!region || isRegion(o))
	})
}

// itemNodes limits the item in which neighbours are searched: nodes further away say nothing about an element.
const itemNodes = 200

// near describes the surroundings of n: the title of the row or item it is part of, then of the largest part of the
// screen without one of its twins (alone: of the closest part that says anything), then the closest things before and
// after it. Where no element holds a card together, the texts before and after n distinguish one "Delete" from the
// next.
func near(n *Node, twins []*Node) (role string, out []string) {
	taken := withAncestors(twins)
	row, part := itemOf(n, taken), partOf(n, taken)
	own := fmt.Sprintf("text %q", short(squeeze(n.called()))) // its label says what its name says
	add := func(all ...string) {
		for _, d := range all {
			if d != "" && d != own && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	if row != nil {
		if add(title(row, n)); len(out) > 0 {
			role = row.Role
		}
	}
	add(title(part, n))
	if part == n && n.Parent != nil && len(out) == 0 {
		add(between(n, taken))
		return role, out
	}
	add(beside(part, n)...)
	return role, out
}

// withAncestors are nodes and all that they lie in.
func withAncestors(nodes []*Node) map[*Node]bool {
	out := map[*Node]bool{}
	for _, n := range nodes {
		for p := n; p != nil; p = p.Parent {
			out[p] = true
		}
	}
	return out
}

// partOf is the largest part of the screen with n and without a twin of it; where it has none, the closest that says
// anything.
func partOf(n *Node, taken map[*Node]bool) *Node {
	part := n
	for part.Parent != nil && (len(taken) == 0 && title(part, n) == "" || len(taken) > 0 && !taken[part.Parent]) {
		part = part.Parent
	}
	return part
}

// itemOf is the closest row or item that n is a part of, with no twin in it.
func itemOf(n *Node, taken map[*Node]bool) *Node {
	for p := n.Parent; p != nil && !taken[p]; p = p.Parent {
		if isItem(p.Role) {
			return p
		}
	}
	return nil
}

// isItem reports whether elements of a role are among others of their kind.
func isItem(role string) bool {
	switch role {
	case "row", "listitem", "treeitem", "article", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio",
		"radio", "feed":
		return true
	}
	return false
}

// between returns the texts before and after n among its siblings, up to the next twin.
func between(n *Node, taken map[*Node]bool) string {
	kin := n.Parent.Children
	at := slices.Index(kin, n)
	say := func(i, step int, saying func(*Node, *int) string) string {
		for budget := itemNodes; i >= 0 && i < len(kin) && budget > 0 && !taken[kin[i]]; i += step {
			if d := saying(kin[i], &budget); d != "" {
				return d
			}
		}
		return ""
	}
	before, after := say(at-1, -1, lastSaying), say(at+1, 1, firstSaying)
	if before == "" || after == "" {
		return before + after
	}
	return "between " + before + " and " + after
}

// title returns the title of an item: its first heading or link, else its first words that are not a number.
func title(item, n *Node) string {
	first, best, budget := "", "", itemNodes
	var walk func(c *Node)
	walk = func(c *Node) {
		if budget--; budget < 0 || best != "" || c == n && !speaks(n) {
			return
		}
		if c != item && unread(c) {
			return
		}
		if d := says(c); d != "" {
			switch {
			case c.Role == "heading" || c.Role == "link" || c.Role == "rowheader":
				best = d
				return
			case first == "":
				first = d
			}
		}
		for _, k := range c.Children {
			walk(k)
		}
	}
	walk(item)
	return cmp.Or(best, first)
}

// speaks reports whether the text in n identifies it: a list item, a cell, a paragraph without a name, with or
// without a handler.
func speaks(n *Node) bool {
	return squeeze(n.Name) == "" && n.State&(Editable|Password) == 0 && !control(n.Role) && !collects(n.Role)
}

// collects reports whether a role holds rows or items, whose content comes and goes.
func collects(role string) bool {
	switch role {
	case "list", "table", "grid", "treegrid", "tree", "listbox", "menu", "menubar", "tablist", "rowgroup", "feed",
		"radiogroup":
		return true
	}
	return false
}

// beside are the closest labelled things before and after n within its item.
func beside(item, n *Node) []string {
	for place, child := n.Parent, n; place != nil && child != item; place, child = place.Parent, place {
		var out []string
		budget := itemNodes
		i := slices.Index(place.Children, child)
		for k := i - 1; k >= 0 && budget > 0; k-- {
			if d := lastSaying(place.Children[k], &budget); d != "" {
				out = append(out, d)
				break
			}
		}
		for k := i + 1; k < len(place.Children) && budget > 0; k++ {
			if d := firstSaying(place.Children[k], &budget); d != "" {
				out = append(out, d)
				break
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func firstSaying(n *Node, budget *int) string {
	if *budget--; *budget < 0 || unread(n) {
		return ""
	}
	if d := says(n); d != "" {
		return d
	}
	for _, c := range n.Children {
		if d := firstSaying(c, budget); d != "" {
			return d
		}
	}
	return ""
}

func lastSaying(n *Node, budget *int) string {
	if *budget--; *budget < 0 || unread(n) {
		return ""
	}
	for _, c := range slices.Backward(n.Children) {
		if d := lastSaying(c, budget); d != "" {
			return d
		}
	}
	return says(n)
}

// says returns the text of a leaf for a reader. An option shows a choice and no place; a text without a letter is
// punctuation, or a count that changes.
func says(n *Node) string {
	switch {
	case measures(n.Name) || measures(n.Text):
		return ""
	case n.Role == "option" ||
		!strings.ContainsFunc(n.Name, unicode.IsLetter) && !strings.ContainsFunc(n.Text, unicode.IsLetter):
		return ""
	case n.Name != "" && len(n.Children) == 0:
		return n.Role + " " + fmt.Sprintf("%q", short(squeeze(n.Name)))
	case n.Text != "":
		return fmt.Sprintf("text %q", short(squeeze(n.Text)))
	}
	return ""
}

// unread reports whether the text in n is never read, or changes without an action.
func unread(n *Node) bool {
	return restless(n.Role) || undrawn(n)
}

func undrawn(n *Node) bool { return n.Visibility == Hidden || n.Visibility == Transparent }

// measures reports whether a text is one that scripts measure letters by: one letter many times.
func measures(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= 5 && strings.Trim(text, text[:1]) == ""
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}
