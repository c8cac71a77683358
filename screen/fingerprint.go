package screen

import (
	"fmt"
	"slices"
)

// maxWithin bounds how many places a fingerprint remembers.
const maxWithin = 3

// FingerprintOf says who n is: role, name, test id, the named or landmark ancestors it lies in, and the labelled
// neighbours around it.
func (s *Snapshot) FingerprintOf(n *Node) Fingerprint {
	f := Fingerprint{Role: n.Role, Name: squeeze(n.Name)}
	if w, ok := n.Native.(*Web); ok {
		f.Tag, f.TestID = w.Tag, w.TestID
	}
	for p := n.Parent; p != nil && len(f.Within) < maxWithin; p = p.Parent {
		if d := context(p); d != "" {
			f.Within = append(f.Within, d)
		}
	}
	f.Near = neighbours(n)
	return f
}

// context is an ancestor as a place: a landmark or a named group. Names that come from content change with it and say
// nothing about the place, so cells and rows do not count; the document itself does not either.
func context(p *Node) string {
	switch p.Role {
	case "document", "row", "cell", "gridcell", "listitem", "generic", "text", "paragraph", "link", "button", "option", "treeitem":
		return ""
	}
	if p.Name == "" && !p.State.Has(Landmark) {
		return ""
	}
	return p.Descriptor()
}

// itemNodes bounds the item that neighbours are looked for in: what is further away says nothing about an element.
const itemNodes = 200

// neighbours are the closest labelled things before and after n inside its item: the row, the list item, the group that
// makes one "Delete" button another than the next.
func neighbours(n *Node) []string {
	for item, child := n.Parent, n; item != nil; item, child = item.Parent, item {
		var out []string
		budget := itemNodes
		i := slices.Index(item.Children, child)
		for k := i - 1; k >= 0 && budget > 0; k-- {
			if d := lastSaying(item.Children[k], &budget); d != "" {
				out = append(out, d)
				break
			}
		}
		for k := i + 1; k < len(item.Children) && budget > 0; k++ {
			if d := firstSaying(item.Children[k], &budget); d != "" {
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

// says is what a leaf says to a reader.
func says(n *Node) string {
	switch {
	case n.Text != "":
		return fmt.Sprintf("text %q", short(squeeze(n.Text)))
	case n.Name != "" && len(n.Children) == 0:
		return n.Role + " " + fmt.Sprintf("%q", short(squeeze(n.Name)))
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

// Compare holds what an element is now against what it was when it was recorded. Role, name and test id must agree.
// The surroundings may change, but not all of them: when nothing of what was around it is left, it is another element
// that happens to be called the same.
func (f Fingerprint) Compare(now Fingerprint) Likeness {
	var l Likeness
	differ := func(format string, args ...any) { l.Differences = append(l.Differences, fmt.Sprintf(format, args...)) }
	l.Same = true
	if f.Role != now.Role {
		l.Same = false
		differ("its role is %s, recorded was %s", now.Role, f.Role)
	}
	if squeeze(f.Name) != squeeze(now.Name) {
		l.Same = false
		differ("its name is %q, recorded was %q", now.Name, f.Name)
	}
	if f.TestID != "" && f.TestID != now.TestID {
		l.Same = false
		differ("its test id is %q, recorded was %q", now.TestID, f.TestID)
	}
	within, near := common(f.Within, now.Within), common(f.Near, now.Near)
	if len(f.Within) > 0 && within == 0 {
		differ("it is no longer within %s", f.Within[0])
	}
	if len(f.Near) > 0 && near == 0 {
		differ("it is no longer next to %s", f.Near[0])
	}
	if len(f.Within)+len(f.Near) > 0 && within+near == 0 && f.TestID == "" {
		l.Same = false
	}
	return l
}

func common(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}
