package screen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// A text names an element by its name, its text or its hint: exactly, else in whole words, else in part. The best of
// these ranks that anything on the screen has counts, and in it the visible elements. An exact match that can be acted
// on counts before mere text. Elements that are the same place, such as a list item and the label that is all of it,
// are one.

// meaning holds the ways in which a text may match, rank by rank. The text around a match satisfies around, which
// is nil when nothing is known of it.
type meaning struct{ exact, words, part, around func(text string) bool }

// wording is a text as it is written, in part too unless only whole words count.
func wording(text string, onlyWords bool) meaning {
	want := words.Squeeze(text)
	m := quotation(text)
	if want == "" {
		return m
	}
	m.words = func(got string) bool { return words.HoldsWords(got, want) }
	m.around = m.words
	if !onlyWords && utf8.RuneCountInString(want) > 1 {
		m.part = func(got string) bool { return words.HoldsPart(got, want) }
	}
	return m
}

// quotation is a text as a snapshot quotes it: exact, or cut.
func quotation(text string) meaning {
	head := words.Squeeze(strings.TrimSuffix(text, "…"))
	return meaning{
		exact:  func(got string) bool { return words.Reads(text, got) },
		around: func(got string) bool { return strings.Contains(got, head) },
	}
}

// byText returns the elements that a text names for a use. Better matches that cannot be seen are listed with the
// visible ones, so that neither is taken for the other; so is a plain text that matches better than the fields
// there are.
func (s *Snapshot) byText(all []*Node, want meaning, use Use) []*Node {
	if s.Root == nil || len(all) == 0 {
		return nil
	}
	var unseen, passed []*Node // matched better than what comes now
	for i, ok := range []func(string) bool{want.exact, want.words, want.part} {
		if ok == nil {
			continue
		}
		around := want.around
		if i == 2 {
			around = ok
		}
		nodes := places(s.matches(all, ok, around), ok)
		seen := Pick(nodes, (*Node).InSight)
		if len(seen) == 0 {
			unseen = join(unseen, nodes)
			continue
		}
		if use.Fits == nil {
			if i == 0 {
				seen = foremost(seen, ok)
			}
			return join(seen, unseen)
		}
		if fit := Pick(seen, use.Fits); len(fit) > 0 {
			return join(fit, Pick(unseen, use.Fits), Pick(passed, func(n *Node) bool { return !n.actionable() }))
		}
		passed = append(passed, seen...)
	}
	if use.Fits != nil && len(passed) > 0 {
		if fit := Pick(unseen, use.Fits); len(fit) > 0 {
			return clearest(fit)
		}
		use.Fits = nil
		return s.byText(all, want, use)
	}
	return clearest(unseen)
}

