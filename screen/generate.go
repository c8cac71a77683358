package screen

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// SelectorFor returns a durable selector for the node: the first strategy whose selector finds exactly this node, with
// every field taken away that is not needed for that. Strategies go from what people name things by to where they lie.
func (s *Snapshot) SelectorFor(id NodeID) (Selector, error) {
	n := s.Node(id)
	if n == nil {
		return Selector{}, fault.New(fault.NotFound, "make selector", "no element %d on this screen", id)
	}
	g := generator{snap: s, target: n}
	for _, candidate := range g.candidates() {
		if g.unique(candidate) {
			return g.minimal(candidate), nil
		}
	}
	if sel, ok := g.byIndex(); ok {
		return sel, nil
	}
	return Selector{}, fault.New(fault.Internal, "make selector", "nothing tells %s from the rest of the screen", n.Descriptor())
}

type generator struct {
	snap   *Snapshot
	target *Node
}

// unique reports whether sel finds the target and nothing else.
func (g *generator) unique(sel Selector) bool {
	found, err := g.snap.Find(sel)
	return err == nil && len(found) == 1 && found[0] == g.target
}

// candidates are the strategies in order of preference.
func (g *generator) candidates() []Selector {
	var out []Selector
	add := func(sels ...Selector) { out = append(out, sels...) }
	own := blocks(g.target)
	add(own...)
	parents := g.places()
	for _, own := range own {
		for _, p := range parents {
			sel := own
			sel.ChildOf = &p
			add(sel)
		}
	}
	for _, own := range own {
		if child, ok := g.tellingDescendant(g.target); ok {
			sel := own
			sel.ContainsDescendants = []Selector{child}
			add(sel)
		}
		if item, ok := g.item(); ok {
			sel := own
			sel.ChildOf = &item
			add(sel)
		}
	}
	add(g.nth(own)...)
	add(g.besides(own)...)
	return out
}

// blocks describe n by itself, best first.
func blocks(n *Node) []Selector {
	name := literal(n.Name)
	switch d := n.Native.(type) {
	case *Web:
		return webBlocks(n, d, name)
	case *AndroidAccessibility:
		return androidBlocks(d)
	case *AndroidMaestro:
		return present([]Selector{
			{AndroidMaestro: &AndroidMaestroMatch{ResourceIDRegex: literal(d.ResourceID)}},
			{AndroidMaestro: &AndroidMaestroMatch{TextRegex: literal(d.Text)}},
			{AndroidMaestro: &AndroidMaestroMatch{AccessibilityTextRegex: literal(d.AccessibilityText)}},
			{AndroidMaestro: &AndroidMaestroMatch{ClassNameRegex: literal(d.ClassName)}},
		})
	case *IOSMaestro:
		return present([]Selector{
			{IOSMaestro: &IOSMaestroMatch{ResourceIDRegex: literal(d.ResourceID)}},
			{IOSMaestro: &IOSMaestroMatch{AccessibilityTextRegex: literal(d.AccessibilityText)}},
			{IOSMaestro: &IOSMaestroMatch{TextRegex: literal(d.Text)}},
			{IOSMaestro: &IOSMaestroMatch{HintTextRegex: literal(d.HintText)}},
			{IOSMaestro: &IOSMaestroMatch{TextRegex: literal(d.Text), ClassNameRegex: literal(d.ClassName)}},
			{IOSMaestro: &IOSMaestroMatch{ClassNameRegex: literal(d.ClassName)}},
		})
	case *IOSAxe:
		return present([]Selector{
			{IOSAxe: &IOSAxeMatch{UniqueID: d.UniqueID}},
			{IOSAxe: &IOSAxeMatch{LabelRegex: literal(d.Label)}},
			{IOSAxe: &IOSAxeMatch{LabelRegex: literal(d.Label), RoleRegex: literal(d.Role)}},
			{IOSAxe: &IOSAxeMatch{ValueRegex: literal(d.Value)}},
			{IOSAxe: &IOSAxeMatch{TitleRegex: literal(d.Title)}},
			{IOSAxe: &IOSAxeMatch{SubroleRegex: literal(d.Subrole), RoleRegex: literal(d.Role)}},
			{IOSAxe: &IOSAxeMatch{RoleRegex: literal(d.Role)}},
		})
	case *Compose:
		return present([]Selector{
			{Compose: &ComposeMatch{TestTag: d.TestTag}},
			{Compose: &ComposeMatch{ContentDescriptionRegex: literal(d.ContentDescription)}},
			{Compose: &ComposeMatch{ContentDescriptionRegex: literal(d.ContentDescription), Role: d.Role}},
			{Compose: &ComposeMatch{TextRegex: literal(d.Text)}},
			{Compose: &ComposeMatch{TextRegex: literal(d.Text), Role: d.Role}},
			{Compose: &ComposeMatch{Role: d.Role}},
		})
	}
	return nil
}

