package screen

import (
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Texts and names are kept as the page writes them, and as recordings hold them. A style may print them otherwise, and
// the printed text is a fair name too: "Submit" and "SUBMIT" are the same button.

// Printed is a text of this node as its style prints it: in capitals, say.
func (n *Node) Printed(text string) string {
	w, ok := n.Native.(*Web)
	if !ok || w.Transform == "" || text == "" {
		return text
	}
	switch w.Transform {
	case "uppercase":
		return strings.ToUpper(strings.ReplaceAll(text, "ß", "ss"))
	case "lowercase":
		return strings.ToLower(text)
	case "capitalize":
		last := ' '
		return strings.Map(func(r rune) rune {
			first := !words.IsWordRune(last) && last != '\'' && last != '’'
			last = r
			if first {
				return unicode.ToTitle(r)
			}
			return r
		}, text)
	}
	return text
}

// printedName is the name of a node that takes it from its content, as that is printed; "" when it is no other than
// the name.
func (n *Node) printedName() string {
	text, _, dressed := n.read(reading{printed: true})
	if !dressed {
		return ""
	}
	if written, _, _ := n.read(reading{}); words.Squeeze(written) != words.Squeeze(n.Called()) {
		return ""
	}
	return words.Squeeze(text)
}

// goesBy reports whether the node is called name, as it is written or as it is printed.
func (n *Node) goesBy(name string) bool {
	name = words.Squeeze(name)
	called := words.Squeeze(n.Called())
	return called == name || strings.EqualFold(called, name) && n.printedName() == name
}
