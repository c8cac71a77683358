package screen

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// maxNesting bounds how deep selectors may refer to selectors.
const maxNesting = 10

// Find returns the nodes that sel describes, in (top, left) order, nodes without a box last. It is the one resolver for
// live use, replay and queries. In order: descendants of what childOf matches (else the whole tree), the driver block,
// the spatial relations, the containment relations, then the index. No match is an empty list, not an error; an error
// is a selector that cannot be evaluated.
func (s *Snapshot) Find(sel Selector) ([]*Node, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), findLimit, errFindLimit)
	defer cancel()
	f := finder{ctx: ctx, snap: s}
	return f.find(&sel, s.Root, 0)
}

// finder is one Find in progress.
type finder struct {
	ctx  context.Context //nolint:containedctx // it ends the regular expressions of this Find; nil: they end by their own bounds
	snap *Snapshot
}

func (f *finder) find(sel *Selector, scope *Node, depth int) ([]*Node, error) {
	if depth > maxNesting {
		return nil, fault.New(fault.Invalid, "find element", "the selector nests more than %d levels deep", maxNesting)
	}
	pool, err := f.pool(sel, scope, depth)
	if err != nil {
		return nil, err
	}
	found, err := f.filter(sel, pool)
	if err != nil {
		return nil, err
	}
	found = nth(sel.Web, found)
	if found, err = f.spatial(sel, found, depth); err != nil {
		return nil, err
	}
	if found, err = f.containing(sel, found, depth); err != nil {
		return nil, err
	}
	order(found)
	if sel.Index != nil {
		if i := *sel.Index; i >= 0 && i < len(found) {
			return found[i : i+1], nil
		}
		return nil, nil
	}
	return found, nil
}

// pool is where to look: below every match of childOf, in document order and each node once, or everywhere.
func (f *finder) pool(sel *Selector, scope *Node, depth int) ([]*Node, error) {
	if sel.ChildOf == nil {
		return preorder(scope), nil
	}
	parents, err := f.find(sel.ChildOf, scope, depth+1)
	if err != nil {
		return nil, err
	}
	inside := map[NodeID]bool{}
	for _, p := range parents {
		for _, n := range preorder(p)[1:] {
			inside[n.ID] = true
		}
	}
	var out []*Node
	for _, n := range preorder(scope) {
		if inside[n.ID] {
			out = append(out, n)
		}
	}
	return out, nil
}

func (f *finder) filter(sel *Selector, pool []*Node) ([]*Node, error) {
	css, ctx := f.css(sel), f.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	var out []*Node
	for _, n := range pool {
		ok, err := sel.matches(ctx, n, css)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, n)
		}
	}
	return out, nil
}

// css says which nodes the selector's CSS matches: those the page said when the screen was captured. About a selector
// that the capture was not asked, the tree answers as far as it can: an id, a test id, or the path a node came with.
func (f *finder) css(sel *Selector) func(*Node, *Web) bool {
	if sel.Web == nil || sel.Web.CSSSelector == "" {
		return nil
	}
	css := sel.Web.CSSSelector
	if ids, asked := f.snap.CSS[css]; asked {
		set := make(map[NodeID]bool, len(ids))
		for _, id := range ids {
			set[id] = true
		}
		return func(n *Node, _ *Web) bool { return set[n.ID] }
	}
	if m := simpleCSS.FindStringSubmatch(css); m != nil {
		return func(_ *Node, d *Web) bool {
			return (m[1] == "" || m[1] == d.Tag) && (m[2] != "" && m[2] == d.HTMLID || m[2] == "" && m[3]+m[4] == d.TestID)
		}
	}
	return func(_ *Node, d *Web) bool { return d.CSS == css }
}

// simpleCSS is the CSS that can be answered without the page: #id and [data-testid="x"], with or without a tag.
var simpleCSS = regexp.MustCompile(`^([a-z][a-z0-9]*)?(?:#([A-Za-z_][\w-]*)|\[data-testid=(?:"([^"\\]+)"|'([^'\\]+)')\])$`)

// nth keeps one of the matches in document order.
func nth(w *WebMatch, found []*Node) []*Node {
	if w == nil || w.NthIndex == nil {
		return found
	}
	if i := *w.NthIndex; i >= 0 && i < len(found) {
		return found[i : i+1]
	}
	return nil
}