// webBlocks prefer what the authors of the page meant for tests and people: test id, role and name. A CSS path stands
// last: it says where an element is and not what it is.
func webBlocks(n *Node, d *Web, name string) []Selector {
	var out []Selector
	if d.TestID != "" {
		out = append(out, Selector{Web: &WebMatch{AriaRole: meaningful(n.Role), AriaNameRegex: stable(n.Name), DataTestID: d.TestID}}, Selector{Web: &WebMatch{DataTestID: d.TestID}})
	}
	if n.Name != "" && meaningful(n.Role) != "" {
		out = append(out, Selector{Web: &WebMatch{AriaRole: n.Role, AriaNameRegex: name}})
		if n.Level > 0 {
			level := n.Level
			out = append(out, Selector{Web: &WebMatch{AriaRole: n.Role, AriaNameRegex: name, HeadingLevel: &level}})
		}
	}
	if d.CSS != "" {
		out = append(out, Selector{Web: &WebMatch{AriaRole: meaningful(n.Role), AriaNameRegex: stable(n.Name), CSSSelector: d.CSS}})
	}
	if meaningful(n.Role) != "" {
		out = append(out, Selector{Web: &WebMatch{AriaRole: n.Role}})
	}
	return out
}

func androidBlocks(d *AndroidAccessibility) []Selector {
	m := func(f AndroidAccessibilityMatch) Selector { return Selector{AndroidAccessibility: &f} }
	text, class := literal(d.ResolveText()), literal(d.ClassName)
	if d.IsEditable {
		text = "" // what a person typed is no name
	}
	return present([]Selector{
		m(AndroidAccessibilityMatch{UniqueID: d.UniqueID}), m(AndroidAccessibilityMatch{ResourceIDRegex: literal(d.ResourceID)}),
		m(AndroidAccessibilityMatch{ComposeTestTagRegex: literal(d.ComposeTestTag)}),
		m(AndroidAccessibilityMatch{ContentDescriptionRegex: literal(d.ContentDescription)}),
		m(AndroidAccessibilityMatch{ContentDescriptionRegex: literal(d.ContentDescription), ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{HintTextRegex: literal(d.HintText)}), m(AndroidAccessibilityMatch{HintTextRegex: literal(d.HintText), ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{TextRegex: text}), m(AndroidAccessibilityMatch{TextRegex: text, ClassNameRegex: class}),
		m(AndroidAccessibilityMatch{ResourceIDRegex: literal(d.ResourceID), TextRegex: text}),
		m(AndroidAccessibilityMatch{LabeledByTextRegex: literal(d.LabeledByText)}), m(AndroidAccessibilityMatch{PaneTitleRegex: literal(d.PaneTitle)}),
		m(AndroidAccessibilityMatch{ClassNameRegex: class}), m(AndroidAccessibilityMatch{StateDescriptionRegex: literal(d.StateDescription)}),
		m(AndroidAccessibilityMatch{RoleDescriptionRegex: literal(d.RoleDescription)}),
	})
}

// present drops selectors whose block says nothing.
func present(sels []Selector) []Selector {
	var out []Selector
	for _, s := range sels {
		if s.says() {
			out = append(out, s)
		}
	}
	return out
}

func (sel *Selector) says() bool {
	switch {
	case sel.AndroidAccessibility != nil:
		return *sel.AndroidAccessibility != AndroidAccessibilityMatch{}
	case sel.AndroidMaestro != nil:
		return *sel.AndroidMaestro != AndroidMaestroMatch{}
	case sel.IOSMaestro != nil:
		return *sel.IOSMaestro != IOSMaestroMatch{}
	case sel.IOSAxe != nil:
		return *sel.IOSAxe != IOSAxeMatch{}
	case sel.Compose != nil:
		return *sel.Compose != ComposeMatch{}
	case sel.Web != nil:
		return *sel.Web != WebMatch{}
	}
	return false
}

// places are the named ancestors that are alone of their kind, inner first.
func (g *generator) places() []Selector {
	var out []Selector
	for p := g.target.Parent; p != nil && len(out) < 4; p = p.Parent {
		if p.Role == "document" {
			break
		}
		for _, sel := range blocks(p) {
			if sel.Web != nil && sel.Web.AriaNameRegex == "" && sel.Web.DataTestID == "" && !p.State.Has(Landmark) {
				continue // a bare role is a poor place
			}
			if found, err := g.snap.Find(sel); err == nil && len(found) == 1 && found[0] == p {
				out = append(out, sel)
				break
			}
		}
	}
	return out
}

// item is the closest ancestor that something unique below it tells from its siblings: the row with "Order 7" in it.
func (g *generator) item() (Selector, bool) {
	for p := g.target.Parent; p != nil && p.Parent != nil; p = p.Parent {
		if meaningful(p.Role) == "" {
			continue
		}
		child, ok := g.tellingDescendant(p)
		if !ok {
			continue
		}
		sel := Selector{Web: &WebMatch{AriaRole: p.Role}, ContainsDescendants: []Selector{child}}
		if found, err := g.snap.Find(sel); err == nil && len(found) == 1 && found[0] == p {
			return sel, true
		}
	}
	return Selector{}, false
}

// tellingDescendant is something below n, other than the target, that exists once on the screen.
func (g *generator) tellingDescendant(n *Node) (Selector, bool) {
	for i, c := range preorder(n) {
		if i == 0 || c == g.target || squeeze(c.Name) == "" || meaningful(c.Role) == "" {
			continue
		}
		if i > itemNodes {
			break
		}
		if _, web := c.Native.(*Web); !web {
			continue
		}
		sel := Selector{Web: &WebMatch{AriaRole: c.Role, AriaNameRegex: literal(c.Name)}}
		if found, err := g.snap.Find(sel); err == nil && len(found) == 1 {
			return sel, true
		}
	}
	return Selector{}, false
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
		if sib == g.target || sib.Name == "" {
			continue
		}
		for _, anchor := range blocks(sib) {
			if found, err := g.snap.Find(anchor); err != nil || len(found) != 1 {
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

// minimal takes away every field without which the selector still finds the target alone.
func (g *generator) minimal(sel Selector) Selector {
	if sel.Web == nil {
		return sel
	}
	try := func(change func(w *WebMatch)) {
		w := *sel.Web
		change(&w)
		if w == (WebMatch{}) {
			return
		}
		next := sel
		next.Web = &w
		if g.unique(next) {
			sel = next
		}
	}
	// Role and name stay beside a test id or CSS: together they say which element is meant, and all must hold.
	try(func(w *WebMatch) { w.HeadingLevel = nil })
	try(func(w *WebMatch) {
		if plain := squeeze(g.target.Name); w.AriaNameRegex != "" && compile(plain, false).linear == nil && compile(plain, false).back == nil {
			w.AriaNameRegex = plain
		}
	})
	return sel
}

// literal is a pattern that matches exactly this text, written plainly where that means the same.
func literal(text string) string {
	text = squeeze(text)
	if text == "" || regexp.QuoteMeta(text) == text {
		return text
	}
	if !strings.Contains(text, `\E`) {
		return `\Q` + text + `\E`
	}
	return regexp.QuoteMeta(text)
}

// variable are parts of names that change from run to run: long numbers, dates, times, amounts.
var variable = regexp.MustCompile(`\d{4,}|\d+[:./-]\d+|[$€£]\s?\d`)

// stable is the literal of a name without such parts, "" of one with them.
func stable(name string) string {
	if variable.MatchString(name) {
		return ""
	}
	return literal(name)
}

func meaningful(role string) string {
	switch role {
	case "", "generic", "none", "presentation", "text":
		return ""
	}
	return role
}

// Descriptor is how people and traces name an element: button "Save".
func (n *Node) Descriptor() string {
	if n.Name == "" {
		return n.Role
	}
	return n.Role + " " + fmt.Sprintf("%q", squeeze(n.Name))
}
