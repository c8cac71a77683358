// Package words compares texts as people read them: white space, marks and cut ends aside, in whole words, by
// patterns. It knows no screen. Package screen and all that stands on it ask here.
//
//	words.HoldsWords("Paid: 3", "Paid") // true; "Unpaid" does not hold it
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// HoldsWords reports whether want is in text without cutting a word in two.
func HoldsWords(text, want string) bool {
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
	case !IsWordRune(before) || !IsWordRune(after):
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

// IsWordRune reports whether r is a part of words.
func IsWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '_')
}

// Squeeze returns the text with each run of white space as one space, none at the ends: how people compare names.
func Squeeze(s string) string {
	if !loose(s) {
		return s
	}
	plain := norm.NFC.String(strings.Join(strings.Fields(invisible.Replace(s)), " "))
	if strings.ContainsFunc(plain, isGlyph) {
		if spoken := strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return isGlyph(r) || r == ' ' }),
			" "); spoken != "" {
			return spoken
		}
	}
	return plain
}

// isGlyph reports whether r is one of the characters without a meaning that icon fonts draw pictures for. A name
// without other characters keeps them, as they distinguish it from others.
func isGlyph(r rune) bool { return unicode.Is(unicode.Co, r) }

// invisible drops characters between letters that are not drawn: byte order marks, zero-width spaces and joiners,
// soft hyphens, marks of direction.
var invisible = strings.NewReplacer("\ufeff", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\u00ad", "",
	"\u200e", "", "\u200f", "", "\u061c", "", "\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "",
	"\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")

// loose reports whether Squeeze would change s; most texts it would not.
func loose(s string) bool {
	was := byte(' ')
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 0x80 || c >= '\t' && c <= '\r':
			return true // perhaps: Fields knows
		case c == ' ' && was == ' ':
			return true
		}
		was = c
	}
	return was == ' ' && s != ""
}

// SameText reports whether two texts are the same to a reader: letters with their marks in one or apart.
func SameText(a, b string) bool { return a == b || norm.NFC.String(a) == norm.NFC.String(b) }

// ContainsWords reports whether text contains part, white space aside, without cutting a word in two: "Paid" is in
// "Paid: 3" and not in "Unpaid". An empty part is in every text.
func ContainsWords(text, part string) bool {
	part = Squeeze(part)
	return part == "" || HoldsWords(Squeeze(text), part)
}

// SameWords reports whether two names are the same to a reader, white space aside.
func SameWords(a, b string) bool { return Squeeze(a) == Squeeze(b) }

// HoldsPart reports whether want is in text without cutting a number in two.
func HoldsPart(text, want string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], want)
		if i < 0 {
			return false
		}
		if !inDigits(text, at+i) && !inDigits(text, at+i+len(want)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at+i:])
		at += i + size
	}
}

func inDigits(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsDigit(before) && unicode.IsDigit(after)
}
