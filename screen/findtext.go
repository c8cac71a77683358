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

// holdsText reads spans side by side both ways: as one word, as letters that are animated one by one are, and apart, as
// badges are.
func holdsText(n *Node, want string) bool {
	ok, dressed := n.says(want, reading{})
	if !ok && dressed {
		ok, _ = n.says(want, reading{printed: true})
	}
	return ok
}

func (n *Node) says(want string, as reading) (ok, dressed bool) {
	text, spans, dressed := n.read(as)
	if containsWords(squeeze(text), want) {
		return true, dressed
	}
	if spans {
		as.join = true
		text, _, _ = n.read(as)
	}
	return spans && containsWords(squeeze(text), want), dressed
}

// touching is the gap in pixels up to which two runs of text on one line read as one word.
const touching = 1.5

// rendered is the text a reader finds in n, spans apart.
func rendered(n *Node) string {
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
		if t := ownText(n); t != "" {
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
// cells and buttons touch too, and still separate their contents.
func touches(m, n *Node) (word, maybe bool) {
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

// ownText returns the text that n itself shows: its text, or the label that an input of type button has as its
// value.
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

// joined reports whether position i lies between two characters of one word. A number is one word with its fraction
// and its thousands. Scripts that put no spaces between words know no word ends, but a mark is never parted from its
// letter.
func joined(text string, i int) bool {
	before, size := utf8.DecodeLastRuneInString(text[:i])
	after, width := utf8.DecodeRuneInString(text[i:])
	switch {
	case !wordRune(before) || !wordRune(after):
		return inNumber(before, after, text[:i-min(size, i)], text[i+min(width, len(text)-i):])
	case unicode.Is(unicode.M, after):
		return true
	}
	return !unspaced(before) && !unspaced(after)
}

// inNumber reports whether a point or comma before or after the position parts the digits of one number.
func inNumber(before, after rune, head, tail string) bool {
	last, _ := utf8.DecodeLastRuneInString(head)
	next, _ := utf8.DecodeRuneInString(tail)
	return unicode.IsDigit(before) && separates(after) && unicode.IsDigit(next) ||
		unicode.IsDigit(last) && separates(before) && unicode.IsDigit(after)
}

func separates(r rune) bool { return r == '.' || r == ',' || r == '\'' || r == '’' }

func unspaced(r rune) bool {
	return r >= 0x0e00 &&
		(unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar) || r == 'ー')
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '_')
}
