package screen

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// TextOptions shape what a model reads. The zero value is the default view: what is in the viewport and could be acted
// on or read, everything else summed up in one line each.
type TextOptions struct {
	MaxTokens int      // hard limit, a token being four bytes; 0: none
	Detail    []string // Details, in any case; upstream's longer spellings are read too
	Find      string   // only nodes whose line holds this text or matches it as a regular expression, under their path
	Scope     string   // only the subtree of this ref
}

// Details that a view can have beyond the default.
const (
	DetailOffscreen = "offscreen" // what scrolling would show, too
	DetailCovered   = "covered"   // what is covered, clipped, transparent or hidden, too, each marked as such
	DetailBounds    = "bounds"    // boxes as @x,y,w,h
	DetailCSS       = "css"       // a CSS path where the element has a stable one
	DetailAll       = "all"       // the whole tree: offscreen and covered
)

// view is which details are on.
type view struct{ offscreen, covered, bounds, css, all bool }

func (o TextOptions) view() view {
	var v view
	for _, d := range o.Detail {
		switch strings.ToLower(d) {
		case DetailOffscreen, "offscreen_elements":
			v.offscreen = true
		case DetailCovered, "occluded_elements":
			v.covered = true
		case DetailBounds:
			v.bounds = true
		case DetailCSS, "css_selectors":
			v.css = true
		case DetailAll, "all_elements":
			v.all, v.offscreen, v.covered = true, true, true
		}
	}
	return v
}

// Text is the screen as a model reads it, one line per element:
//
//	- role "name" e12 [states] = "value" · text
//
// Indentation is containment. Text from the page is always quoted, so that a page cannot forge a line or a ref. What a
// view leaves out is summed up at the end with the way to get it.
func (s *Snapshot) Text(o TextOptions) string {
	root := s.Root
	if o.Scope != "" {
		if ref, ok := RefOf(o.Scope); ok {
			root = s.ByRef(ref)
		}
		if root == nil || root == s.Root {
			return fmt.Sprintf("(no element %s on this screen)", o.Scope)
		}
	}
	w := &textWriter{snap: s, o: o, view: o.view()}
	if o.Find != "" {
		w.find, _ = regexp.Compile("(?i)" + o.Find)
		w.literal = strings.ToLower(o.Find)
	}
	w.head()
	if root != nil {
		w.collect(root, 0)
	}
	w.tail()
	return w.fit()
}

// CheckFind says whether a Find expression is usable; one that does not compile is searched for literally.
func CheckFind(expr string) error {
	if _, err := regexp.Compile(expr); err != nil {
		return fault.New(fault.Invalid, "read find expression", "%w", err)
	}
	return nil
}

// textLine is one line to be, with what decides whether it survives a budget.
type textLine struct {
	depth int
	body  string
	rank  int // higher stays longer
	up    int // index of the parent line, -1 at the top
}

type textWriter struct {
	snap    *Snapshot
	o       TextOptions
	view    view
	find    *regexp.Regexp
	literal string

	before, after []string
	lines         []textLine
	stack         []int // line index by depth

	below, above, beside, covered, hidden int
}

func (w *textWriter) head() {
	s := w.snap
	if s.Title != "" || s.URL != "" {
		w.before = append(w.before, fmt.Sprintf("%s %s", quoted(s.Title, 120), quoted(s.URL, 200)))
	}
	if d := s.Dialog; d != nil {
		w.before = append(w.before, fmt.Sprintf("! %s dialog is open: %s", d.Type, quoted(d.Message, 400)))
	}
	if s.Quality.Verdict == Degraded {
		w.before = append(w.before, "! this capture is incomplete: "+strings.Join(s.Quality.Reasons, "; "))
	}
}

