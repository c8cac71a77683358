package screen

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// maxText bounds one piece of page text on a line; detail all has the whole of it.
const maxText = 300

// line is the body of n's line, "" when n says nothing and can do nothing.
func (w *textWriter) line(n *Node) string {
	if isLabel(n) && n.Name == "" && n.Text == "" && !w.view.all && interactiveBelow(n) {
		return "" // a click on it is a click on the control in it
	}
	if n.Ref == "" {
		if body, ok := w.bare(n); ok {
			return body
		}
	}
	return w.start(n, true)
}

// bare returns the line of an element that nothing acts on and that is only its text: the text without a role, or
// "" where it has none.
func (w *textWriter) bare(n *Node) (body string, ok bool) {
	text := ""
	switch {
	case n.Role == "text":
		if text = squeeze(n.Name); text != "" {
			text = w.quote(text) + w.ref(n) + w.sight(n)
		}
		return text, true // a non-breaking space keeps a line open and says nothing
	case plainBox(n.Role), textual(n.Role) && !w.view.all:
		if text = squeeze(n.Text); n.Name == "" && text != "" {
			text = w.quote(text) + w.ref(n) + unseenMark(n) + w.marks(n)
		}
		return text, n.Name == ""
	case structural(n.Role) && !w.view.all:
		return "", n.Name == "" && n.Text == "" && states(n) == "" && n.Scroll == nil && n.Description == ""
	}
	return "", false
}

// plainBox reports whether a role describes nothing.
func plainBox(role string) bool {
	switch role {
	case "generic", "none", "presentation", "", "LabelText":
		return true
	}
	return false
}

// textual reports whether a role only gives its text a meaning: without a name such an element is its text.
func textual(role string) bool {
	switch role {
	case "paragraph", "strong", "emphasis", "code", "mark", "deletion", "insertion", "subscript", "superscript", "time",
		"sectionheader", "sectionfooter":
		return true
	}
	return false
}

// structural reports whether a role only holds other elements together: it has a line only with a name or a text.
func structural(role string) bool {
	switch role {
	case "rowgroup", "list", "group", "separator", "img", "caption", "legend", "LineBreak":
		return true
	}
	return false
}

// start returns a line up to the content of its element: role, name, ref, states, value, text. It leaves out the
// name and text of an element whose content follows on the line and repeats them.
func (w *textWriter) start(n *Node, whole bool) string {
	var b strings.Builder
	b.WriteString(shortRole(n.Role))
	label := squeeze(n.called())
	if label != "" && (whole || !nameSays(rendered(n), label)) {
		b.WriteString(" " + w.quote(label))
	}
	b.WriteString(w.ref(n))
	if s := states(n); s != "" {
		b.WriteString(" [" + s + "]")
	}
	b.WriteString(w.value(n))
	if ref := w.labels[n]; ref != "" {
		b.WriteString(" label " + ref)
	}
	// a glyph says nothing beside a name
	if t := squeeze(n.Text); t != "" && t != label && (label == "" || strings.ContainsFunc(t, wordRune)) {
		if label == "" && n.Ref == "" {
			b.WriteString(" " + w.quote(t))
		} else {
			b.WriteString(" · " + w.quote(t))
		}
	}
	b.WriteString(w.marks(n))
	return b.String()
}

// shortRole drops what a reader does without. A role is a word of the page script's own; anything else is made one.
func shortRole(role string) string {
	switch role {
	case "listitem":
		return "-"
	case "gridcell":
		return "cell"
	case "", "none", "presentation":
		return "generic"
	}
	return word(role)
}

// word keeps text that is to stand unquoted from being anything but one word.
func word(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
	}) >= 0 {
		return quoted(s, 40)
	}
	return s
}

// stateWords are the states that one word says, in the order they are written.
var stateWords = []struct {
	state State
	word  string
}{
	{Selected, "selected"}, {Pressed, "pressed"}, {Expanded, "expanded"}, {Current, "current"}, {Required, "required"},
	{Invalid, "invalid"},
	{ReadOnly, "read-only"}, {Multiline, "multi-line"}, {Password, "password"}, {Modal, "modal"}, {Busy, "busy"},
	{Draggable, "draggable"},
}

// states are the facts that matter for acting, in a fixed order.
func states(n *Node) string {
	st := n.State
	const none = Focused | Disabled | Mixed | Checked | Checkable | Selected | Expanded | Expandable | Pressed |
		Current | Required | Invalid |
		ReadOnly | Multiline | Password | Modal | Busy | Draggable | HasPopup
	if st&none == 0 && n.Level == 0 && n.Visibility.why() == "" {
		return ""
	}
	var out []string
	add := func(when bool, word string) {
		if when {
			out = append(out, word)
		}
	}
	add(n.Level > 0 && n.Role == "heading", strconv.Itoa(n.Level))
	add(st.Has(Focused), "focused")
	add(st.Has(Disabled), "disabled")
	switch {
	case st.Has(Mixed):
		out = append(out, "mixed")
	case st.Has(Checked):
		out = append(out, "checked")
	case st.Has(Checkable) && n.Role != "option":
		out = append(out, "unchecked")
	}
	for _, s := range stateWords {
		add(st.Has(s.state), s.word)
	}
	add(st.Has(Expandable) && !st.Has(Expanded) && !isSelect(n), "collapsed")
	add(st.Has(HasPopup) && n.Role != "combobox", "popup")
	add(n.Visibility.why() != "", n.Visibility.mark())
	return strings.Join(out, ", ")
}

