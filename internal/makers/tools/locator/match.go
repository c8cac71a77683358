package locator

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// match finds the nodes of a capture that the query names. Without an index of its own a match that a person can see
// comes before one that is hidden; otherwise the order is the screen's.
func (q Query) match(snap *screen.Snapshot) ([]*screen.Node, error) {
	if q.Within == nil {
		return q.matchAnywhere(snap)
	}
	holders, err := q.Within.match(snap)
	if f := q.Within.Fingerprint; f != nil {
		holders = slices.DeleteFunc(holders, func(n *screen.Node) bool { return !f.Compare(identity.Of(snap, n)).Same })
	}
	if err != nil || len(holders) == 0 {
		return nil, err
	}
	nodes, err := q.matchAnywhere(snap)
	return slices.DeleteFunc(nodes, func(n *screen.Node) bool { return !below(n, holders) }), err
}

// below reports whether n is, or lies in, one of the holders.
func below(n *screen.Node, holders []*screen.Node) bool {
	return slices.ContainsFunc(holders, func(h *screen.Node) bool { return screen.Within(n, h) })
}

func (q Query) matchAnywhere(snap *screen.Snapshot) ([]*screen.Node, error) {
	switch {
	case q.NodeSelector != nil:
		nodes, err := snap.Find(*q.NodeSelector)
		if err != nil {
			return nil, err
		}
		// A ref beside the selector is upstream's second chance, except for a snapshot ref: those live no longer than
		// their session, and in another one the same number may name anything.
		if len(nodes) == 0 && q.Ref != "" && !IsSnapshotRef(q.Ref) {
			if nodes, err = snap.LocateFor(q.Ref, q.use()); err != nil {
				return nil, err
			}
		}
		return sortVisibleFirst(nodes), nil
	case q.Ref != "":
		return snap.LocateFor(q.Ref, q.use())
	}
	return q.matchText(snap), nil
}

func (q Query) use() screen.Use { return screen.Use{Fits: q.Fits, Words: !q.parts} }

// AllText finds by text and id, or by a regular expression for the whole text instead; all that is given must hold.
func (q Query) AllText(snap *screen.Snapshot, regex string) ([]*screen.Node, error) {
	q.Index = nil
	if regex == "" {
		return q.matchText(snap), nil
	}
	nodes, _, err := matching(snap.Root, regex)
	return q.narrow(nodes), err
}

// matching are the smallest elements below n whose whole text matches the expression.
func matching(n *screen.Node, regex string) (out []*screen.Node, any bool, err error) {
	if n == nil {
		return nil, false, nil
	}
	for _, c := range n.Children {
		nodes, hit, err := matching(c, regex)
		if err != nil {
			return nil, false, err
		}
		out, any = append(out, nodes...), any || hit
	}
	if any {
		return out, true, nil
	}
	ok := Reads(n, func(text string) bool {
		var hit bool
		if err == nil {
			hit, err = words.MatchText(regex, strings.Join(strings.Fields(text), " "))
		}
		return hit
	})
	if ok {
		out = append(out, n)
	}
	return out, ok, err
}

// All finds everything on one capture that the query names, seen things first.
func (q Query) All(snap *screen.Snapshot) ([]*screen.Node, error) { return q.match(snap) }

// CSS lists the CSS selectors that a capture has to evaluate for All.
func (q Query) CSS(dev driver.Device) []string { return q.css(dev) }

// matchText finds by text and id: both must hold when both are given.
func (q Query) matchText(snap *screen.Snapshot) []*screen.Node {
	if q.one && q.Text != "" {
		if nodes := q.narrow(snap.LocateText(q.Text, screen.Use{Words: true})); len(nodes) > 0 {
			return nodes
		}
	}
	nodes := q.narrow(q.matchNamed(snap))
	switch {
	case q.one:
		return clearest(nodes)
	case q.Index == nil:
		return nodes
	}
	if *q.Index < 0 || *q.Index >= len(nodes) {
		return nil
	}
	return nodes[*q.Index:]
}

