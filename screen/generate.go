package screen

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// SelectorFor returns a durable selector for the node: the first strategy whose selector finds exactly this node, with
// every field taken away that is not needed for that. Strategies go from what people name things by to where they lie.
// Names and ids that look as if they changed from run to run come after everything that does not.
func (s *Snapshot) SelectorFor(id NodeID) (Selector, error) { return s.selectorFor(id, false) }

// StructuralSelectorFor is SelectorFor without anything that a translation of the app would change: no name, no text.
func (s *Snapshot) StructuralSelectorFor(id NodeID) (Selector, error) { return s.selectorFor(id, true) }

func (s *Snapshot) selectorFor(id NodeID, structural bool) (Selector, error) {
	n := s.Node(id)
	if n == nil {
		return Selector{}, fault.New(fault.NotFound, "make selector", "no element %d on this screen", id)
	}
	g := generator{snap: s, target: n, structural: structural}
	for candidate := range g.candidates() {
		if g.unique(candidate) {
			return g.minimal(candidate), nil
		}
	}
	if sel, ok := g.byIndex(); ok && g.unique(sel) {
		return sel, nil
	}
	return Selector{}, fault.New(fault.Internal, "make selector", "nothing tells %s from the rest of the screen", n.Descriptor())
}

type generator struct {
	snap       *Snapshot
	target     *Node
	structural bool

	called map[string]int // how many web nodes there are of a role and name
}

// unique reports whether sel finds the target and nothing else.
func (g *generator) unique(sel Selector) bool { return g.alone(sel, g.target) }

func (g *generator) alone(sel Selector, n *Node) bool {
	found, err := g.snap.Find(sel)
	return err == nil && len(found) == 1 && found[0] == n
}

// candidates are the strategies in order of preference. Each is made only when those before it have failed.
func (g *generator) candidates() iter.Seq[Selector] {
	return func(yield func(Selector) bool) {
		own, shaky := g.blocks(g.target)
		each := func(sels []Selector) bool {
			for _, s := range sels {
				if !yield(s) {
					return false
				}
			}
			return true
		}
		_ = each(own) && each(g.within(own)) && each(g.holding(own, false)) && each(shaky) && each(g.within(shaky)) &&
			each(g.holding(append(own, shaky...), true)) && each(g.nth(append(own, shaky...))) && each(g.besides(own))
	}
}

// within places the target in an ancestor that is alone of its kind.
func (g *generator) within(own []Selector) []Selector {
	if len(own) == 0 {
		return nil
	}
	var out []Selector
	parents := g.places()
	for _, own := range own {
		for _, p := range parents {
			sel := own
			sel.ChildOf = &p
			out = append(out, sel)
		}
	}
	return out
}

// holding tells the target by something unique in it, or in the item it is part of; with varying even by something that
// looks as if it changed from run to run, which still beats counting.
func (g *generator) holding(own []Selector, varying bool) []Selector {
	if len(own) == 0 || g.structural {
		return nil
	}
	child, hasChild := g.tellingDescendant(g.target, varying)
	item, hasItem := g.item(varying)
	var out []Selector
	for _, own := range own {
		if hasChild {
			sel := own
			sel.ContainsDescendants = []Selector{child}
			out = append(out, sel)
			sel.ContainsDescendants, sel.ContainsChild = nil, &child
			out = append(out, sel)
		}
		if hasItem {
			sel := own
			sel.ChildOf = &item
			out = append(out, sel)
		}
	}
	return out
}

// places are the ancestors that are alone of their kind, inner first: named ones, and landmarks.
func (g *generator) places() []Selector {
	var out []Selector
	for p := g.target.Parent; p != nil && len(out) < 4; p = p.Parent {
		if p.Role == "document" {
			break
		}
		own, _ := g.blocks(p)
		for _, sel := range own {
			if sel.Web != nil && sel.Web.AriaNameRegex == "" && sel.Web.DataTestID == "" && sel.Web.CSSSelector == "" && !p.State.Has(Landmark) {
				continue // a bare role is a poor place
			}
			if sel.Web != nil && sel.Web.AriaNameRegex != "" && namedByContent(p.Role) {
				if sel.Web.DataTestID == "" && sel.Web.CSSSelector == "" {
					continue
				}
				w := *sel.Web
				w.AriaNameRegex = ""
				sel.Web = &w
			}
			if g.alone(sel, p) {
				out = append(out, sel)
				break
			}
		}
	}
	return out
}

// item is the closest ancestor that something unique below it tells from its siblings: the row with "Order 7" in it.
func (g *generator) item(varying bool) (Selector, bool) {
	for p := g.target.Parent; p != nil && p.Parent != nil; p = p.Parent {
		kind, ok := kindOf(p)
		if !ok {
			continue
		}
		child, ok := g.tellingDescendant(p, varying)
		if !ok {
			continue
		}
		kind.ContainsDescendants = []Selector{child}
		if g.alone(kind, p) {
			return kind, true
		}
	}
	return Selector{}, false
}

