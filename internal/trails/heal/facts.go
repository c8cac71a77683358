package heal

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// facts holds the known facts of an element. With only a fingerprint, full is false and the rest is empty.
type facts struct {
	print identity.Fingerprint
	name  string // its own, or that of its fingerprint
	text  string // of an element without a name: what stands in it
	ids   []string
	full  bool

	href, placeholder, input string
	before, after            string   // what is read beside it
	anchors                  []string // ids and names of what it lies in, landmarks without a name left out
	under                    string   // the heading that it stands under
	around                   []string // what is read around it, in its part of the page
	item                     string   // what the row, card or item that it lies in is called; "" outside of one
	inItem                   bool
	node                     *screen.Node
}

// ofPrint returns the facts of an element in a fingerprint and a selector.
func ofPrint(p identity.Fingerprint, sel screen.Selector) facts {
	f := facts{print: p, name: p.Name, text: p.Text, anchors: slices.Clone(p.Within)}
	f.anchors = slices.DeleteFunc(f.anchors, func(d string) bool { return !strings.Contains(d, `"`) })
	if p.TestID != "" {
		f.ids = append(f.ids, p.TestID)
	}
	if sel.Web != nil {
		if id, ok := strings.CutPrefix(sel.Web.CSSSelector, "#"); ok && !strings.ContainsAny(id, " .:>[") {
			f.ids = append(f.ids, id)
		}
	}
	f.inItem = p.Item != ""
	for _, d := range p.Within {
		role, name, _ := strings.Cut(d, " ")
		if isItem(role) {
			f.inItem, f.item = true, strings.Trim(name, `"`)
		}
	}
	if f.inItem && f.item == "" && len(p.Near) > 0 {
		f.item = quoted(p.Near[0])
	}
	f.under = quoted(p.Under())
	for i, d := range p.Near {
		title := i == 0 && p.Item == "" && strings.HasPrefix(d, "heading ")
		if !title && !strings.HasPrefix(d, "between ") && !strings.HasPrefix(d, "under ") {
			f.around = append(f.around, eitherSide+plain(quoted(d)))
		}
	}
	return f
}

// quoted is the text of a descriptor: link "Mug" says Mug.
func quoted(d string) string {
	_, text, _ := strings.Cut(d, `"`)
	return strings.TrimSuffix(text, `"`)
}

// factsOf is all that a snapshot says of an element.
func factsOf(s *screen.Snapshot, n *screen.Node) facts {
	p := identity.Of(s, n)
	f := facts{print: p, name: p.Name, full: true, node: n}
	f.ids = append(f.ids, n.IDs()...)
	if w, ok := n.Native.(*screen.Web); ok {
		f.href, f.placeholder, f.input = path(w.Href), w.Placeholder, w.InputType
	}
	f.before, f.after = f.other(beside(n, -1)), f.other(beside(n, 1))
	if f.name == "" {
		f.text = short(strings.Join(strings.Fields(n.WholeText()), " "))
	}
	for a := n.Parent; a != nil; a = a.Parent {
		f.anchor(s, a)
	}
	f.under, f.around = around(n)
	return f
}

// What stands before a text around an element.
const (
	eitherSide = "?"
	beforeIt   = "<"
	afterIt    = ">"
)

// reach is how many texts on each side of an element count as being around it.
const reach = 4

// around is what is read before and after an element in its part of the page, and the last heading before it.
func around(n *screen.Node) (under string, out []string) {
	part := partOf(n)
	var before, after []string
	past := false
	var walk func(c *screen.Node)
	walk = func(c *screen.Node) {
		if c == n {
			past = true
			return
		}
		text := plain(c.Name)
		if text == "" {
			text = plain(c.Text)
		}
		if heading := c.Role == "heading"; text != "" && inSight(c) && c != part && (heading || !below(n, c)) {
			if past {
				after = append(after, text)
			} else if before = append(before, text); heading {
				under = text
			}
		}
		for _, k := range c.Children {
			walk(k)
		}
	}
	walk(part)
	own := plain(callName(n))
	before, after = slices.Compact(before), slices.Compact(after)
	add := func(side string, of []string) {
		for _, text := range of {
			if text != own && hasLetter(text) && !slices.Contains(out, side+text) {
				out = append(out, side+text)
			}
		}
	}
	add(beforeIt, before[max(len(before)-reach, 0):])
	add(afterIt, after[:min(len(after), reach)])
	return under, out
}

// reads reports whether a text that was around an element is around it.
func (f *facts) reads(text string) bool {
	if of, ok := strings.CutPrefix(text, eitherSide); ok {
		return slices.Contains(f.around, beforeIt+of) || slices.Contains(f.around, afterIt+of)
	}
	return slices.Contains(f.around, text)
}

// partOf is the landmark that an element stands in, the page where there is none.
func partOf(n *screen.Node) *screen.Node {
	part := n
	for part.Parent != nil && (part == n || !part.State.Has(screen.Landmark)) {
		part = part.Parent
	}
	return part
}

// plain is a text as it is compared: its words.
func plain(text string) string { return strings.Join(words(text), " ") }

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// other is a text beside an element, "" where it is the element's own label.
func (f *facts) other(text string) string {
	if alike(text, f.name) == same {
		return ""
	}
	return text
}

// anchor takes an ancestor into what is known, unless most of the page lies in it.
func (f *facts) anchor(s *screen.Snapshot, a *screen.Node) {
	if 2*controls(a) > controls(s.Root) && a.Name == "" {
		return
	}
	if a.Role != "main" && a.Role != "document" {
		for _, id := range a.IDs() {
			f.anchors = append(f.anchors, "#"+id)
		}
	}
	if a.Name != "" && a.Role != "document" {
		f.anchors = append(f.anchors, a.Descriptor())
	}
	alone := plain(a.WholeText()) == plain(f.node.WholeText()) // an item that holds nothing else tells nothing more
	if !f.inItem && isItem(a.Role) && !alone {
		f.inItem, f.item = true, strings.Join(strings.Fields(a.Name), " ")
		if f.item == "" && len(f.print.Near) > 0 {
			f.item = quoted(f.print.Near[0])
		}
	}
}

// controls counts the controls in a part of a page.
func controls(n *screen.Node) int {
	count := 0
	if n.Control() {
		count++
	}
	for _, c := range n.Children {
		count += controls(c)
	}
	return count
}

// isItem are roles of what stands among others of its kind.
func isItem(role string) bool {
	switch role {
	case "row", "listitem", "treeitem", "article":
		return true
	}
	return false
}

// path is an address without its origin.
func path(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || raw == "" {
		return raw
	}
	return u.RequestURI() + u.Fragment
}

// maxBeside bounds how much of a neighbour is read.
const maxBeside = 80

// beside is the text before or after an element: of its sibling, or of that of the closest ancestor that has one.
func beside(n *screen.Node, step int) string {
	for up := 0; n.Parent != nil && up < 3; up++ {
		kin := n.Parent.Children
		for i := slices.Index(kin, n) + step; i >= 0 && i < len(kin); i += step {
			text := strings.Join(strings.Fields(kin[i].WholeText()), " ")
			if text == "" {
				text = kin[i].Name
			}
			if text != "" {
				return text[:min(len(text), maxBeside)]
			}
		}
		n = n.Parent
	}
	return ""
}
