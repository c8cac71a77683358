// Package identity answers which element is meant: it makes selectors and fingerprints of an element when it is
// recorded, and says whether an element is still the recorded one, which comes near, and where the recorded one is
// after its page has changed. It reads snapshots only, so its functions may run at the same time.
//
//	recorded := identity.Of(before, n)
//	same := recorded.Compare(identity.Of(now, found)).Same
//	verdict := identity.Target{Selector: sel, Print: recorded, Past: green}.Relocate(now)
package identity

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// maxWithin bounds how many places a fingerprint remembers.
const maxWithin = 3

// Of returns the identity of n: role, name, test id, the named or landmark ancestors it lies in, the item
// it is part of, and the labelled neighbours around it.
func Of(s *screen.Snapshot, n *screen.Node) Fingerprint { return fingerprint(n, twinsOf(s, n)) }

func fingerprint(n *screen.Node, twins []*screen.Node) Fingerprint {
	f := Fingerprint{Role: n.Role, Name: words.Squeeze(n.Called()), Alike: len(twins), Editor: screen.IsEditor(n)}
	if w, ok := n.Native.(*screen.Web); ok {
		f.Tag, f.TestID = w.Tag, w.TestID
		if f.Name == "" {
			f.Class = w.Classes()
		}
	}
	f.Text = tellingText(n, twins)
	if n.Role == "cell" || n.Role == "gridcell" {
		f.Column = n.ColumnHeader()
	}
	var place *screen.Node
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

// section notes the field or the heading that identifies the section or form around n, where its neighbours do not.
func (f *Fingerprint) section(n *screen.Node) {
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

// firstField returns the first of the fields that a button comes after, without a heading or another button between
// them. The fields distinguish one form from the next.
func firstField(n *screen.Node) (first string) {
	if n.Role != "button" {
		return ""
	}
	budget, over := itemNodes, false
	for c := n; c.Parent != nil && !over && (c == n || !c.State.Has(screen.Landmark)); c = c.Parent {
		kin := c.Parent.Children
		for i := slices.Index(kin, c) - 1; i >= 0 && !over; i-- {
			for _, k := range slices.Backward(screen.Preorder(kin[i])) {
				budget--
				if over = budget < 0 || k.Role == "heading" || k.Role == "button"; over {
					break
				}
				if d := says(k); describesField(d) && !unread(k) {
					first = d
				}
			}
		}
	}
	return first
}

// underIt begins the neighbour that is the heading above an element, where that is not the title of what it lies in.
const underIt = "under "

// Under returns the heading above an element as a descriptor; "" where the title of what it lies in is the only one.
func (f *Fingerprint) Under() string {
	for _, d := range f.Near {
		if of, ok := strings.CutPrefix(d, underIt); ok {
			return of
		}
	}
	return ""
}

// Title distinguishes an element from others of the same name: it is the title of its item, or the text before it; ""
// when there is none.
func (f *Fingerprint) Title() string {
	if len(f.Near) == 0 || f.Item == "" && f.Alike == 0 {
		return ""
	}
	return NameIn(f.Near[0])
}

// NameIn returns the first name in a descriptor.
func NameIn(descriptor string) string {
	if i := strings.IndexByte(descriptor, '"'); i >= 0 {
		if quoted, err := strconv.QuotedPrefix(descriptor[i:]); err == nil {
			name, _ := strconv.Unquote(quoted)
			return name
		}
	}
	return ""
}

// under is the last heading before n in its part of the page.
func under(n *screen.Node) string {
	budget := itemNodes
	for c := n; c.Parent != nil && (c == n || !c.State.Has(screen.Landmark)); c = c.Parent {
		kin := c.Parent.Children
		for i := slices.Index(kin, c) - 1; i >= 0 && budget > 0; i-- {
			if d := lastHeading(kin[i], &budget); d != "" {
				return d
			}
		}
	}
	return ""
}

func lastHeading(n *screen.Node, budget *int) string {
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
func tellingText(n *screen.Node, twins []*screen.Node) string {
	if len(twins) == 0 || !speaks(n) {
		return ""
	}
	text, short := n.TextWithin(false, true, 4*maxSaid)
	if text = words.Squeeze(text); !short || !legible(text) {
		return ""
	}
	for _, t := range twins {
		if other, short := t.TextWithin(false, true, 2*len(text)+64); short && words.Squeeze(other) == text {
			return ""
		}
	}
	return text
}

// numberIn returns the number of n among its twins in a place.
func numberIn(place, n *screen.Node, twins []*screen.Node) string {
	before, all := 1, 1
	alike := make(map[*screen.Node]bool, len(twins))
	for _, t := range twins {
		alike[t] = screen.Within(t.Parent, place)
		if alike[t] {
			all++
		}
	}
	for _, c := range screen.Preorder(place) {
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
func surrounding(p *screen.Node) string {
	switch p.Role {
	case "document", "row", "cell", "gridcell", "listitem", "text", "paragraph", "link", "button", "option", "treeitem":
		return ""
	}
	if p.Name == "" && !p.State.Has(screen.Landmark) {
		return ""
	}
	return p.Descriptor()
}

// twinsOf are the other elements of the same role and name. An editor is like other editors, and not like what only
// holds things.
func twinsOf(s *screen.Snapshot, n *screen.Node) []*screen.Node {
	name, region := words.Squeeze(n.Called()), screen.IsEditor(n)
	return screen.Pick(s.Below(s.Root), func(o *screen.Node) bool {
		return o != n && o.Role == n.Role && words.Squeeze(o.Called()) == name && (!region || screen.IsEditor(o))
	})
}

// itemNodes limits the item in which neighbours are searched: nodes further away say nothing about an element.
const itemNodes = 200

// near describes the surroundings of n: the title of the row or item it is part of, then of the largest part of the
// screen without one of its twins (alone: of the closest part that says anything), then the closest things before and
// after it. Where no element holds a card together, the texts before and after n distinguish one "Delete" from the
// next.
func near(n *screen.Node, twins []*screen.Node) (role string, out []string) {
	taken := withAncestors(twins)
	row, part := itemOf(n, taken), partOf(n, taken)
	own := fmt.Sprintf("text %q", words.Short(words.Squeeze(n.Called()))) // its label says what its name says
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
func withAncestors(nodes []*screen.Node) map[*screen.Node]bool {
	out := map[*screen.Node]bool{}
	for _, n := range nodes {
		for p := n; p != nil; p = p.Parent {
			out[p] = true
		}
	}
	return out
}

// partOf is the largest part of the screen with n and without a twin of it; where it has none, the closest that says
// anything.
func partOf(n *screen.Node, taken map[*screen.Node]bool) *screen.Node {
	part := n
	for part.Parent != nil && (len(taken) == 0 && title(part, n) == "" || len(taken) > 0 && !taken[part.Parent]) {
		part = part.Parent
	}
	return part
}

// itemOf is the closest row or item that n is a part of, with no twin in it.
func itemOf(n *screen.Node, taken map[*screen.Node]bool) *screen.Node {
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
func between(n *screen.Node, taken map[*screen.Node]bool) string {
	back, ahead := itemNodes, itemNodes
	before, after := next(n, -1, &back, taken), next(n, 1, &ahead, taken)
	if before == "" || after == "" {
		return before + after
	}
	return "between " + before + " and " + after
}

// next returns the closest text on one side of n among its siblings, up to one that is taken.
func next(n *screen.Node, step int, budget *int, taken map[*screen.Node]bool) string {
	kin, saying := n.Parent.Children, firstSaying
	if step < 0 {
		saying = lastSaying
	}
	for i := slices.Index(kin, n) + step; i >= 0 && i < len(kin) && *budget > 0 && !taken[kin[i]]; i += step {
		if d := saying(kin[i], budget); d != "" {
			return d
		}
	}
	return ""
}

// title returns the title of an item: its first heading or link, else its first words that are not a number.
func title(item, n *screen.Node) string {
	first, best, budget := "", "", itemNodes
	var walk func(c *screen.Node)
	walk = func(c *screen.Node) {
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
func speaks(n *screen.Node) bool {
	return words.Squeeze(n.Name) == "" && n.State&(screen.Editable|screen.Password) == 0 && !control(n.Role) &&
		!collects(n.Role)
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

// beside returns the closest labelled things before and after n within its item.
func beside(item, n *screen.Node) (out []string) {
	for ; n.Parent != nil && n != item && len(out) == 0; n = n.Parent {
		budget := itemNodes
		for _, step := range []int{-1, 1} {
			if d := next(n, step, &budget, nil); d != "" {
				out = append(out, d)
			}
		}
	}
	return out
}

func firstSaying(n *screen.Node, budget *int) string {
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

func lastSaying(n *screen.Node, budget *int) string {
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
func says(n *screen.Node) string {
	switch {
	case measures(n.Name) || measures(n.Text):
		return ""
	case n.Role == "option" ||
		!strings.ContainsFunc(n.Name, unicode.IsLetter) && !strings.ContainsFunc(n.Text, unicode.IsLetter):
		return ""
	case n.Name != "" && len(n.Children) == 0:
		return n.Role + " " + fmt.Sprintf("%q", words.Short(words.Squeeze(n.Name)))
	case n.Text != "":
		return fmt.Sprintf("text %q", words.Short(words.Squeeze(n.Text)))
	}
	return ""
}

// unread reports whether the text in n is never read, or changes without an action.
func unread(n *screen.Node) bool {
	return restless(n.Role) || screen.Undrawn(n)
}

// Fingerprint identifies an element as it was when it was recorded. The player compares it with the element as it
// is now, before it acts.
type Fingerprint struct {
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
	// the text of an element without a name, when its twins do not have it
	Text   string `json:"text,omitempty"`
	Tag    string `json:"tag,omitempty"`
	TestID string `json:"testId,omitempty"`
	// of an element without a name: the classes that say what it is, not what its state is
	Class  []string `json:"class,omitempty"`
	Within []string `json:"within,omitempty"` // named or landmark ancestors, inner first, as descriptors: `form "Login"`
	Editor bool     `json:"editor,omitempty"` // one writes into it, and it is no field
	Item   string   `json:"item,omitempty"`   // role of the row or item it is part of; its title is the first of Near
	Near   []string `json:"near,omitempty"`   // the title of the item it stands in, then its labelled neighbours
	Column string   `json:"column,omitempty"` // of a cell: the header of its column
	Alike  int      `json:"alike,omitempty"`  // how many other elements had the same role and name
	Place  string   `json:"place,omitempty"`  // where among those alike in the first of Within: "3 of 7"
}
