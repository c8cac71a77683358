package locator

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// ValueOf returns the value of a field, and whether the node is a field at all.
func ValueOf(n *screen.Node) (string, bool) {
	field := n.State.Has(screen.Editable) || n.State.Has(screen.Password)
	switch n.Role {
	case "textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider":
		field = true
	}
	return n.Value, field || n.Value != ""
}

// TextOf returns the text that a person reads in the element: a field's value, else the text in it, hidden parts left
// out, else its name.
func TextOf(n *screen.Node) string { return textOf(n, written) }

// Reads reports whether ok holds for the element's text, as it is written or as its style prints it.
func Reads(n *screen.Node, ok func(text string) bool) bool {
	text := textOf(n, written)
	if ok(text) {
		return true
	}
	style := textOf(n, printed)
	return style != text && ok(style)
}

func written(_ *screen.Node, text string) string { return text }
func printed(n *screen.Node, text string) string { return n.Printed(text) }

func textOf(n *screen.Node, as func(*screen.Node, string) string) string {
	if v, field := ValueOf(n); field {
		return as(n, v)
	}
	if t := content(n, as); t != "" {
		return t
	}
	return as(n, n.Name)
}

// content joins the rendered text below n with single spaces.
func content(n *screen.Node, as func(*screen.Node, string) string) string {
	return contentOf(n, " ", func(n *screen.Node) bool {
		return n.Visibility != screen.Hidden && n.Visibility != screen.Transparent
	}, as)
}

// contentOf joins the text of n and of the nodes below it, leaving out those that keep refuses.
func contentOf(n *screen.Node, sep string, keep func(*screen.Node) bool, as func(*screen.Node, string) string) string {
	var parts []string
	var collect func(*screen.Node)
	collect = func(n *screen.Node) {
		if !keep(n) {
			return
		}
		own := n.Text
		if own == "" && n.Role == "text" {
			own = n.Name
		}
		if own != "" {
			parts = append(parts, as(n, own))
		}
		for _, c := range n.Children {
			collect(c)
		}
	}
	collect(n)
	return strings.TrimSpace(strings.Join(parts, sep))
}
