package screen

import (
	"context"

	"golang.org/x/text/unicode/norm"
)

// MatchText reports whether the whole text matches a Java regular expression, or is equal to it: what every *Regex
// field of a selector does, for tools that take an expression of their own.
func MatchText(expression, text string) (bool, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), findLimit, errFindLimit)
	defer cancel()
	return compile(norm.NFC.String(expression), false).match(ctx, norm.NFC.String(text))
}

// SameText reports whether two texts are the same to a reader: letters with their marks in one or apart.
func SameText(a, b string) bool { return a == b || norm.NFC.String(a) == norm.NFC.String(b) }

// ContainsWords reports whether text contains part, white space aside, without cutting a word in two: "Paid" is in
// "Paid: 3" and not in "Unpaid". An empty part is in every text.
func ContainsWords(text, part string) bool {
	part = squeeze(part)
	return part == "" || containsWords(squeeze(text), part)
}

// SameWords reports whether two names are the same to a reader, white space aside.
func SameWords(a, b string) bool { return squeeze(a) == squeeze(b) }
