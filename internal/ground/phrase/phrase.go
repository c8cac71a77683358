// Package phrase makes the small pieces of English that messages are built of: counted nouns, clipped texts, first
// sentences. Every package may use it; its functions keep no state.
//
//	phrase.Count(2, "step") // "2 steps"
package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count is a number with its noun: "1 step", "2 steps".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Clip cuts a text to at most n characters; "…" in the last place marks the cut.
func Clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// OneLine returns a text from outside on one line: one with characters that do not show as themselves, such as line
// feeds and those that turn the direction of writing, is quoted.
func OneLine(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// FirstSentence is a text up to its first full stop, on one line.
func FirstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i > 0 {
		return text[:i+1]
	}
	return text
}

// maxCompared is the longest word that Distance compares.
const maxCompared = 64

// Distance counts the edits (insert, delete, replace, swap of neighbours) between two words, byte by byte. A word that
// is longer is far from every other.
func Distance(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return maxCompared
	}
	var before, last, row [maxCompared + 1]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
