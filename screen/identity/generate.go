package identity

import (
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// SelectorFor returns a durable selector for the node: the first in the order below whose selector finds exactly
// this node; where only a weak one would (see weak), the first that finds it alone among the visible nodes. Test
// ids and the texts that people read come first: test id, role and name, role and text, alone, then in a named
// place, then in the item (the row, the card) that has a text of its own. An id follows, if nothing about it
// counts. Names that change from run to run come after all that does not, and a class comes after these: a new
// style sheet renames it. The last resort is a number among equals inside the nearest ancestor that is alone of its
// kind; a bare number is never made.
func SelectorFor(s *screen.Snapshot, id screen.NodeID) (screen.Selector, error) {
	return selectorFor(s, id, false)
}

// StructuralSelectorFor is SelectorFor without anything that a translation of the app would change: no name, no text.
func StructuralSelectorFor(s *screen.Snapshot, id screen.NodeID) (screen.Selector, error) {
	return selectorFor(s, id, true)
}

func selectorFor(s *screen.Snapshot, id screen.NodeID, structural bool) (screen.Selector, error) {
	n := s.Node(id)
	if n == nil {
		return screen.Selector{}, fault.New(fault.NotFound, "make selector", "no element %d on this screen", id)
	}
	sel, ok := newGenerator(s, n, structural).first()
	if screen.PhoneBlocks[reflect.TypeOf(n.Native)] == nil && (!ok || weak(&sel)) {
		g := newGenerator(s, n, structural)
		g.seen = true
		if among, found := g.first(); found && !weak(&among) {
			return among, nil
		}
	}
	if !ok {
		return screen.Selector{}, fault.New(fault.Internal, "make selector", "nothing tells %s from the rest of the screen",
			n.Descriptor())
	}
	return sel, nil
}

// first is the best selector that finds the target and nothing else.
func (g *generator) first() (screen.Selector, bool) {
	for candidate := range g.candidates() {
		found, err := g.snap.Find(candidate)
		found = slices.DeleteFunc(found, g.ignores)
		if err == nil && len(found) == 1 && found[0] == g.target {
			return candidate, true
		}
	}
	return screen.Selector{}, false
}

// ignores reports whether o needs no telling apart from the target.
func (g *generator) ignores(o *screen.Node) bool { return g.seen && outseen(o, g.target) }

// weak reports whether a selector rests on a number, on an id or a class, which say nothing to a reader, or on the
// side of a neighbour that the element is drawn on.
func weak(sel *screen.Selector) bool {
	return sel.Counts() || byMarkup(sel) || sel.Above != nil || sel.Below != nil || sel.LeftOf != nil ||
		sel.RightOf != nil
}

func byMarkup(sel *screen.Selector) bool {
	return sel != nil && (sel.Web != nil &&
		(screen.CSSID().MatchString(sel.Web.CSSSelector) || strings.HasPrefix(sel.Web.CSSSelector, ".")) ||
		byMarkup(sel.ChildOf))
}

// criterion is a property by which a selector can match one node.
type criterion struct {
	sel screen.Selector
	// only nodes of this role can be what sel describes, on phones those with this text, see sayings; "" for any
	role string
	is   func(*screen.Node) bool // whether a node is what sel describes; it may err a little, Find has the last word
}

// claims holds everything that identifies one node without its surroundings, each list best first.
type claims struct {
	sure  []criterion // test id, name, text
	ids   []criterion // ids that stay what they are
	kinds []criterion // what sort of element it is
	shaky []criterion // names, texts and test ids that look as if they changed from run to run
	style []criterion // classes, which a new style sheet renames
	count []criterion // ids that number elements
}

// generator makes one selector. It is the same for browsers and phones: only the claims differ.
type generator struct {
	snap       *screen.Snapshot
	target     *screen.Node
	structural bool
	seen       bool // what nobody sees needs no telling apart from a target that is seen

	all       []*screen.Node
	own       claims               // of the target
	hits      map[*criterion][]int // what a claim of the target holds for, as places in all
	spots     []spot               // see places
	looked    bool
	selectors map[*screen.Node]screen.Selector // see unique
	known     map[*screen.Node]*phoneFacts
}

func newGenerator(s *screen.Snapshot, n *screen.Node, structural bool) *generator {
	g := &generator{snap: s, target: n, structural: structural, all: s.Below(s.Root), hits: map[*criterion][]int{},
		selectors: map[*screen.Node]screen.Selector{}, known: map[*screen.Node]*phoneFacts{}}
	g.own = g.claims(n)
	return g
}

// candidates are the strategies in order of preference. Each is tried only when those before it have failed.
func (g *generator) candidates() iter.Seq[screen.Selector] {
	return func(yield func(screen.Selector) bool) {
		if screen.PhoneBlocks[reflect.TypeOf(g.target.Native)] != nil {
			g.phoneCandidates()(yield)
			return
		}
		_ = g.asFound(yield) && g.byMeaning(yield) && g.byID(yield) && g.byChanging(yield) && g.byLayout(yield)
	}
}

// asFound yields the CSS selectors that found the target, where no capture without one shows it: such as a wrapper that
// says nothing.
func (g *generator) asFound(yield func(screen.Selector) bool) bool {
	n := g.target
	w, ok := n.Native.(*screen.Web)
	if !ok || n.Role != "generic" || n.Called() != "" || n.Ref != "" || n.Scroll != nil || w.HTMLID+w.TestID != "" ||
		slices.ContainsFunc(n.Children, func(c *screen.Node) bool { return c.Role == "text" }) {
		return true
	}
	for _, css := range slices.Sorted(maps.Keys(g.snap.CSS)) {
		if !strings.HasPrefix(css, screen.ElementCSS) && !yield(screen.Selector{Web: &screen.WebMatch{CSSSelector: css}}) {
			return false
		}
	}
	return true
}

// byMeaning yields selectors of the target by test id and by the texts that people read: alone, in a place, in an
// item.
func (g *generator) byMeaning(yield func(screen.Selector) bool) bool {
	own := g.own
	return g.alone(own.sure, yield) && g.within(own.sure, g.named(), yield) && g.inItem(own.sure, false, yield) &&
		g.inItem(own.kinds, false, yield) && g.within(own.kinds, g.named(), yield) &&
		g.holding(slices.Concat(own.sure, own.kinds), false, yield) && g.alone(backward(own.kinds), yield)
}

// byID yields selectors of the target by its id, by its row and column, or in a place that only an id identifies.
func (g *generator) byID(yield func(screen.Selector) bool) bool {
	own := slices.Concat(g.own.sure, g.own.kinds)
	return g.alone(g.own.ids, yield) && g.inColumn(own, yield) && g.within(own, g.places(), yield)
}

// byChanging yields selectors of the target by names and texts that look as if they changed from run to run.
func (g *generator) byChanging(yield func(screen.Selector) bool) bool {
	own := g.own
	return g.alone(own.shaky, yield) && g.within(own.shaky, g.places(), yield) &&
		g.inItem(slices.Concat(own.sure, own.kinds, own.shaky), true, yield) && g.holding(own.kinds, true, yield)
}

// byLayout yields selectors of the target by its class, by its side of a neighbour, and last by a number.
func (g *generator) byLayout(yield func(screen.Selector) bool) bool {
	own := g.own
	return g.alone(own.style, yield) && g.beside(slices.Concat(own.sure, own.kinds), yield) &&
		g.alone(own.count, yield) && g.numbered(yield)
}

// holders are the places in the tree of all nodes that a claim holds for.
func (g *generator) holders(c *criterion) []int {
	if found, ok := g.hits[c]; ok {
		return found
	}
	found := []int{}
	if c.role != "" {
		list := g.snap.OfRole(c.role)
		if c.sel.Web == nil {
			list = g.snap.PhoneSayings()[c.role]
		}
		for _, i := range list {
			if c.is(g.all[i]) && !g.ignores(g.all[i]) {
				found = append(found, int(i))
			}
		}
	} else {
		for i, n := range g.all {
			if c.is(n) && !g.ignores(n) {
				found = append(found, i)
			}
		}
	}
	g.hits[c] = found
	return found
}

// outseen reports whether o is out of sight while n is visible: a replay takes n then, so the selector need not
// exclude o. A closed list and the native select behind a drawn one hold the same options as the open list.
func outseen(o, n *screen.Node) bool {
	unseen := func(v screen.Visibility) bool {
		return v == screen.Hidden || v == screen.Transparent || v == screen.Clipped
	}
	return unseen(o.Visibility) && !unseen(n.Visibility)
}

// only reports whether a claim holds for n and for nothing else.
func (g *generator) only(c *criterion, n *screen.Node) bool {
	found := g.holders(c)
	return len(found) == 1 && g.all[found[0]] == n
}

func (g *generator) index(n *screen.Node) int { from, _ := g.snap.Span(n); return from }
func (g *generator) end(n *screen.Node) int   { _, to := g.snap.Span(n); return to }

// alone yields the claims that match only the target.
func (g *generator) alone(own []criterion, yield func(screen.Selector) bool) bool {
	for i := range own {
		if g.only(&own[i], g.target) && !yield(own[i].sel) {
			return false
		}
	}
	return true
}

func backward(list []criterion) []criterion {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// spot is an ancestor that is alone of its kind.
type spot struct {
	node *screen.Node
	sel  screen.Selector
	byID bool // only its id or its class tells it
}

// maxPlaces bounds how many ancestors are tried as places.
const maxPlaces = 4

// places returns the ancestors that are unique on the screen, inner first: by a test id, a name, an id, or as a
// landmark.
func (g *generator) places() []spot {
	if g.looked {
		return g.spots
	}
	g.looked = true
	for p := g.target.Parent; p != nil && p.Parent != nil && len(g.spots) < maxPlaces; p = p.Parent {
		if spot, ok := g.place(p); ok {
			g.spots = append(g.spots, spot)
		}
	}
	return g.spots
}

// named are the places that need no id.
func (g *generator) named() []spot {
	return slices.DeleteFunc(slices.Clone(g.places()), func(p spot) bool { return p.byID })
}

func (g *generator) place(p *screen.Node) (spot, bool) {
	said := g.claims(p)
	if p.State.Has(screen.Landmark) {
		said.sure = append(said.sure, said.kinds...)
	}
	for i := range said.sure {
		if w := said.sure[i].sel.Web; w != nil && w.DataTestID == "" &&
			(w.TextRegex != "" || w.AriaNameRegex != "" && namedByContent(p.Role)) {
			continue // what stands in it changes with the target
		}
		if g.only(&said.sure[i], p) {
			return spot{p, said.sure[i].sel, false}, true
		}
	}
	for _, list := range [][]criterion{said.ids, said.style} {
		for i := range list {
			if g.only(&list[i], p) {
				return spot{p, list[i].sel, true}, true
			}
		}
	}
	return spot{}, false
}

// within puts the target into a place.
func (g *generator) within(own []criterion, places []spot, yield func(screen.Selector) bool) bool {
	for i := range own {
		for _, p := range places {
			if g.countIn(&own[i], p.node) != 1 {
				continue
			}
			sel := own[i].sel
			sel.ChildOf = &p.sel
			if !yield(sel) {
				return false
			}
		}
	}
	return true
}

// countIn returns the number of nodes below p for which a claim holds.
func (g *generator) countIn(c *criterion, p *screen.Node) int {
	found := g.holders(c)
	from, _ := slices.BinarySearch(found, g.index(p)+1)
	to, _ := slices.BinarySearch(found, g.end(p))
	return to - from
}

// numbered yields numbers among equals inside the nearest unique ancestor, in the order of the document.
func (g *generator) numbered(yield func(screen.Selector) bool) bool {
	for _, list := range [][]criterion{g.own.sure, g.own.kinds, g.own.shaky} {
		for i := range list {
			c := &list[i]
			for p := g.target.Parent; p != nil && p.Parent != nil; p = p.Parent {
				sel, ok := g.anchor(p)
				if ok && !yield(g.numberedIn(c, sel, p)) {
					return false
				}
				if ok {
					break
				}
			}
			if !yield(g.numberedIn(c, screen.Selector{}, g.snap.Root)) {
				return false
			}
		}
	}
	return true
}

// anchor returns any selector of an ancestor that needs no number.
func (g *generator) anchor(p *screen.Node) (screen.Selector, bool) {
	if spot, ok := g.place(p); ok {
		return spot.sel, true
	}
	said := g.claims(p)
	for i := range said.kinds {
		if g.only(&said.kinds[i], p) {
			return said.kinds[i].sel, true
		}
	}
	for i := range said.kinds {
		for _, tell := range slices.Concat(g.tells(p, false), g.tells(p, true)) {
			if g.singlesOut(g.holders(&said.kinds[i]), p, []criterion{tell}) {
				sel := said.kinds[i].sel
				sel.ContainsDescendants = []screen.Selector{tell.sel}
				return sel, true
			}
		}
	}
	return screen.Selector{}, false
}

func (g *generator) numberedIn(c *criterion, anchor screen.Selector, p *screen.Node) screen.Selector {
	sel := c.sel
	var peers []*screen.Node
	for _, i := range g.holders(c) {
		if i > g.index(p) && i < g.end(p) || p == g.snap.Root {
			peers = append(peers, g.all[i])
		}
	}
	if p != g.snap.Root {
		sel.ChildOf = &anchor
	}
	w, i := *sel.Web, slices.Index(peers, g.target)
	w.NthIndex = &i
	sel.Web = &w
	return sel
}

// beside yields selectors by a neighbour that is unique on the screen, and by the side of it on which the target is
// first.
func (g *generator) beside(own []criterion, yield func(screen.Selector) bool) bool {
	if g.target.Parent == nil || g.structural {
		return true
	}
	anchors := g.neighbours()
	for i := range own {
		for _, anchor := range anchors {
			sel := own[i].sel
			for _, side := range []**screen.Selector{&sel.RightOf, &sel.Below, &sel.LeftOf, &sel.Above} {
				*side = &anchor
				if sel.Index = nil; !yield(sel) {
					return false
				}
				if sel.Index = new(0); side != &sel.Above && side != &sel.LeftOf && !yield(sel) {
					return false
				}
				*side, sel.Index = nil, nil
			}
		}
	}
	return true
}

// neighbours returns the selectors of up to three siblings around the target that are unique, closest first.
func (g *generator) neighbours() []screen.Selector {
	kin := g.target.Parent.Children
	at := slices.Index(kin, g.target)
	var out []screen.Selector
	for d := 1; d <= 4 && len(out) < 2; d++ { // a title stands before its button, mostly
		for _, i := range []int{at - d, at + d} {
			if i < 0 || i >= len(kin) {
				continue
			}
			said := g.claims(kin[i])
			for k := range said.sure {
				if g.only(&said.sure[k], kin[i]) {
					out = append(out, said.sure[k].sel)
					break
				}
			}
		}
	}
	return out
}
