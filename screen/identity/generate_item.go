package identity

import (
	"cmp"
	"iter"
	"slices"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

const (
	maxItems = 8 // how many ancestors are tried as the item that the target is part of
	maxTells = 8 // how many things in an item are tried to tell it by
	maxPairs = 4 // and how many of them in pairs
)

// inItem yields selectors in the closest ancestor, the row or the card, that contains something its siblings do
// not; with varying also by something that looks as if it changed from run to run, which still beats counting.
func (g *generator) inItem(own []criterion, varying bool, yield func(screen.Selector) bool) bool {
	if g.structural {
		return true
	}
	for i := range own {
		peers := g.holders(&own[i])
		tried := 0
		for p := g.target.Parent; p != nil && p.Parent != nil && tried < maxItems; p = p.Parent {
			if g.countIn(&own[i], p) > 1 {
				break // an item has one of each
			}
			for item := range g.items(p, peers, varying) {
				sel := own[i].sel
				sel.ChildOf = &item
				if !yield(sel) {
					return false
				}
			}
			tried++
		}
	}
	return true
}

// items yields selectors that match p and no ancestor of the other peers of the target: by its own text and by the
// text in it, on the whole screen, and if others have that text, in the places around it.
func (g *generator) items(p *screen.Node, peers []int, varying bool) iter.Seq[screen.Selector] {
	return func(yield func(screen.Selector) bool) {
		said := g.claims(p)
		tells := g.tells(p, varying)
		among := func(peers []int, at *screen.Selector) bool {
			return (varying || g.itemsSaying(said.sure, peers, at, yield)) &&
				g.itemsHolding(said.kinds, tells, peers, at, yield) &&
				(!varying || g.itemsHolding(said.style, g.tells(p, false), peers, at, yield))
		}
		if !among(peers, nil) {
			return
		}
		for _, spot := range g.places() {
			if !screen.Within(p.Parent, spot.node) {
				continue
			}
			from, _ := slices.BinarySearch(peers, g.index(spot.node))
			to, _ := slices.BinarySearch(peers, g.end(spot.node))
			if len(peers[from:to]) < len(peers) && !among(peers[from:to], &spot.sel) {
				return
			}
		}
	}
}

// itemsSaying yields selectors of an item by its own text. The test ids of items are the same in each.
func (g *generator) itemsSaying(
	sure []criterion,
	peers []int,
	at *screen.Selector,
	yield func(screen.Selector) bool,
) bool {
	for i := range sure {
		if w := sure[i].sel.Web; w != nil && w.DataTestID == "" && g.setsApart(peers, &sure[i], nil) &&
			!yield(in(sure[i].sel, at)) {
			return false
		}
	}
	return true
}

// itemsHolding yields selectors of an item by one thing in it, then by two: two rows of one family name differ in
// the first name.
func (g *generator) itemsHolding(
	kinds, tells []criterion,
	peers []int,
	at *screen.Selector,
	yield func(screen.Selector) bool,
) bool {
	pairs := tells[:min(len(tells), maxPairs)]
	for k := range kinds {
		for i := range tells {
			if g.setsApart(peers, &kinds[k], tells[i:i+1]) && !yield(in(holding(kinds[k].sel, tells[i].sel), at)) {
				return false
			}
			if sel := in(kinds[k].sel, at); meaningful(kinds[k].role) == "" { // a box in boxes that all hold it
				if sel.ContainsChild = &tells[i].sel; !yield(sel) {
					return false
				}
			}
		}
		for i := range pairs {
			for j := i + 1; j < len(pairs); j++ {
				if g.setsApart(peers, &kinds[k], []criterion{pairs[i], pairs[j]}) &&
					!yield(in(holding(kinds[k].sel, pairs[i].sel, pairs[j].sel), at)) {
					return false
				}
			}
		}
	}
	return true
}

// in puts what a selector describes into a place, if there is one.
func in(sel screen.Selector, place *screen.Selector) screen.Selector {
	sel.ChildOf = place
	return sel
}

// holding returns the selector with conditions on the content of its element.
func holding(sel screen.Selector, all ...screen.Selector) screen.Selector {
	sel.ContainsDescendants = all
	return sel
}

// setsApart reports whether the target is the only one of its peers inside something of that kind that matches all of
// these claims.
func (g *generator) setsApart(peers []int, kind *criterion, tells []criterion) bool {
	known := map[*screen.Node]bool{}
	for _, i := range peers {
		if g.all[i] == g.target {
			continue
		}
		for p := g.all[i].Parent; p != nil; p = p.Parent {
			holds, seen := known[p]
			if !seen {
				holds = (kind.role == "" || kind.role == p.Role) && kind.is(p) && g.holdsAll(p, tells)
				known[p] = holds
			}
			if holds {
				return false
			}
		}
	}
	return true
}

// singlesOut reports whether n is the only one of the nodes at these places that matches all of these claims.
func (g *generator) singlesOut(all []int, n *screen.Node, tells []criterion) bool {
	for _, i := range all {
		if g.all[i] != n && g.holdsAll(g.all[i], tells) {
			return false
		}
	}
	return true
}

func (g *generator) holdsAll(p *screen.Node, tells []criterion) bool {
	for i := range tells {
		if !slices.ContainsFunc(g.snap.Below(p)[1:], func(n *screen.Node) bool {
			return (tells[i].role == "" || tells[i].role == n.Role) && tells[i].is(n)
		}) {
			return false
		}
	}
	return true
}

// holding yields selectors of the target by something in it.
func (g *generator) holding(own []criterion, varying bool, yield func(screen.Selector) bool) bool {
	if g.structural {
		return true
	}
	tells := g.tells(g.target, varying)
	for i := range own {
		peers := g.holders(&own[i])
		for _, tell := range tells {
			if g.singlesOut(peers, g.target, []criterion{tell}) {
				sel := own[i].sel
				sel.ContainsDescendants = []screen.Selector{tell.sel}
				if !yield(sel) {
					return false
				}
				if sel.ContainsChild, sel.ContainsDescendants = &tell.sel, nil; !yield(sel) {
					return false
				}
			}
		}
	}
	return true
}

// tells returns the claims that may distinguish n from its siblings: titles first, then texts, then controls. It
// leaves out ancestors and content of the target, which change with its state, and values and live regions, which
// change without an action.
func (g *generator) tells(n *screen.Node, varying bool) []criterion {
	type ranked struct {
		criterion
		rank int
	}
	var out []ranked
	budget := itemNodes
	var walk func(c *screen.Node)
	walk = func(c *screen.Node) {
		if budget--; budget < 0 || len(out) >= 3*maxTells || screen.FilledIn(c) || unread(c) {
			return
		}
		if c != n && (c == g.target || isItem(c.Role) && collects(n.Role)) {
			return // the items of a list come and go
		}
		if c != n && !screen.Within(g.target.Parent, c) {
			if t, rank, ok := g.tell(c, varying); ok {
				out = append(out, ranked{t, rank})
			}
		}
		for _, k := range c.Children {
			walk(k)
		}
	}
	walk(n)
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	var list []criterion
	for _, r := range out[:min(len(out), maxTells)] {
		list = append(list, r.criterion)
	}
	return list
}

// tell returns the best claim of c, and its rank as the title of an item: headings and links rank high, buttons do
// not.
func (g *generator) tell(c *screen.Node, varying bool) (criterion, int, bool) {
	said := g.claims(c)
	list, says := said.sure, c.Called()+c.OwnText()
	number := varying && serial().MatchString(words.Squeeze(says))
	if varying {
		list = said.shaky
	}
	if number {
		list = slices.Concat(said.shaky, said.sure)
	}
	for _, t := range list {
		if w := t.sel.Web; w != nil && (w.DataTestID != "" || !telling(says) && !number) {
			continue // the test ids of an item's parts are the same in each
		}
		rank := 1
		switch c.Role {
		case "heading", "link", "rowheader":
			rank = 0
		default:
			if control(c.Role) {
				rank = 2
			}
		}
		return t, rank, true
	}
	return criterion{}, 0, false
}

// inColumn yields selectors of the target by its column's header and by something in its row that no other row has.
func (g *generator) inColumn(own []criterion, yield func(screen.Selector) bool) bool {
	row := screen.Ancestor(g.target, "row")
	if g.structural || row == nil || row == g.target {
		return true
	}
	header := g.target.ColumnHeader()
	if header == "" || words.Variable().MatchString(header) {
		return true
	}
	item, ok := g.anchor(row)
	if !ok {
		return true
	}
	for i := range own {
		w := *own[i].sel.Web
		w.ColumnRegex = g.pattern(header)
		if !yield(screen.Selector{Web: &w, ChildOf: &item}) {
			return false
		}
	}
	return true
}