func join(lists ...[]*Node) []*Node {
	var out []*Node
	for _, l := range lists {
		for _, n := range l {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// matches are the nodes whose name or hint, or whose text, satisfies ok; of texts the smallest that do.
func (s *Snapshot) matches(all []*Node, ok, around func(string) bool) []*Node {
	var out []*Node
	for _, n := range all {
		if n.Role != "text" && n.Role != "document" && n.answers(ok) {
			out = append(out, n)
		}
	}
	return join(out, below(s.Root, ok, around))
}

// answers reports whether the name or the hint of the node satisfies ok.
func (n *Node) answers(ok func(string) bool) bool {
	if name := words.Squeeze(n.Called()); name != "" {
		if ok(name) {
			return true
		}
		if w, web := n.Native.(*Web); web && w.Transform != "" {
			if printed := n.printedName(); printed != "" && ok(printed) {
				return true
			}
		}
	}
	w, web := n.Native.(*Web)
	return web && w.Placeholder != "" && ok(words.Squeeze(w.Placeholder))
}

// shows reports whether the whole text of the node satisfies ok.
func (n *Node) shows(ok func(string) bool) bool {
	text, spans, dressed := n.read(reading{})
	if text = words.Squeeze(text); text == "" {
		return false
	}
	if ok(text) {
		return true
	}
	for _, as := range []reading{{join: true}, {printed: true}, {join: true, printed: true}} {
		if as.join && !spans || as.printed && !dressed {
			continue
		}
		if text, _, _ := n.read(as); ok(words.Squeeze(text)) {
			return true
		}
	}
	return false
}

// below are the smallest elements in n whose whole text satisfies ok. An element that is no larger than the text in it
// stands for that. Nothing is looked for where around does not hold.
func below(n *Node, ok, around func(string) bool) []*Node {
	if n == nil || around != nil && !n.shows(around) {
		return nil
	}
	var out []*Node
	for _, c := range n.Children {
		out = append(out, below(c, ok, around)...)
	}
	switch {
	case len(out) == 0 && n.Parent != nil && n.shows(ok):
		return []*Node{n}
	case len(out) == 1 && out[0].Role == "text" && n.Parent != nil && sameText(n, out[0]):
		return []*Node{n}
	}
	return out
}

func sameText(a, b *Node) bool { return words.Squeeze(Rendered(a)) == words.Squeeze(Rendered(b)) }

// places makes one of the elements that are one place to a person: a text in a control is the control, a label is its
// field, and of elements that lie in each other the one that can be acted on counts, else the inner one.
func places(nodes []*Node, ok func(string) bool) []*Node {
	var lifted []*Node
	for _, n := range nodes {
		p := stands(n)
		if p != n && p.Control() && inline(n) != "" && !isLabelled(n, p) && !p.answers(ok) && !p.shows(ok) {
			continue // "Save" is only a word of the button "Save draft"
		}
		lifted = append(lifted, p)
	}
	lifted = join(lifted)
	named := slices.ContainsFunc(lifted, func(n *Node) bool { return n.Control() && n.InSight() && n.answers(ok) })
	return Pick(lifted, func(n *Node) bool {
		return !(named && hasTag(n, "label")) && !slices.ContainsFunc(lifted, func(o *Node) bool {
			switch {
			case o == n:
				return false
			case Within(o, n): // n is around o
				return !instead(n, o)
			case Within(n, o):
				return instead(o, n)
			}
			return false
		})
	})
}

// instead reports whether an element stands for one that lies in it: it can be acted on, and the other cannot.
func instead(outer, inner *Node) bool {
	return outer.actionable() && !inner.actionable() && (outer.Control() || sameText(outer, inner))
}

// stands is the element that a person means by a text: the control it is the label of, or a part of.
func stands(n *Node) *Node {
	for p := n; p != nil; p = p.Parent {
		switch {
		case hasTag(p, "label"):
			if c := labels(p); c != nil && c.InSight() {
				return c
			}
			return p
		case p == n && p.actionable():
			return p
		case p.Control():
			if holdsFields(p.Role) {
				return n
			}
			return p
		case p.actionable() && sameText(p, n):
			return p
		}
	}
	return n
}

// holdsFields reports whether what lies in a control of this role is its content, not its label.
func holdsFields(role string) bool {
	switch role {
	case "textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider":
		return true
	}
	return false
}

// isLabelled reports whether n lies in a label and not in the control itself.
func isLabelled(n, control *Node) bool { return !Within(n, control) }

func hasTag(n *Node, tag string) bool {
	w, ok := n.Native.(*Web)
	return ok && w.Tag == tag
}

// labels is the field that a label is for: the one in it, else the nearest that is called by its text.
func labels(label *Node) *Node {
	text := words.Squeeze(Rendered(label))
	for p := label; p != nil; p = p.Parent {
		fields := Pick(Preorder(p), func(n *Node) bool { return n.Control() && n.Role != "link" && n.Role != "button" })
		if p == label {
			if len(fields) > 0 {
				return fields[0]
			}
			continue
		}
		for _, ok := range []func(string) bool{func(name string) bool { return name == text },
			func(name string) bool { return words.HoldsWords(name, text) }} {
			switch called := Pick(fields, func(n *Node) bool { return text != "" && ok(words.Squeeze(n.Name)) }); len(called) {
			case 0:
			case 1:
				return called[0]
			default:
				return nil
			}
		}
	}
	return nil
}

// foremost keeps what can be acted on, else the texts, else what only carries the name, such as a list.
func foremost(nodes []*Node, ok func(string) bool) []*Node {
	for _, first := range []func(*Node) bool{
		func(n *Node) bool { return n.actionable() },
		func(n *Node) bool { return len(n.Children) == 0 || n.shows(ok) },
	} {
		if out := Pick(nodes, first); len(out) > 0 {
			return out
		}
	}
	return nodes
}

// Control reports whether the role of the node is one of a control.
func (n *Node) Control() bool {
	switch n.Role {
	case "button", "link", "checkbox", "radio", "switch", "tab", "option", "menuitem", "menuitemcheckbox", "menuitemradio",
		"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "treeitem":
		return true
	}
	return false
}

// actionable reports whether a person would act on the node itself, scrolling aside.
func (n *Node) actionable() bool {
	return n.Control() || n.State&(Editable|Draggable) != 0 || n.State.Has(Clickable) && n.Scroll == nil
}

// clearest keeps the visible elements, else those that are only covered, else all.
func clearest(nodes []*Node) []*Node {
	if seen := Pick(nodes, (*Node).InSight); len(seen) > 0 {
		return seen
	}
	if covered := Pick(nodes, func(n *Node) bool { return n.Visibility == Covered }); len(covered) > 0 {
		return covered
	}
	return nodes
}

// innermost drops what lies around another of the nodes.
func innermost(nodes []*Node) []*Node {
	return Pick(nodes, func(n *Node) bool {
		return !slices.ContainsFunc(nodes, func(o *Node) bool { return o != n && Within(o, n) })
	})
}