func isSelect(n *Node) bool {
	d, ok := n.Native.(*Web)
	return ok && d.Tag == "select"
}

// mark is the visibility as a state.
func (v Visibility) mark() string {
	switch v {
	case Covered:
		return "covered"
	case Clipped:
		return "clipped"
	case Transparent:
		return "transparent"
	}
	return "hidden"
}

// value returns the value of a control, its range, its options, and the pixels that a scroll container hides.
func (w *textWriter) value(n *Node) string {
	var b strings.Builder
	if n.Value != "" {
		b.WriteString(" = " + w.quote(n.Value))
	}
	if d, ok := n.Native.(*Web); ok {
		if d.Placeholder != "" && n.Value == "" && squeeze(d.Placeholder) != squeeze(n.Name) {
			b.WriteString(" hint " + quoted(d.Placeholder, 80))
		}
		if len(d.Options) > 0 {
			b.WriteString(" of " + options(d.Options))
		}
	}
	if r := n.Range; r != nil {
		fmt.Fprintf(&b, " in %s…%s", number(r.Min), number(r.Max))
		if r.Step != 0 && r.Step != 1 {
			fmt.Fprintf(&b, " by %s", number(r.Step))
		}
	}
	b.WriteString(overflow(n.Scroll))
	return b.String()
}

func overflow(s *Overflow) string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	for _, side := range []struct {
		px   int
		word string
	}{{s.Above, "above"}, {s.Below, "below"}, {s.Left, "left"}, {s.Right, "right"}} {
		if side.px > 0 {
			fmt.Fprintf(&b, " %d px more %s", side.px, side.word)
		}
	}
	return b.String()
}

// maxOptions bounds the options a select's line lists.
const maxOptions = 12

func options(all []string) string {
	var out []string
	for i, o := range all {
		if i == maxOptions {
			out = append(out, fmt.Sprintf("… %d more", len(all)-i))
			break
		}
		out = append(out, quoted(squeeze(o), 40))
	}
	return strings.Join(out, " ")
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// marks returns the end of a line: the description, the side on which an element out of view lies, and the details
// asked for.
func (w *textWriter) marks(n *Node) string {
	s := ""
	if n.Description != "" && squeeze(n.Description) != squeeze(n.Name) {
		s += " — " + quoted(squeeze(n.Description), 80)
	}
	s += w.offMark(n)
	if w.view.css {
		if d, ok := n.Native.(*Web); ok && d.CSS != "" {
			s += " css=" + quoted(d.CSS, 200)
		}
	}
	if w.view.bounds {
		s += fmt.Sprintf(" @%.0f,%.0f,%.0f,%.0f", n.Bounds.X, n.Bounds.Y, n.Bounds.W, n.Bounds.H)
	}
	return s
}

// sight marks a bare text in its place when a person cannot see it.
func (w *textWriter) sight(n *Node) string {
	if n.Visibility == Visible {
		return ""
	}
	return unseenMark(n) + w.offMark(n)
}

// unseenMark returns the reason why an element is not visible, as states do; the styles that hide instructions for
// a model count as hiding.
func unseenMark(n *Node) string {
	if n.Visibility.why() == "" {
		return ""
	}
	return " [" + n.Visibility.mark() + "]"
}

// offMark returns the side on which an element out of view lies. It is given once: by the outermost element with a
// text in its line.
func (w *textWriter) offMark(n *Node) string {
	if n.Visibility != Offscreen || w.snap.Height == 0 || structural(n.Role) && n.Name == "" && n.Text == "" {
		return ""
	}
	for p := n.Parent; p != nil && p.Visibility == Offscreen; p = p.Parent {
		if w.off[p] {
			return ""
		}
	}
	if w.off == nil {
		w.off = map[*Node]bool{}
	}
	w.off[n] = true
	return " (" + w.side(n) + ")"
}

// quote is page text at the length the view has.
func (w *textWriter) quote(s string) string {
	if w.view.all {
		return strconv.Quote(s)
	}
	if len(s) > w.textLimit && utf8.RuneCountInString(s) > w.textLimit {
		w.cut++
	}
	return quoted(s, w.textLimit)
}

// quoted is page text made safe: in quotes, control and format characters escaped, cut at limit characters.
func quoted(s string, limit int) string {
	return strconv.Quote(phrase.Clip(s, limit))
}
