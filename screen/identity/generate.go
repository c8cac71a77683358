package identity

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// ignores reports whether o needs no telling apart from the target.
func (g *generator) ignores(o *screen.Node) bool { return g.seen && outseen(o, g.target) }

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
func outseen(o, n *screen.Node) bool { return !o.OnPage() && n.OnPage() }

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