// collect writes n, unless the view leaves it out, and what is below it.
func (w *textWriter) collect(n *Node, depth int) {
	skip := n == w.snap.Root || !w.shown(n)
	at := depth
	if !skip {
		if body := w.line(n); body != "" && w.found(body, n) {
			w.lines = append(w.lines, textLine{depth: depth, body: body, rank: w.rank(n), up: w.parent(depth)})
			w.stack = append(w.stack[:min(depth, len(w.stack))], len(w.lines)-1)
			at = depth + 1
		} else if body != "" && w.o.Find != "" { // not found itself: kept as the path to what is
			w.lines = append(w.lines, textLine{depth: depth, body: body, rank: -1, up: w.parent(depth)})
			w.stack = append(w.stack[:min(depth, len(w.stack))], len(w.lines)-1)
			at = depth + 1
		}
	}
	for _, c := range w.children(n) {
		w.collect(c, at)
	}
}

func (w *textWriter) parent(depth int) int {
	if depth == 0 || depth > len(w.stack) {
		return -1
	}
	return w.stack[depth-1]
}

// children are those worth a line of their own: not the text that already is the name of its element, and not the
// options of a closed select, which its own line lists.
func (w *textWriter) children(n *Node) []*Node {
	if n.Role == "combobox" || n.Role == "listbox" {
		if d, ok := n.Native.(*Web); ok && d.Tag == "select" && !w.view.all {
			return nil
		}
	}
	if named(n.Role) && n.Name != "" && !interactiveBelow(n) {
		return nil
	}
	return n.Children
}

// named are roles whose name is their content.
func named(role string) bool {
	switch role {
	case "button", "link", "heading", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "checkbox", "radio", "switch", "tooltip", "columnheader", "rowheader", "cell", "gridcell", "treeitem":
		return true
	}
	return false
}

func interactiveBelow(n *Node) bool {
	for _, c := range n.Children {
		if c.Ref != "" || interactiveBelow(c) {
			return true
		}
	}
	return false
}

// shown says whether the view has n, and counts it where it has not.
func (w *textWriter) shown(n *Node) bool {
	switch n.Visibility {
	case Visible:
		return true
	case Offscreen:
		if w.view.offscreen {
			return true
		}
		switch {
		case n.Bounds.Y+n.Bounds.H <= 0:
			w.above++
		case n.Bounds.Y >= float64(w.snap.Height):
			w.below++
		default:
			w.beside++
		}
		return false
	case Covered:
		if !w.view.covered {
			w.covered++
		}
		return w.view.covered
	}
	if !w.view.covered {
		w.hidden++
	}
	return w.view.covered
}

func (w *textWriter) found(body string, n *Node) bool {
	if w.o.Find == "" {
		return true
	}
	return strings.Contains(strings.ToLower(body), w.literal) || w.find != nil && (w.find.MatchString(body) || n.Name != "" && w.find.MatchString(n.Name))
}

// rank orders lines for a budget: the focus, what can be acted on in view, headings and landmarks, then text.
func (w *textWriter) rank(n *Node) int {
	r := 1
	switch {
	case n.State.Has(Focused):
		r = 9
	case n.Ref != "" && n.Visibility == Visible:
		r = 6
	case n.Role == "alert" || n.Role == "dialog" || n.Role == "alertdialog" || n.Role == "status":
		r = 6
	case n.Role == "heading":
		r = 5
	case n.State.Has(Landmark):
		r = 4
	case n.Ref != "":
		r = 3
	case n.Visibility == Visible:
		r = 2
	}
	return r
}

func (w *textWriter) tail() {
	add := func(count int, what, how string) {
		if count > 0 {
			w.after = append(w.after, fmt.Sprintf("(%d elements %s: %s)", count, what, how))
		}
	}
	add(w.below, "further down", "scroll, or detail offscreen")
	add(w.above, "further up", "scroll, or detail offscreen")
	add(w.beside, "beside the view", "scroll, or detail offscreen")
	add(w.covered, "covered by others", "detail covered")
	add(w.hidden, "not to be seen", "detail covered")
}
