package screen

import "github.com/trailblaze-dev/trailblaze/screen/words"

// FindText returns the smallest elements whose rendered text contains text, in reading order. White space is compared
// as a reader sees it. A match never begins or ends inside a word: "Paid" is not in "Unpaid". Whether a person can see
// the elements is for the caller to ask (Node.Visibility).
func (s *Snapshot) FindText(text string) []*Node {
	want := words.Squeeze(text)
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
	if words.HoldsWords(words.Squeeze(text), want) {
		return true, dressed
	}
	if spans {
		as.join = true
		text, _, _ = n.read(as)
	}
	return spans && words.HoldsWords(words.Squeeze(text), want), dressed
}
