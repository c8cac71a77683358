package identity

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// features holds all that is known of an element: its fingerprint, and where its screen is known, what only that shows.
type features struct {
	Fingerprint
	node *screen.Node // nil: only the fingerprint is known

	content                  string // the text in an element without a name
	ids                      []string
	href, placeholder, input string
	before, after            string   // the texts beside it, its own label left out
	anchors                  []string // ids and names of what it lies in, landmarks without a name left out
	under                    string   // the heading that it stands under
	around                   []string // the texts around it in its part of the page, each after its side
	item                     string   // the title of the row or card that it lies in
	inItem                   bool
}

// recorded returns the features in a fingerprint and a selector.
func recorded(p Fingerprint, sel screen.Selector) features {
	f := features{Fingerprint: p, content: p.Text, inItem: p.Item != "", under: quoted(p.Under())}
	if p.TestID != "" {
		f.ids = append(f.ids, p.TestID)
	}
	if sel.Web != nil {
		if id, ok := strings.CutPrefix(sel.Web.CSSSelector, "#"); ok && !strings.ContainsAny(id, " .:>[") {
			f.ids = append(f.ids, id)
		}
	}
	for _, d := range p.Within {
		role, name, named := strings.Cut(d, ` "`)
		if named {
			f.anchors = append(f.anchors, d)
		}
		if isCard(role) {
			f.inItem, f.item = true, strings.Trim(name, `"`)
		}
	}
	f.titled()
	for i, d := range p.Near {
		title := i == 0 && p.Item == "" && strings.HasPrefix(d, "heading ")
		if !title && !strings.HasPrefix(d, "between ") && !strings.HasPrefix(d, underIt) {
			f.around = append(f.around, eitherSide+words.Plain(quoted(d)))
		}
	}
	return f
}

// titled takes the first neighbour as the title of an item without a name.
func (f *features) titled() {
	if f.inItem && f.item == "" && len(f.Near) > 0 {
		f.item = quoted(f.Near[0])
	}
}

// quoted returns the text of a descriptor: Mug of link "Mug".
func quoted(d string) string {
	_, text, _ := strings.Cut(d, `"`)
	return strings.TrimSuffix(text, `"`)
}

// featuresOf returns all that a snapshot says of an element.
func featuresOf(s *screen.Snapshot, n *screen.Node) features {
	f := features{Fingerprint: Of(s, n), node: n, ids: n.IDs()}
	if w, ok := n.Native.(*screen.Web); ok {
		f.href, f.placeholder, f.input = path(w.Href), w.Placeholder, w.InputType
	}
	f.before, f.after = f.beside(-1), f.beside(1)
	if f.Name == "" {
		f.content = short(n.FullText())
	}
	all := controls(s, s.Root)
	for a := n.Parent; a != nil; a = a.Parent {
		f.anchor(a, 2*controls(s, a) > all)
	}
	f.readAround(s)
	return f
}

// The marks of the side before a text around an element.
const (
	eitherSide = "?"
	beforeIt   = "<"
	afterIt    = ">"
)

// reach bounds the texts on each side of an element that count as being around it.
const reach = 4

// readAround reads the texts before and after an element in its part of the page, and the last heading before it.
func (f *features) readAround(s *screen.Snapshot) {
	part := landmarkOf(f.node)
	var before, after []string
	from, end := s.Span(f.node)
	for _, c := range s.Below(part)[1:] {
		at, _ := s.Span(c)
		text := cmp.Or(words.Plain(c.Name), words.Plain(c.Text))
		switch heading := c.Role == "heading"; {
		case text == "" || !c.OnPage() || at >= from && at < end || !heading && screen.Within(f.node, c):
		case at > from:
			after = append(after, text)
		default:
			if before = append(before, text); heading {
				f.under = text
			}
		}
	}
	own := words.Plain(f.node.Called())
	before, after = slices.Compact(before), slices.Compact(after)
	add := func(side string, of []string) {
		for _, text := range of {
			if text != own && hasLetter(text) && !slices.Contains(f.around, side+text) {
				f.around = append(f.around, side+text)
			}
		}
	}
	add(beforeIt, before[max(len(before)-reach, 0):])
	add(afterIt, after[:min(len(after), reach)])
}

// reads reports whether a text that was around an element is around it.
func (f *features) reads(text string) bool {
	if of, ok := strings.CutPrefix(text, eitherSide); ok {
		return slices.Contains(f.around, beforeIt+of) || slices.Contains(f.around, afterIt+of)
	}
	return slices.Contains(f.around, text)
}

// landmarkOf returns the landmark around an element, the page where there is none.
func landmarkOf(n *screen.Node) *screen.Node {
	part := n
	for part.Parent != nil && (part == n || !part.State.Has(screen.Landmark)) {
		part = part.Parent
	}
	return part
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// anchor takes an ancestor into what is known; where most of the page lies in it, only its name distinguishes it.
func (f *features) anchor(a *screen.Node, most bool) {
	if most && a.Name == "" {
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
	alone := words.Plain(a.FullText()) == words.Plain(f.node.FullText()) // an item of nothing else identifies nothing
	if !f.inItem && isCard(a.Role) && !alone {
		f.inItem, f.item = true, words.Squeeze(a.Name)
		f.titled()
	}
}

// controls counts the controls in a part of a page.
func controls(s *screen.Snapshot, n *screen.Node) int {
	return len(screen.Pick(s.Below(n), (*screen.Node).Control))
}

// isCard reports whether elements of a role hold the parts of one thing among others of its kind.
func isCard(role string) bool {
	switch role {
	case "row", "listitem", "treeitem", "article":
		return true
	}
	return false
}

// path returns an address without its origin.
func path(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || raw == "" {
		return raw
	}
	return u.RequestURI() + u.Fragment
}

// maxBeside bounds how much of a neighbour is read.
const maxBeside = 80

// beside returns the text before or after an element: of its sibling, or of that of the closest ancestor that has one;
// "" where it is the element's own label.
func (f *features) beside(step int) string {
	n := f.node
	for up := 0; n.Parent != nil && up < 3; up++ {
		kin := n.Parent.Children
		for i := slices.Index(kin, n) + step; i >= 0 && i < len(kin); i += step {
			text := cmp.Or(kin[i].FullText(), kin[i].Name)
			if text == "" {
				continue
			}
			if text = text[:min(len(text), maxBeside)]; words.Alike(text, f.Name) == words.Same {
				return ""
			}
			return text
		}
		n = n.Parent
	}
	return ""
}
