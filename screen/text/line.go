package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// line is the body of n's line, "" when n says nothing and can do nothing.
func (w *writer) line(n *screen.Node) string {
	if isLabel(n) && n.Name == "" && n.Text == "" && !w.view.all && screen.ActsBelow(n) {
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
func (w *writer) bare(n *screen.Node) (body string, ok bool) {
	text := ""
	switch {
	case n.Role == "text":
		if text = words.Squeeze(n.Name); text != "" {
			text = w.quote(text) + w.ref(n) + w.markHidden(n)
		}
		return text, true // a non-breaking space keeps a line open and says nothing
	case plainBox(n.Role), textual(n.Role) && !w.view.all:
		if text = words.Squeeze(n.Text); n.Name == "" && text != "" {
			text = w.quote(text) + w.ref(n) + unseenMark(n) + w.marks(n)
		}
		return text, n.Name == ""
	case structural(n.Role) && !w.view.all:
		return "", n.Name == "" && n.Text == "" && screen.StateWords(n) == "" && n.Scroll == nil && n.Description == ""
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
func (w *writer) start(n *screen.Node, whole bool) string {
	var b strings.Builder
	b.WriteString(screen.RoleWord(n.Role))
	label := words.Squeeze(n.Called())
	if label != "" && (whole || !nameSays(screen.Rendered(n), label)) {
		b.WriteString(" " + w.quote(label))
	}
	b.WriteString(w.ref(n))
	if s := screen.StateWords(n); s != "" {
		b.WriteString(" [" + s + "]")
	}
	b.WriteString(w.value(n))
	if ref := w.labels[n]; ref != "" {
		b.WriteString(" label " + ref)
	}
	// a glyph says nothing beside a name
	if t := words.Squeeze(n.Text); t != "" && t != label && (label == "" || strings.ContainsFunc(t, words.IsWordRune)) {
		if label == "" && n.Ref == "" {
			b.WriteString(" " + w.quote(t))
		} else {
			b.WriteString(" · " + w.quote(t))
		}
	}
	b.WriteString(w.marks(n))
	return b.String()
}

// value returns the value of a control, its range, its options, and the pixels that a scroll container hides.
func (w *writer) value(n *screen.Node) string {
	var b strings.Builder
	if n.Value != "" {
		b.WriteString(" = " + w.quote(n.Value))
	}
	if d, ok := n.Native.(*screen.Web); ok {
		if d.Placeholder != "" && n.Value == "" && words.Squeeze(d.Placeholder) != words.Squeeze(n.Name) {
			b.WriteString(" hint " + words.Quote(d.Placeholder, 80))
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

func overflow(s *screen.Overflow) string {
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
		out = append(out, words.Quote(words.Squeeze(o), 40))
	}
	return strings.Join(out, " ")
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// marks returns the end of a line: the description, the side on which an element out of view lies, and the details
// asked for.
func (w *writer) marks(n *screen.Node) string {
	s := ""
	if n.Description != "" && words.Squeeze(n.Description) != words.Squeeze(n.Name) {
		s += " — " + words.Quote(words.Squeeze(n.Description), 80)
	}
	s += w.offMark(n)
	if w.view.css {
		if d, ok := n.Native.(*screen.Web); ok && d.CSS != "" {
			s += " css=" + words.Quote(d.CSS, 200)
		}
	}
	if w.view.bounds {
		s += fmt.Sprintf(" @%.0f,%.0f,%.0f,%.0f", n.Bounds.X, n.Bounds.Y, n.Bounds.W, n.Bounds.H)
	}
	return s
}

// markHidden marks a bare text in its place when a person cannot see it.
func (w *writer) markHidden(n *screen.Node) string {
	if n.Visibility == screen.Visible {
		return ""
	}
	return unseenMark(n) + w.offMark(n)
}

// unseenMark returns the reason why an element is not visible, as states do; the styles that hide instructions for
// a model count as hiding.
func unseenMark(n *screen.Node) string {
	if n.Visibility.Reason() == "" {
		return ""
	}
	return " [" + n.Visibility.Mark() + "]"
}

// offMark returns the side on which an element out of view lies. It is given once: by the outermost element with a
// text in its line.
func (w *writer) offMark(n *screen.Node) string {
	if n.Visibility != screen.Offscreen || w.snap.Height == 0 || structural(n.Role) && n.Name == "" && n.Text == "" {
		return ""
	}
	for p := n.Parent; p != nil && p.Visibility == screen.Offscreen; p = p.Parent {
		if w.off[p] {
			return ""
		}
	}
	if w.off == nil {
		w.off = map[*screen.Node]bool{}
	}
	w.off[n] = true
	return " (" + w.side(n) + ")"
}

// quote is page text at the length the view has.
func (w *writer) quote(s string) string {
	if w.view.all {
		return strconv.Quote(s)
	}
	if len(s) > w.textLimit && utf8.RuneCountInString(s) > w.textLimit {
		w.cut++
	}
	return words.Quote(s, w.textLimit)
}
