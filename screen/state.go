package screen

import (
	"strconv"
	"strings"
)

// singleStates lists the states that one word says, in the order they are written.
var singleStates = []struct {
	state State
	word  string
}{
	{Selected, "selected"}, {Pressed, "pressed"}, {Expanded, "expanded"}, {Current, "current"}, {Required, "required"},
	{Invalid, "invalid"},
	{ReadOnly, "read-only"}, {Multiline, "multi-line"}, {Password, "password"}, {Modal, "modal"}, {Busy, "busy"},
	{Draggable, "draggable"},
}

// StateWords lists the facts that matter for acting, in a fixed order.
func StateWords(n *Node) string {
	st := n.State
	const none = Focused | Disabled | Mixed | Checked | Checkable | Selected | Expanded | Expandable | Pressed |
		Current | Required | Invalid |
		ReadOnly | Multiline | Password | Modal | Busy | Draggable | HasPopup
	if st&none == 0 && n.Level == 0 && n.Visibility.Reason() == "" {
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
	for _, s := range singleStates {
		add(st.Has(s.state), s.word)
	}
	add(st.Has(Expandable) && !st.Has(Expanded) && !IsSelect(n), "collapsed")
	add(st.Has(HasPopup) && n.Role != "combobox", "popup")
	add(n.Visibility.Reason() != "", n.Visibility.Mark())
	return strings.Join(out, ", ")
}

// IsSelect reports whether n is a select element of a page.
func IsSelect(n *Node) bool {
	d, ok := n.Native.(*Web)
	return ok && d.Tag == "select"
}
