package text

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// unseen sums up the elements that a view leaves out for one reason: their number, and the names of the first that
// matter.
type unseen struct {
	count int
	names []string
}

// outline limits the names of elements out of view that the default view lists.
const outline = 8

func (u *unseen) add(n *screen.Node) {
	if n.Ref == "" && n.Name == "" && n.Text == "" {
		return // it would have had no line
	}
	u.count++
	if len(u.names) < outline && n.Name != "" && (n.Role == "heading" || n.State.Has(screen.Landmark)) {
		u.names = append(u.names, n.Role+" "+words.Quote(words.Squeeze(n.Name), 40))
	}
}

// hasNode reports whether the view has n, and counts the nodes that it has not.
func (w *writer) hasNode(n *screen.Node) bool {
	switch n.Visibility {
	case screen.Visible:
		return true
	case screen.Offscreen:
		if w.view.offscreen {
			return true
		}
		switch w.side(n) {
		case "above":
			w.above.add(n)
		case "below":
			w.below.add(n)
		default:
			w.beside.add(n)
		}
		return false
	}
	if w.view.covered {
		return true
	}
	if w.o.Find != "" && w.found(w.line(n), []*screen.Node{n}) {
		w.matched++
	}
	if n.Visibility == screen.Covered {
		w.covered.add(n)
	} else {
		w.hidden.add(n)
		w.hidden.names = nil // what is hidden is not for reading
	}
	return false
}

// side returns the side on which an element out of view lies.
func (w *writer) side(n *screen.Node) string {
	switch {
	case n.Bounds.Y+n.Bounds.H <= 1: // a pixel of it in view does not make it seen
		return "above"
	case n.Bounds.Y >= float64(w.snap.Height)-1:
		return "below"
	}
	return "beside"
}

// children are those worth a line of their own: not the text that already is the name of its element, and not the
// options of a closed select, which its own line lists.
func (w *writer) children(n *screen.Node) []*screen.Node {
	if w.view.all {
		return n.Children
	}
	if n.Role == "combobox" || n.Role == "listbox" {
		if screen.IsSelect(n) {
			return nil
		}
	}
	if named(n.Role) && n.Name != "" && !screen.ActsBelow(n) && nameSays(n.Name, screen.Rendered(n)) {
		return nil
	}
	return n.Children
}

// named are roles whose name is their content.
func named(role string) bool {
	switch role {
	case "button", "link", "heading", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox",
		"radio", "switch",
		"tooltip", "columnheader", "rowheader", "cell", "gridcell", "treeitem", "img":
		return true
	}
	return false
}

// nameSays reports whether a name holds all of a text, spacing and case aside.
func nameSays(name, text string) bool {
	return strings.Contains(strings.ToLower(withoutBlanks(name)), strings.ToLower(withoutBlanks(text)))
}

func withoutBlanks(s string) string { return strings.Join(strings.Fields(s), "") }

// redundant reports whether the i-th of n's children only repeats: a caption or legend that is its parent's name, a
// label beside the control it names.
func redundant(n *screen.Node, kids []*screen.Node, i int) bool {
	c := kids[i]
	if c.Ref != "" && !isLabel(c) || len(c.Children) > 0 || c.Description != "" {
		return false
	}
	switch c.Role {
	case "text", "generic", "caption", "legend", "LabelText":
	default:
		return false
	}
	text := words.Squeeze(screen.DirectText(c))
	if text == "" {
		return false
	}
	if c.Ref == "" && words.Squeeze(n.Name) == text && n.Role != "document" && !wraps(n) {
		return true
	}
	return labelled(kids, i, text) != nil
}

// labelled is the control beside the i-th child that is called text.
func labelled(kids []*screen.Node, i int, text string) *screen.Node {
	for _, k := range []int{i - 1, i + 1} {
		if k >= 0 && k < len(kids) && kids[k].Ref != "" && words.Squeeze(kids[k].Name) == text &&
			kids[k].Visibility == kids[i].Visibility && !isLabel(kids[k]) {
			return kids[k]
		}
	}
	return nil
}

