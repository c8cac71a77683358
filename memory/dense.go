package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// gap says whether a character is nothing to a reader's eye between two letters: blanks, line ends, and what has no
// shape.
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

// gapAt is how long the gap is that a text has at a byte, 0 when there is none.
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

// indexGapped finds a form in a text from a byte on, whatever gaps stand between its characters.
func indexGapped(text, form string, at int) (span, bool) {
	for {
		i := strings.IndexByte(text[at:], form[0])
		if i < 0 {
			return span{}, false
		}
		at += i
		here, left := at+1, form[1:]
		for left != "" && here < len(text) {
			if text[here] == left[0] {
				here, left = here+1, left[1:]
			} else if n := gapAt(text, here); n > 0 {
				here += n
			} else {
				break
			}
		}
		if left == "" {
			return span{at, here}, true
		}
		at++
	}
}

func findGapped(text string, forms []string) (spans []span) {
	for _, f := range forms {
		for at := 0; ; {
			s, ok := indexGapped(text, f, at)
			if !ok {
				break
			}
			spans = append(spans, s)
			at = s.from + 1
		}
	}
	return spans
}

// apart says which of the texts, joined, show a secret.
func (k *masker) apart(texts []string) []bool {
	out := make([]bool, len(texts))
	for _, s := range findGapped(strings.Join(texts, ""), k.pieces) {
		from := 0
		for i, t := range texts {
			end := from + len(t)
			out[i] = out[i] || from < s.to && end > s.from && from < end
			from = end
		}
	}
	return out
}