// kindOf is what sort of element n is.
func kindOf(n *Node) (Selector, bool) {
	switch d := n.Native.(type) {
	case *Web:
		return Selector{Web: &WebMatch{AriaRole: n.Role}}, meaningful(n.Role) != "" || n.Ref != ""
	case *AndroidAccessibility:
		return Selector{AndroidAccessibility: &AndroidAccessibilityMatch{ClassNameRegex: literal(d.ClassName)}}, d.ClassName != ""
	case *AndroidMaestro:
		return Selector{AndroidMaestro: &AndroidMaestroMatch{ClassNameRegex: literal(d.ClassName)}}, d.ClassName != ""
	case *IOSMaestro:
		return Selector{IOSMaestro: &IOSMaestroMatch{ClassNameRegex: literal(d.ClassName)}}, d.ClassName != ""
	case *IOSAxe:
		return Selector{IOSAxe: &IOSAxeMatch{RoleRegex: literal(d.Role)}}, d.Role != ""
	case *Compose:
		return Selector{Compose: &ComposeMatch{Role: d.Role}}, d.Role != ""
	}
	return Selector{}, false
}

// tellingDescendant is something below n, other than the target, that exists once on the screen.
func (g *generator) tellingDescendant(n *Node, varying bool) (Selector, bool) {
	for i, c := range preorder(n) {
		if i == 0 || c == g.target || n != g.target && (inside(c, g.target) || inside(g.target, c)) {
			continue // what holds the target, or is in it, says what its state is
		}
		if i > itemNodes {
			break
		}
		if _, web := c.Native.(*Web); web {
			if !telling(c.Name) || meaningful(c.Role) == "" || variable.MatchString(c.Name) != varying || g.count(c) != 1 {
				continue
			}
			sel := Selector{Web: &WebMatch{AriaRole: c.Role, AriaNameRegex: literal(c.Name)}}
			if g.alone(sel, c) {
				return sel, true
			}
			continue
		}
		own, _ := g.blocks(c)
		if len(own) > 0 && g.alone(own[0], c) {
			return own[0], true
		}
	}
	return Selector{}, false
}

// maxTelling bounds names that tell one item from another: a longer one is content.
const maxTelling = 60

func telling(name string) bool {
	return strings.ContainsFunc(name, unicode.IsLetter) && utf8.RuneCountInString(squeeze(name)) <= maxTelling
}

// inside reports whether n lies in p.
func inside(n, p *Node) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if n == p {
			return true
		}
	}
	return false
}

// namedByContent are roles whose name is all that stands in them, the values of fields included: a name that changes with
// every change in it.
func namedByContent(role string) bool {
	switch role {
	case "row", "cell", "gridcell", "columnheader", "rowheader", "heading", "listitem", "treeitem", "option", "tab", "link", "button",
		"menuitem", "menuitemcheckbox", "menuitemradio", "tooltip":
		return true
	}
	return false
}

// count is how many web nodes have c's role and name.
func (g *generator) count(c *Node) int {
	if g.called == nil {
		g.called = map[string]int{}
		for _, n := range preorder(g.snap.Root) {
			g.called[n.Descriptor()]++
		}
	}
	return g.called[c.Descriptor()]
}

// nth counts among equals in document order.
func (g *generator) nth(own []Selector) []Selector {
	var out []Selector
	for _, sel := range own {
		if sel.Web == nil || sel.Web.AriaRole == "" {
			continue
		}
		for i, n := range g.inDocumentOrder(sel) {
			if n == g.target {
				w := *sel.Web
				w.NthIndex = &i
				out = append(out, Selector{Web: &w})
			}
		}
	}
	return out
}

func (g *generator) inDocumentOrder(sel Selector) []*Node {
	f := finder{snap: g.snap}
	found, err := f.filter(&sel, preorder(g.snap.Root))
	if err != nil {
		return nil
	}
	return found
}

// besides names a unique neighbour and the side of it.
func (g *generator) besides(own []Selector) []Selector {
	var out []Selector
	if len(own) == 0 || g.target.Parent == nil {
		return nil
	}
	for _, sib := range g.target.Parent.Children {
		if sib == g.target {
			continue
		}
		anchors, _ := g.blocks(sib)
		for _, anchor := range anchors {
			if !g.alone(anchor, sib) {
				continue
			}
			for _, sel := range own {
				for _, side := range []**Selector{&sel.Below, &sel.RightOf, &sel.Above, &sel.LeftOf} {
					*side = &anchor
					out = append(out, sel)
					*side = nil
				}
			}
			break
		}
	}
	return out
}

// byIndex is the last resort: the position among all nodes.
func (g *generator) byIndex() (Selector, bool) {
	all := preorder(g.snap.Root)
	order(all)
	for i, n := range all {
		if n == g.target {
			return Selector{Index: &i}, true
		}
	}
	return Selector{}, false
}

// minimal takes away every field without which the selector still finds the target alone. Role and name stay beside a
// test id or CSS: together they say which element is meant, and all must hold.
func (g *generator) minimal(sel Selector) Selector {
	if sel.Web == nil {
		return sel
	}
	try := func(change func(w *WebMatch)) {
		w := *sel.Web
		change(&w)
		if next := sel; w != (WebMatch{}) && w != *sel.Web {
			next.Web = &w
			if g.unique(next) {
				sel = next
			}
		}
	}
	try(func(w *WebMatch) { w.HeadingLevel = nil })
	try(func(w *WebMatch) { // the name as people write it, if its punctuation means nothing to a pattern
		if plain := squeeze(g.target.called()); w.AriaNameRegex != "" && compile(plain, false).literal() {
			w.AriaNameRegex = plain
		}
	})
	return sel
}
