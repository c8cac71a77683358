package observe

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Fit cuts a text to a budget at line ends, keeping its beginning and its end, and keeps the whole of it with keep
// (which may be nil). A text that fits comes back as it is. No budget is exceeded, not even by the note about the
// missing part.
func Fit(text string, maxTokens int, keep Keeper) (string, *Overflow, error) {
	return Settings{Keeper: keep}.fit(text, maxTokens)
}

func (s Settings) fit(text string, maxTokens int) (string, *Overflow, error) {
	maxTokens = max(maxTokens, 0)
	if Tokens(text) <= maxTokens {
		return text, nil, nil
	}
	overflow, err := s.keep([]byte(text), textPlain)
	where := ""
	switch {
	case overflow.Where() != "":
		where = "; all of it: " + overflow.Where()
	case overflow != nil:
		where = "; all of it is kept as blob " + overflow.Blob
	}
	note := fmt.Sprintf("… %d of about %d tokens left out%s …", Tokens(text)-maxTokens, Tokens(text), where)
	room := 4*maxTokens - len(note) - 2
	if room < 2*len(note) && where != "" { // a small budget is for the text; the client id is in the reply's data
		note = fmt.Sprintf("… %d tokens left out …", Tokens(text)-maxTokens)
		room = 4*maxTokens - len(note) - 2
	}
	if room < 0 {
		return cutHead(text, 4*maxTokens), overflow, err
	}
	head, tail := cutHead(text, room*3/4), cutTail(text, room/4)
	return strings.TrimRight(head, "\n") + "\n" + note + "\n" + tail, overflow, err
}

// cutHead is the first n bytes at most, up to the end of a line when one ends in their second half.
func cutHead(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i > n/2 {
		n = i
	}
	return s[:n]
}

// cutTail is the last n bytes at most, from the beginning of a line when one begins in their first half.
func cutTail(s string, n int) string {
	from := max(0, len(s)-n)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 && i < n/2 {
		from += i + 1
	}
	return s[from:]
}