func isLabel(n *screen.Node) bool {
	d, ok := n.Native.(*screen.Web)
	return ok && d.Tag == "label" && n.Role == "generic"
}

// pairLabels notes the refs of labels whose text is also in the line of their control. A click on one is rarely
// meant, but possible.
func (w *writer) pairLabels(n *screen.Node, kids []*screen.Node) {
	for i, c := range kids {
		if c.Ref == "" || !isLabel(c) || !redundant(n, kids, i) {
			continue
		}
		if control := labelled(kids, i, words.Squeeze(screen.DirectText(c))); control != nil {
			if w.labels == nil {
				w.labels = map[*screen.Node]string{}
			}
			w.labels[control] = c.Ref
		}
	}
}

// tail sums up what the view leaves out. The short form is for budgets in which the long one would take the room.
func (w *writer) tail(short bool) []string {
	var out []string
	if short {
		n := w.below.count + w.above.count + w.beside.count + w.covered.count + w.hidden.count
		if n > 0 {
			out = append(out, fmt.Sprintf("(%s not in this view)", phrase.Count(n, "element")))
		}
		return out
	}
	add := func(u unseen, what, how string) {
		if u.count == 0 {
			return
		}
		l := fmt.Sprintf("(%s %s: %s", phrase.Count(u.count, "element"), what, how)
		if len(u.names) > 0 {
			l += "; among them " + strings.Join(u.names, ", ")
		}
		out = append(out, l+")")
	}
	add(w.above, "further up", "scroll, or detail offscreen")
	add(w.below, "further down", "scroll, or detail offscreen")
	add(w.beside, "beside the view", "scroll, or detail offscreen")
	add(w.covered, "covered by others", "detail covered")
	add(w.hidden, "not to be seen", "detail covered")
	if w.matched > 0 {
		out = append(out, fmt.Sprintf("(%d that cannot be seen match too: detail covered)", w.matched))
	}
	if w.cut > 0 {
		out = append(out, fmt.Sprintf("(%s cut at %d characters: detail all)", phrase.Count(w.cut, "text"), words.MaxQuoted))
	}
	return out
}

// pageOverflow counts the pixels that the page as a whole hides by scrolling.
func pageOverflow(s *screen.Snapshot) *screen.Overflow {
	b := s.Root.Bounds
	if s.Root.Scroll != nil || s.Height == 0 || b.Empty() {
		return s.Root.Scroll
	}
	return &screen.Overflow{
		Above: int(-b.Y),
		Below: int(b.Y+b.H) - s.Height,
		Left:  int(-b.X),
		Right: int(b.X+b.W) - s.Width,
	}
}

// head returns the lines before the elements.
func (w *writer) head(short bool) []string {
	s := w.snap
	title, url := 120, 200
	if short {
		title, url = 40, 60
	}
	var out []string
	if s.Title != "" || s.URL != "" {
		l := words.Quote(s.Title, title)
		if s.URL != "" { // a screen of an app has none
			l += " " + words.Quote(s.URL, url)
		}
		if s.Root != nil && !short {
			l += overflow(pageOverflow(s))
		}
		out = append(out, l)
	}
	if d := s.Dialog; d != nil {
		l := fmt.Sprintf("! %s dialog is open: %s", words.Bare(d.Type), words.Quote(d.Message, 2*title))
		if d.Default != "" {
			l += " = " + words.Quote(d.Default, title)
		}
		out = append(out, l)
	}
	if s.Quality.Verdict == screen.Degraded {
		var why []string
		for _, r := range s.Quality.Reasons {
			why = append(why, words.Quote(r, title)) // reasons hold addresses, which are the page's
		}
		out = append(out, "! this capture is incomplete: "+strings.Join(why[:min(4, len(why))], ", "))
	}
	return out
}