// matchNamed are the nodes that show the text and carry the name.
func (q Query) matchNamed(snap *screen.Snapshot) []*screen.Node {
	if q.Text == "" {
		nodes := named(snap, q.Name)
		if exact := slices.DeleteFunc(slices.Clone(nodes),
			func(n *screen.Node) bool { return !words.SameWords(n.Name, q.Name) }); q.one && q.Name != "" && len(exact) > 0 {
			return exact
		}
		return nodes
	}
	nodes := snap.FindText(q.Text)
	if !q.Control {
		return nodes
	}
	var out []*screen.Node
	for _, n := range nodes {
		if c := control(n); !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	if !slices.ContainsFunc(out, (*screen.Node).InSight) { // an icon's name is all the text it has
		out = append(out, slices.DeleteFunc(named(snap, q.Text),
			func(n *screen.Node) bool { return !n.Control() || slices.Contains(out, n) })...)
	}
	return out
}

// named are the nodes whose accessible name contains name in whole words; all nodes when name is empty.
func named(snap *screen.Snapshot, name string) []*screen.Node {
	return screen.Pick(snap.Below(snap.Root), func(n *screen.Node) bool {
		return name == "" || n.Name != "" && n.Role != "text" && words.ContainsWords(n.Name, name)
	})
}

// control is the control that n is part of, n itself when there is none.
func control(n *screen.Node) *screen.Node {
	for p := n; p != nil; p = p.Parent {
		if p.Control() {
			return p
		}
	}
	return n
}

// narrow keeps what has the id and the states, seen things first.
func (q Query) narrow(nodes []*screen.Node) []*screen.Node {
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n *screen.Node) bool {
		return q.ID != "" && !slices.Contains(n.IDs(), q.ID) ||
			q.Enabled != nil && n.State.Has(screen.Disabled) == *q.Enabled ||
			q.Selected != nil && n.State.Has(screen.Selected) != *q.Selected
	})
	return sortVisibleFirst(nodes)
}

// sortVisibleFirst puts what a person could see, scrolling allowed, before the rest and keeps the order otherwise.
func sortVisibleFirst(nodes []*screen.Node) []*screen.Node {
	out := slices.Clone(nodes)
	slices.SortStableFunc(out, func(a, b *screen.Node) int { return rank(a) - rank(b) })
	return out
}

func rank(n *screen.Node) int {
	switch {
	case n.InSight():
		return 0
	case n.OnPage():
		return 1
	}
	return 2
}

// Here queries are narrowed to the elements that an action can be done to. A name that fits several elements means the
// one that it can be done to.

// For returns the query of an action that can be done only to elements that fit.
func (q Query) For(fits func(*screen.Node) bool) Query {
	q.Fits = fits
	return q
}

// Field reports whether text can be typed into the element.
func Field(n *screen.Node) bool {
	switch n.Role {
	case "textbox", "searchbox", "spinbutton":
		return true
	case "combobox":
		return !hasTag(n, "select")
	}
	return n.State&(screen.Editable|screen.Password) != 0
}

// Choice reports whether the element offers options.
func Choice(n *screen.Node) bool { return n.Role == "combobox" || n.Role == "listbox" }

// Checkable reports whether the element can be checked.
func Checkable(n *screen.Node) bool { return n.State.Has(screen.Checkable) }

// FileInput reports whether the element takes files.
func FileInput(n *screen.Node) bool {
	w, ok := n.Native.(*screen.Web)
	return ok && w.InputType == "file"
}

// Holder reports whether the element has a value.
func Holder(n *screen.Node) bool {
	_, field := ValueOf(n)
	return field
}

func hasTag(n *screen.Node, tag string) bool {
	w, ok := n.Native.(*screen.Web)
	return ok && w.Tag == tag
}
