package screen

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// MaxNesting bounds how deep selectors may refer to selectors.
const MaxNesting = 10

// Find returns the nodes that sel describes, in (top, left) order, nodes without a box last. It is the one resolver
// for live use, replay and queries. In order: descendants of the matches of childOf (else the whole tree), the driver
// block, the spatial relations, the containment relations, then the index. No match is an empty list, not an error; an
// error is a selector that cannot be evaluated.
func (s *Snapshot) Find(sel Selector) ([]*Node, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), words.Limit, words.ErrLimit)
	defer cancel()
	f := finder{ctx: ctx, snap: s}
	return f.find(&sel, 0)
}

// finder is one Find in progress.
type finder struct {
	// it ends the regular expressions of this Find; nil: they end by their own bounds
	ctx  context.Context //nolint:containedctx
	snap *Snapshot
}

func (f *finder) find(sel *Selector, depth int) ([]*Node, error) {
	if depth > MaxNesting {
		return nil, fault.New(fault.Invalid, "find element", "the selector nests more than %d levels deep", MaxNesting)
	}
	pool, err := f.pool(sel, depth)
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
	Order(found)
	if sel.Index != nil {
		if i := *sel.Index; i >= 0 && i < len(found) {
			return found[i : i+1], nil
		}
		return nil, nil
	}
	return found, nil
}

// span is a run of nodes in reading order.
type span struct{ from, to int32 }

// pool returns where to search: below every match of childOf, in document order and each node once, or everywhere.
func (f *finder) pool(sel *Selector, depth int) ([]span, error) {
	if sel.ChildOf == nil {
		return []span{{0, int32(len(f.snap.all))}}, nil
	}
	parents, err := f.find(sel.ChildOf, depth+1)
	if err != nil {
		return nil, err
	}
	var out []span
	for _, p := range parents {
		i := f.snap.at[p.ID]
		out = append(out, span{i + 1, f.snap.ends[i]})
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := int32(0) // what lies in another match already is not looked at again
	return slices.DeleteFunc(out, func(s span) bool {
		if s.to <= end {
			return true
		}
		end = s.to
		return false
	}), nil
}

func (f *finder) filter(sel *Selector, pool []span) ([]*Node, error) {
	css, ctx := f.css(sel), f.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	var out []*Node
	look := func(n *Node) error {
		ok, err := sel.matches(ctx, n, css, f.snap.dressed)
		if ok {
			out = append(out, n)
		}
		return err
	}
	for _, s := range pool {
		if role := sel.onlyRole(); role != "" {
			list := f.snap.OfRole(role)
			from, _ := slices.BinarySearch(list, s.from)
			for _, i := range list[from:] {
				if i >= s.to {
					break
				}
				if err := look(f.snap.all[i]); err != nil {
					return nil, err
				}
			}
			continue
		}
		for _, n := range f.snap.all[s.from:s.to] {
			if err := look(n); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// onlyRole is the role that alone can match, "" when others can.
func (sel *Selector) onlyRole() string {
	if sel.Web == nil || sel.AndroidAccessibility != nil || sel.AndroidMaestro != nil || sel.IOSMaestro != nil ||
		sel.IOSAxe != nil || sel.Compose != nil {
		return ""
	}
	return sel.Web.AriaRole
}

// css returns a test for the nodes that the selector's CSS matches: those that the page reported when the screen was
// captured. About a selector that the capture was not asked, the tree answers as far as it can: an id, a test id, a
// class that it knows, or the path a node came with.
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
	if m := simpleCSS().FindStringSubmatch(css); m != nil {
		return func(_ *Node, d *Web) bool {
			return (m[1] == "" || m[1] == d.Tag) && (m[2] != "" && m[2] == d.HTMLID || m[2] == "" && m[3]+m[4] == d.TestID)
		}
	}
	if class, ok := strings.CutPrefix(css, "."); ok && words.PlainID().MatchString(class) {
		return func(_ *Node, d *Web) bool { return d.HasClass(class) }
	}
	if css == EditorCSS {
		return func(n *Node, _ *Web) bool { return IsEditor(n) }
	}
	return func(_ *Node, d *Web) bool { return d.CSS == css }
}

// simpleCSS is the CSS that can be answered without the page: #id and [data-testid="x"], with or without a tag.
var simpleCSS = regex.Lazy(
	`^([a-z][a-z0-9]*)?(?:#([A-Za-z_][\w-]*)|\[data-testid=(?:"([^"\\]+)"|'([^'\\]+)')\])$`)

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
		anchors, err := f.find(rel.anchor, depth+1)
		if err != nil {
			return nil, err
		}
		if len(anchors) == 0 || !Boxed(anchors[0]) {
			return nil, nil
		}
		a := anchors[0].Bounds
		found = slices.DeleteFunc(slices.Clone(found), func(n *Node) bool { return !Boxed(n) || !rel.holds(n.Bounds, a) })
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
	nodes, err := f.find(&sel, depth+1)
	if err != nil {
		return nil, err
	}
	ids := make(map[NodeID]bool, len(nodes))
	for _, n := range nodes {
		ids[n.ID] = true
	}
	return ids, nil
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
