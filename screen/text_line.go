package screen

import (
	"fmt"
	"strconv"
	"strings"
)

// maxText bounds one piece of page text on a line; the whole of it is a scope away.
const maxText = 200

// line is the body of n's line, "" when n says nothing and can do nothing.
func (w *textWriter) line(n *Node) string {
	var b strings.Builder
	role := n.Role
	switch role {
	case "text":
		return quoted(squeeze(n.Name), maxText)
	case "generic", "none", "presentation", "":
		if n.Ref == "" && n.Name == "" {
			if n.Text == "" {
				return ""
			}
			return quoted(squeeze(n.Text), maxText) + w.extras(n)
		}
		role = "generic"
	case "paragraph", "listitem", "cell", "gridcell", "row", "rowgroup", "table", "list", "strong", "emphasis", "code", "blockquote", "term", "definition", "LabelText":
		if n.Ref == "" && n.Text != "" {
			return shortRole(role) + " " + quoted(squeeze(n.Text), maxText) + w.extras(n)
		}
		if n.Ref == "" && n.Name == "" && (role == "rowgroup" || role == "LabelText" || role == "strong" || role == "emphasis") {
			return ""
		}
	}
	b.WriteString(shortRole(role))
	label := squeeze(n.Name)
	if label != "" {
		b.WriteString(" " + quoted(label, maxText))
	}
	if n.Ref != "" {
		b.WriteString(" " + n.Ref)
	}
	if s := states(n); s != "" {
		b.WriteString(" [" + s + "]")
	}
	b.WriteString(value(n))
	if t := squeeze(n.Text); t != "" && t != label {
		b.WriteString(" · " + quoted(t, maxText))
	}
	b.WriteString(w.extras(n))
	return b.String()
}

// shortRole drops what a reader does without.
func shortRole(role string) string {
	switch role {
	case "paragraph":
		return "p"
	case "listitem":
		return "-"
	case "gridcell":
		return "cell"
	}
	return role
}

// states are the facts that matter for acting, in a fixed order.
func states(n *Node) string {
	var out []string
	add := func(when bool, word string) {
		if when {
			out = append(out, word)
		}
	}
	if n.Level > 0 && n.Role == "heading" {
		out = append(out, strconv.Itoa(n.Level))
	}
	st := n.State
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
	add(st.Has(Selected), "selected")
	add(st.Has(Pressed), "pressed")
	add(st.Has(Expanded), "expanded")
	add(st.Has(Expandable) && !st.Has(Expanded), "collapsed")
	add(st.Has(HasPopup) && n.Role != "combobox", "popup")
	add(st.Has(Current), "current")
	add(st.Has(Required), "required")
	add(st.Has(Invalid), "invalid")
	add(st.Has(ReadOnly), "read-only")
	add(st.Has(Multiline), "multi-line")
	add(st.Has(Password), "password")
	add(st.Has(Modal), "modal")
	add(st.Has(Busy), "busy")
	add(st.Has(Draggable), "draggable")
	if why := n.Visibility.why(); why != "" {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(why, "is "), "by "))
	}
	return strings.Join(out, ", ")
}

// value is what a control holds, its range, its options, and what a scroll container hides.
func value(n *Node) string {
	var b strings.Builder
	if n.Value != "" {
		b.WriteString(" = " + quoted(n.Value, maxText))
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
	if s := n.Scroll; s != nil {
		for _, side := range []struct {
			px   int
			word string
		}{{s.Above, "above"}, {s.Below, "below"}, {s.Left, "left"}, {s.Right, "right"}} {
			if side.px > 0 {
				fmt.Fprintf(&b, " %d px more %s", side.px, side.word)
			}
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

func (w *textWriter) extras(n *Node) string {
	s := ""
	if n.Description != "" && squeeze(n.Description) != squeeze(n.Name) {
		s += " — " + quoted(squeeze(n.Description), 80)
	}
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

// quoted is page text made safe: in quotes, control characters escaped, cut at limit characters.
func quoted(s string, limit int) string {
	if len(s) > limit {
		if r := []rune(s); len(r) > limit {
			s = string(r[:limit-1]) + "…"
		}
	}
	return strconv.Quote(s)
}
