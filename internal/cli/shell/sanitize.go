package shell

import (
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// painted matches the codes that styles write around a word: weight and one of sixteen colours, and their end.
// Anything else that begins with an escape can move the cursor, hide text, set the title or reach the clipboard.
var painted = regex.Lazy(`\x1b\[(?:|0|1|(?:1;)?(?:3[0-7]|9[0-7]))m`)

// commandLine is the beginning of lines that build servers carry out: ::error:: and ##[…] of GitHub, ##vso[…] of
// Azure, ##teamcity[…].
var commandLine = regex.Lazy(`(?m)^(\s*)([:#])(:[A-Za-z]|#(?:vso|teamcity)?\[)`)

// sanitize shows the control characters in a text, so that a page whose text is printed cannot give orders to the
// terminal. Ours are let through: a page could imitate a colour at most.
func sanitize(text string) string {
	if !strings.ContainsFunc(text, wild) {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	for at := 0; at < len(text); {
		next := painted().FindStringIndex(text[at:])
		if next == nil {
			next = []int{len(text) - at, len(text) - at}
		}
		b.WriteString(strings.Map(pictureOf, text[at:at+next[0]]))
		b.WriteString(text[at+next[0] : at+next[1]])
		at += next[1]
	}
	return b.String()
}

func wild(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || overrides(r) }

// overrides reports whether a sign changes the direction of the text after it: a line could read otherwise than it is.
func overrides(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// pictureOf is the picture of a control character.
func pictureOf(r rune) rune {
	switch {
	case !wild(r):
		return r
	case r < 0x20:
		return 0x2400 + r
	case r == 0x7f:
		return 0x2421
	}
	return unicode.ReplacementChar
}
