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
	if screen.PhoneBlocks()[reflect.TypeOf(n.Native)] == nil && (!ok || weak(&sel)) {
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

// Choice is a selector of an element, and how many elements of the screen it finds.
type Choice struct {
	Selector screen.Selector
	Matches  int
}

// maxTried bounds the selectors that Choices tries.
const maxTried = 300

// Choices lists at most n selectors of a node: that of SelectorFor first, then others that find it, in the order in
// which SelectorFor prefers them.
func Choices(s *screen.Snapshot, id screen.NodeID, n int) ([]Choice, error) {
	best, err := SelectorFor(s, id)
	if err != nil {
		return nil, err
	}
	found, err := s.Find(best)
	if err != nil {
		return nil, err
	}
	out, tried := []Choice{{best, len(found)}}, 0
	for sel := range newGenerator(s, s.Node(id), false).candidates() {
		if tried++; tried > maxTried || len(out) == n {
			break
		}
		if slices.ContainsFunc(out, func(c Choice) bool { return reflect.DeepEqual(c.Selector, sel) }) {
			continue
		}
		found, err := s.Find(sel)
		if err == nil && slices.Contains(found, s.Node(id)) {
			out = append(out, Choice{sel, len(found)})
		}
	}
	return out, nil
}

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

// candidates are the strategies in order of preference. Each is tried only when those before it have failed.
func (g *generator) candidates() iter.Seq[screen.Selector] {
	return func(yield func(screen.Selector) bool) {
		if screen.PhoneBlocks()[reflect.TypeOf(g.target.Native)] != nil {
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

// phoneCandidates yields the selectors for phones. A node's own fields come first, in every combination; then, with
// them, the closest unique ancestor; then the node's content; then texts that change from run to run; then a
// number.
func (g *generator) phoneCandidates() iter.Seq[screen.Selector] {
	return func(yield func(screen.Selector) bool) {
		if sel, ok := g.unique(g.target); ok && !yield(sel) {
			return
		}
		_ = g.amid(false, yield) && g.container(g.target, yield) && g.shaken(yield) && g.amid(true, yield) &&
			g.next(yield) && g.counted(yield)
	}
}
