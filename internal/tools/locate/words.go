package locate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ContainsWords reports whether text contains part, white space aside, without cutting a word: "Paid" is in "Paid: 3"
// and not in "Unpaid". An empty part is in every text.
func ContainsWords(text, part string) bool {
	text, part = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(part), " ")
	if part == "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(part)
	last, _ := utf8.DecodeLastRuneInString(part)
	for at := 0; ; {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(part):])
		if !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after)) {
			return true
		}
		at = i + len(string(first))
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}
