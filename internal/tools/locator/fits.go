package locator

import "github.com/trailblaze-dev/trailblaze/screen"

// What an action can be done to. A name that fits several elements means the one that it can be done to.

// For is the query of an action that can be done only to what fits.
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
