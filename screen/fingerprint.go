package screen

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// maxWithin bounds how many places a fingerprint remembers.
const maxWithin = 3

// FingerprintOf says who n is: role, name, test id, the named or landmark ancestors it lies in, and the labelled
// neighbours around it.
func (s *Snapshot) FingerprintOf(n *Node) Fingerprint {
	f := Fingerprint{Role: n.Role, Name: squeeze(n.called())}
	if w, ok := n.Native.(*Web); ok {
		f.Tag, f.TestID = w.Tag, w.TestID
	}
	for p := n.Parent; p != nil && len(f.Within) < maxWithin; p = p.Parent {
		if d := surrounding(p); d != "" {
			f.Within = append(f.Within, d)
		}
	}
	twins := s.twins(n)
	f.Alike = len(twins)
	f.Near = near(n, twins)
	return f
}

// surrounding is an ancestor as a place: a landmark or a named group. Names that come from content change with it and say
// nothing about the place, so cells and rows do not count; the document itself does not either.
func surrounding(p *Node) string {
	switch p.Role {
	case "document", "row", "cell", "gridcell", "listitem", "generic", "text", "paragraph", "link", "button", "option", "treeitem":
		return ""
	}
	if p.Name == "" && !p.State.Has(Landmark) {
		return ""
	}
	return p.Descriptor()
}

// twins are the other elements of the same role and name.
func (s *Snapshot) twins(n *Node) []*Node {
	name := squeeze(n.called())
	return pick(preorder(s.Root), func(o *Node) bool { return o != n && o.Role == n.Role && squeeze(o.called()) == name })
}

// itemNodes bounds the item that neighbours are looked for in: what is further away says nothing about an element.
const itemNodes = 200

// near describes what n stands among: the title of its item, then the closest things before and after it. With twins
// the item is the largest part of the screen without one of them, the row that makes one "Delete" button another than
// the next; alone, it is the closest part that says anything.
func near(n *Node, twins []*Node) []string {
	item := n
	if len(twins) == 0 {
		for item.Parent != nil && title(item, n) == "" {
			item = item.Parent
		}
	} else {
		taken := map[*Node]bool{}
		for _, t := range twins {
			for p := t; p != nil; p = p.Parent {
				taken[p] = true
			}
		}
		for item.Parent != nil && !taken[item.Parent] {
			item = item.Parent
		}
	}
	var out []string
	own := fmt.Sprintf("text %q", short(squeeze(n.called()))) // its label says what its name says
	for _, d := range append([]string{title(item, n)}, beside(item, n)...) {
		if d != "" && d != own && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// title is what an item is called: its first heading or link, else its first words that are not a number.
func title(item, n *Node) string {
	first, best, budget := "", "", itemNodes
	var walk func(c *Node)
	walk = func(c *Node) {
		if budget--; budget < 0 || best != "" || c == n && !speaks(n) {
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

// speaks reports whether what stands in n says who it is: a list item, a cell, a paragraph without a name.
func speaks(n *Node) bool {
	return squeeze(n.Name) == "" && n.State&(Editable|Focusable|Clickable) == 0
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
	if *budget--; *budget < 0 {
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
	if *budget--; *budget < 0 {
		return ""
	}
	for _, c := range slices.Backward(n.Children) {
		if d := lastSaying(c, budget); d != "" {
			return d
		}
	}
	return says(n)
}

// says is what a leaf says to a reader. An option says what was chosen, not where one is; what has no letter in it is
// punctuation, or a count that changes.
func says(n *Node) string {
	switch {
	case n.Role == "option" || !strings.ContainsFunc(n.Name, unicode.IsLetter) && !strings.ContainsFunc(n.Text, unicode.IsLetter):
		return ""
	case n.Name != "" && len(n.Children) == 0:
		return n.Role + " " + fmt.Sprintf("%q", short(squeeze(n.Name)))
	case n.Text != "":
		return fmt.Sprintf("text %q", short(squeeze(n.Text)))
	}
	return ""
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

// Likeness is the answer to: is this still the element that was recorded?
type Likeness struct {
	Same        bool
	Differences []string // each a sentence
}

// Compare holds what an element is now against what it was when it was recorded. Role, name and test id must agree; with
// the same test id a name may differ in its numbers ("Cart (2)"), for then something else says who it is.
// Where several elements are called the same, then or now, the title of its item and the place it is in must agree too:
// that is what makes it this one. Alone, its surroundings may change, but not all of them: when nothing is left of what was around it, it is
// another element that happens to be called the same.
func (f Fingerprint) Compare(now Fingerprint) Likeness {
	var l Likeness
	differ := func(format string, args ...any) { l.Differences = append(l.Differences, fmt.Sprintf(format, args...)) }
	l.Same = true
	if f.Role != now.Role {
		l.Same = false
		differ("its role is %s, recorded was %s", now.Role, f.Role)
	}
	switch {
	case squeeze(f.Name) == squeeze(now.Name), f.Name == "" && f.Role == "generic": // early recordings left out a generic's text
	case f.TestID != "" && f.TestID == now.TestID && !generated(f.TestID) && skeleton(f.Name) == skeleton(now.Name):
		differ("its name is %q, recorded was %q: only numbers differ, and the test id is the same", now.Name, f.Name)
	default:
		l.Same = false
		differ("its name is %q, recorded was %q", now.Name, f.Name)
	}
	if f.TestID != "" && f.TestID != now.TestID {
		l.Same = false
		differ("its test id is %q, recorded was %q", now.TestID, f.TestID)
	}
	was, is := skeletons(f.Within), skeletons(now.Within) // a list may be called "Cart (3)"
	within, near := common(was, is), common(f.Near, now.Near)
	if len(f.Within) > 0 && within == 0 {
		differ("it is no longer within %s", f.Within[0])
	}
	if len(f.Near) > 0 && near == 0 {
		differ("it is no longer next to %s", f.Near[0])
	}
	switch {
	case f.TestID != "" && f.Alike == 0 && now.Alike == 0:
	case f.Alike > 0 || now.Alike > 0:
		switch {
		case len(f.Near) > 0 && !slices.Contains(now.Near, f.Near[0]):
			l.Same = false
			if near > 0 {
				differ("it is no longer next to %s", f.Near[0])
			}
		case len(was) > 0 && !slices.Contains(is, was[0]): // the same item in another list
			l.Same = false
			if within > 0 {
				differ("it is no longer within %s", f.Within[0])
			}
		}
	case len(f.Within)+len(f.Near) > 0 && within+near == 0:
		l.Same = false
	}
	return l
}

func skeletons(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = skeleton(n)
	}
	return out
}

// skeleton is a name without its numbers.
func skeleton(name string) string { return digits.ReplaceAllString(squeeze(name), "0") }

var digits = regexp.MustCompile(`\d+(?:[.,:/-]\d+)*`)

func common(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}
