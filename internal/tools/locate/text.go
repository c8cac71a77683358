package locate

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// ValueOf is what a field holds, and whether the node is a field at all.
func ValueOf(n *screen.Node) (string, bool) {
	field := n.State.Has(screen.Editable) || n.State.Has(screen.Password)
	switch n.Role {
	case "textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider":
		field = true
	}
	return n.Value, field || n.Value != ""
}

// TextOf is what a person reads in the element: a field's value, else the text in it, hidden parts left out, else its name.
func TextOf(n *screen.Node) string {
	if v, field := ValueOf(n); field {
		return v
	}
	if t := content(n); t != "" {
		return t
	}
	return n.Name
}

// content joins the rendered text below n with single spaces.
func content(n *screen.Node) string {
	return contentOf(n, " ", func(n *screen.Node) bool {
		return n.Visibility != screen.Hidden && n.Visibility != screen.Transparent
	})
}

// contentOf joins the text of n and of what is below it, leaving out what keep refuses.
func contentOf(n *screen.Node, sep string, keep func(*screen.Node) bool) string {
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
			parts = append(parts, own)
		}
		for _, c := range n.Children {
			collect(c)
		}
	}
	collect(n)
	return strings.TrimSpace(strings.Join(parts, sep))
}
