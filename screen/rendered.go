package screen

import "strings"

// touching is the gap in pixels up to which two runs of text on one line read as one word.
const touching = 1.5

// Rendered returns the text a reader finds in n, spans apart.
func Rendered(n *Node) string {
	text, _, _ := n.read(reading{})
	return text
}

// reading is a way to read.
type reading struct {
	join    bool // spans side by side are one word
	printed bool // as styles print it, not as it is written
}

// read is the text a reader finds in n, and whether spans lie side by side in it, and whether a style prints some of it
// otherwise than it is written. Runs that touch on a line are one word ("1<b>2</b>" reads "12"), all others are apart
// ("<td>1</td><td>2</td>" reads "1 2").
func (n *Node) read(as reading) (text string, spans, dressed bool) {
	var b strings.Builder
	var last *Node
	var walk func(n *Node)
	walk = func(n *Node) {
		if t := DirectText(n); t != "" {
			if last != nil {
				word, maybe := touches(last, n)
				spans = spans || maybe
				if !word && !(maybe && as.join) {
					b.WriteByte(' ')
				}
			}
			if w, ok := n.Native.(*Web); ok && w.Transform != "" {
				dressed = true
				if as.printed {
					t = n.Printed(t)
				}
			}
			b.WriteString(t)
			last = n
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(n)
	return b.String(), spans, dressed
}

// touches reports whether two runs read as one word, for sure or maybe. Both must be runs of a line: the boxes of
// cells and buttons touch too, and still separate their contents, as all views of apps do.
func touches(m, n *Node) (word, maybe bool) {
	if !flows(m) || !flows(n) {
		return false, false
	}
	a, b := m.Bounds, n.Bounds
	gap := b.X - (a.X + a.W)
	if a.Empty() || b.Empty() || gap > touching || gap < -touching || a.Center().Y < b.Y || a.Center().Y > b.Y+b.H {
		return false, false
	}
	if m.Role == "text" || n.Role == "text" {
		return true, false
	}
	p, q := inline(m), inline(n)
	return p == formats && q == formats, p != "" && q != ""
}

// flows reports whether a node may be a run in a line of text, which needs a page.
func flows(n *Node) bool {
	switch n.Native.(type) {
	case nil, *Web:
		return true
	}
	return false
}

const formats = "formats"

// inline returns the part that an element plays in a line: it formats a part of it, it may do anything ("span"), or
// neither ("").
func inline(n *Node) string {
	w, ok := n.Native.(*Web)
	if !ok {
		return ""
	}
	switch w.Tag {
	case "b", "i", "u", "s", "em", "strong", "small", "mark", "font", "sub", "sup", "ins", "del", "bdi", "bdo":
		return formats
	case "span", "code", "a", "abbr", "var":
		return "span"
	}
	return ""
}

// DirectText returns the text that n itself shows: its text, or the label that an input of type button has as its
// value.
func DirectText(n *Node) string {
	if n.Text != "" {
		return n.Text
	}
	if n.Role == "text" {
		return n.Name
	}
	if w, ok := n.Native.(*Web); ok && w.Tag == "input" {
		switch w.InputType {
		case "button", "submit", "reset":
			return n.Name
		}
	}
	return ""
}