// spatial keeps what lies on the asked side of each anchor. An anchor is searched in the whole tree; its first match
// counts, and one without a box has no sides.
func (f *finder) spatial(sel *Selector, found []*Node, depth int) ([]*Node, error) {
	for _, rel := range []struct {
		anchor *Selector
		holds  func(n, a Rect) bool
	}{
		{sel.Above, func(n, a Rect) bool { return n.Y+n.H <= a.Y }},
		{sel.Below, func(n, a Rect) bool { return n.Y >= a.Y+a.H }},
		{sel.LeftOf, func(n, a Rect) bool { return n.X+n.W <= a.X }},
		{sel.RightOf, func(n, a Rect) bool { return n.X >= a.X+a.W }},
	} {
		if rel.anchor == nil {
			continue
		}
		anchors, err := f.find(rel.anchor, f.snap.Root, depth+1)
		if err != nil {
			return nil, err
		}
		if len(anchors) == 0 || !boxed(anchors[0]) {
			return nil, nil
		}
		a := anchors[0].Bounds
		found = slices.DeleteFunc(slices.Clone(found), func(n *Node) bool { return !boxed(n) || !rel.holds(n.Bounds, a) })
	}
	return found, nil
}

// containing keeps what has a matching child, and a matching descendant for each of the list. Inside these, childOf and
// index have no meaning and are ignored.
func (f *finder) containing(sel *Selector, found []*Node, depth int) ([]*Node, error) {
	if sel.ContainsChild != nil {
		ids, err := f.inner(*sel.ContainsChild, depth)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(slices.Clone(found), func(n *Node) bool {
			return !slices.ContainsFunc(n.Children, func(c *Node) bool { return ids[c.ID] })
		})
	}
	for _, d := range sel.ContainsDescendants {
		ids, err := f.inner(d, depth)
		if err != nil {
			return nil, err
		}
		above := map[*Node]bool{}
		for id := range ids {
			n := f.snap.Node(id)
			if n == nil {
				continue
			}
			for p := n.Parent; p != nil && !above[p]; p = p.Parent {
				above[p] = true
			}
		}
		found = slices.DeleteFunc(slices.Clone(found), func(n *Node) bool { return !above[n] })
	}
	return found, nil
}

func (f *finder) inner(sel Selector, depth int) (map[NodeID]bool, error) {
	sel.ChildOf, sel.Index = nil, nil
	nodes, err := f.find(&sel, f.snap.Root, depth+1)
	if err != nil {
		return nil, err
	}
	ids := make(map[NodeID]bool, len(nodes))
	for _, n := range nodes {
		ids[n.ID] = true
	}
	return ids, nil
}

// preorder lists n and everything below it in reading order. A nil n has nothing.
func preorder(n *Node) []*Node {
	if n == nil {
		return nil
	}
	var out []*Node
	var walk func(n *Node)
	walk = func(n *Node) {
		out = append(out, n)
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(n)
	return out
}

func boxed(n *Node) bool { return n.Bounds != Rect{} }

// order sorts by (top, left); what has no box comes last, and ties keep reading order.
func order(nodes []*Node) {
	slices.SortStableFunc(nodes, func(a, b *Node) int {
		if x, y := boxed(a), boxed(b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Bounds.Y, b.Bounds.Y), cmp.Compare(a.Bounds.X, b.Bounds.X))
	})
}

// CSSQueries lists every CSS selector in sel, relations included, each once. A capture that sel is to be found in must
// have been asked about them.
func (sel Selector) CSSQueries() []string {
	var out []string
	var visit func(s *Selector)
	visit = func(s *Selector) {
		if s == nil {
			return
		}
		if s.Web != nil && s.Web.CSSSelector != "" && !slices.Contains(out, s.Web.CSSSelector) {
			out = append(out, s.Web.CSSSelector)
		}
		for _, rel := range []*Selector{s.Above, s.Below, s.LeftOf, s.RightOf, s.ChildOf, s.ContainsChild} {
			visit(rel)
		}
		for i := range s.ContainsDescendants {
			visit(&s.ContainsDescendants[i])
		}
	}
	visit(&sel)
	return out
}
