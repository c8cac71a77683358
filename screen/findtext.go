package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FindText returns the smallest elements whose rendered text contains text, in reading order. White space is compared
// as a reader sees it. A match never begins or ends inside a word: "Paid" is not in "Unpaid". Whether a person can see
// the elements is for the caller to ask (Node.Visibility).
func (s *Snapshot) FindText(text string) []*Node {
	want := squeeze(text)
	if want == "" || s.Root == nil {
		return nil
	}
	var out []*Node
	var visit func(n *Node) bool // reports whether n or something below it holds the text
	visit = func(n *Node) bool {
		if !holdsText(n, want) {
			return false
		}
		below := false
		for _, c := range n.Children {
			if visit(c) {
				below = true
			}
		}
		if !below {
			out = append(out, n)
		}
		return true
	}
	visit(s.Root)
	return out
}

func holdsText(n *Node, want string) bool { return containsWords(squeeze(rendered(n)), want) }

// touching is the gap in pixels up to which two runs of text on one line read as one word.
const touching = 1.5

// rendered is the text a reader finds in n. Runs that touch on a line are one word ("1<b>2</b>" reads "12"), all others
// are apart ("<td>1</td><td>2</td>" reads "1 2").
func rendered(n *Node) string {
	var b strings.Builder
	var last *Node
	var walk func(n *Node)
	walk = func(n *Node) {
		if t := ownText(n); t != "" {
			if last != nil && !touches(last, n) {
				b.WriteByte(' ')
			}
			b.WriteString(t)
			last = n
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

// touches reports whether two runs read as one word. One of them must be a bare run of text: the boxes of cells and
// buttons touch too, and still part what is in them.
func touches(m, n *Node) bool {
	if m.Role != "text" && n.Role != "text" {
		return false
	}
	a, b := m.Bounds, n.Bounds
	gap := b.X - (a.X + a.W)
	return !a.Empty() && !b.Empty() && gap <= touching && gap >= -touching && a.Center().Y >= b.Y && a.Center().Y <= b.Y+b.H
}

// ownText is what n itself shows: its text, or the label that an input of type button carries as its value.
func ownText(n *Node) string {
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

// containsWords reports whether want is in text without cutting a word in two.
func containsWords(text, want string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], want)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(want)
		if !joined(text, start) && !joined(text, end) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		at = start + size
	}
}

// joined reports whether position i lies between two characters of one word.
func joined(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return wordRune(before) && wordRune(after)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == '_')
}
