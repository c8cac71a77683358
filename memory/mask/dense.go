package mask

import (
	"slices"
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

// Apart reports which of the texts, given as they follow each other, show a part of a secret that the page took apart,
// or all of it.
func (k *Masker) Apart(texts []string) []bool {
	out := make([]bool, len(texts))
	spans := k.pieces.gapped(strings.Join(texts, ""))
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	from, shown, i := 0, 0, 0 // shown is how far the spans before reach
	for n, t := range texts {
		end := from + len(t)
		out[n] = from < end && from < shown
		for ; i < len(spans) && spans[i].from < end; i++ {
			out[n] = out[n] || from < end && spans[i].to > from
			shown = max(shown, spans[i].to)
		}
		from = end
	}
	return out
}
