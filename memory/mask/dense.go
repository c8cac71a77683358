package mask

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// gap reports whether a character is invisible between two letters: blanks, line ends, and characters without a shape.
func gap(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) ||
		unicode.Is(unicode.Variation_Selector, r)
}

// condense is a text without gaps.
func condense(text string) string {
	return strings.Map(func(r rune) rune {
		if gap(r) {
			return -1
		}
		return r
	}, text)
}

// gapAt returns the length of the gap that a text has at a byte, 0 when there is none.
func gapAt(text string, at int) int {
	switch c := text[at]; {
	case c <= ' ' || c == 0x7f:
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if r, n := utf8.DecodeRuneInString(text[at:]); gap(r) {
		return n
	}
	return 0
}
