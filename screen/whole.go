package screen

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/screen/words"
	"golang.org/x/text/unicode/norm"
)

// OwnText returns the text directly in n, without white space around it: "Call now" in "Call <b>Olwen</b> now".
func (n *Node) OwnText() string {
	if t := DirectText(n); t != "" || n.Role == "text" {
		return words.Squeeze(t)
	}
	var runs []string
	for _, c := range n.Children {
		if c.Role == "text" {
			runs = append(runs, c.Name)
		}
	}
	return words.Squeeze(strings.Join(runs, " "))
}

// WholeText returns all text that a reader finds in n, white space aside: hidden parts, the options of lists and texts
// typed into fields left out, for those change while the element stays who it is.
func (n *Node) WholeText() string {
	t, _ := n.TextWithin(false, true, unbounded)
	return words.Squeeze(t)
}

const unbounded = 1 << 30

// whole joins the runs of text in n, with a space between them or without; beyond limit bytes it gives up.
func (n *Node) TextWithin(printed, spaced bool, limit int) (string, bool) {
	if n.State.Has(Editable) || n.Role == "option" && n.Visibility == Hidden {
		return "", true
	}
	var b strings.Builder
	seen := !Undrawn(n)
	var walk func(c *Node) bool
	walk = func(c *Node) bool {
		if c != n && (FilledIn(c) || seen && Undrawn(c)) {
			return true
		}
		if t := DirectText(c); t != "" {
			if printed {
				t = c.Printed(t)
			}
			if b.Len() > 0 && spaced {
				b.WriteByte(' ')
			}
			if b.WriteString(t); b.Len() > limit {
				return false
			}
		}
		for _, k := range c.Children {
			if !walk(k) {
				return false
			}
		}
		return true
	}
	ok := walk(n)
	return b.String(), ok
}

// FilledIn reports whether the text in n is typed or chosen by a person.
func FilledIn(n *Node) bool { return n.State.Has(Editable) || n.Role == "option" }

// own tests the text directly in n, as it is written or as its style prints it.
func (m *matcher) own(want string, n *Node) {
	if want == "" || !m.ok {
		return
	}
	text := n.OwnText()
	m.anyOf(want, text)
	if !m.ok && m.err == nil && m.dressed {
		m.ok = true
		m.anyOf(want, words.Squeeze(n.Printed(text)))
	}
}

// whole tests all the text in n. Adjacent runs are also read as one word, as letters that are animated one by one
// are.
func (m *matcher) whole(want string, n *Node) {
	if want == "" || !m.ok {
		return
	}
	limit := unbounded
	if p := words.Compile(want, false); p.Exact() {
		limit = 2*len(want) + 64 // a longer text is another one
	}
	for _, printed := range []bool{false, true} {
		if printed && !m.dressed {
			break
		}
		for _, spaced := range []bool{true, false} {
			text, short := n.TextWithin(printed, spaced, limit)
			if !short {
				continue
			}
			if m.ok = true; m.anyOfSqueezed(want, text) {
				return
			}
		}
	}
	m.ok = false
}

func (m *matcher) anyOfSqueezed(want, text string) bool {
	m.anyOf(want, words.Squeeze(text))
	return m.ok || m.err != nil
}

// anyOf compares white space and marks aside.
func (m *matcher) anyOf(want, text string) {
	if words.Squeeze(want) != text {
		m.regex(norm.NFC.String(want), text)
	}
}
