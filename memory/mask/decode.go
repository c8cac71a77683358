package mask

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A text that passed through other systems has the escapes of all of them: JSON in a query in an attribute. The
// characters that each escapes are unknown; so escapes are undone, one kind at a time, and the result is searched.

// maxUndone limits the kinds of escapes around each other.
const maxUndone = 3

// maxLooked limits the bytes that are searched for one text, with all its unescaped forms: the time for it must
// stay bounded.
const maxLooked = 4 << 20

// search is the pass through a text and its unescaped forms.
type search struct {
	*Masker
	seen map[string]int // and how many kinds of escapes were yet to be undone then
	left int            // of maxLooked
}

// within finds all forms in a text, and in its escaped parts.
func (k *Masker) within(text string) []span {
	if !strings.ContainsAny(text, `%\&<`) {
		return k.find(text)
	}
	return (&search{k, map[string]int{}, maxLooked}).below(text, maxUndone)
}

func (k *search) below(text string, depth int) []span {
	spans := k.find(text)
	if k.left -= len(text); depth == 0 || k.left < 0 {
		return spans
	}
	for _, kind := range escapes {
		if !strings.Contains(text, kind.mark) {
			continue
		}
		u := kind.decode(text)
		if u.text == text || k.seen[u.text] >= depth {
			continue
		}
		k.seen[u.text] = depth
		for _, s := range k.below(u.text, depth-1) {
			spans = append(spans, u.origin(s))
		}
	}
	return spans
}

// decoded is a text without its escapes; from and to say where each of its bytes stood in the original.
type decoded struct {
	text     string
	from, to []int32
}

func (u decoded) origin(s span) span { return span{int(u.from[s.from]), int(u.to[s.to-1])} }

// escape is one kind of escapes: a mark that all of them hold, and a function that reads one at the beginning of a
// text: its plain text and its length, 0 when there is none.
type escape struct {
	mark string
	read func(text string) (plain string, length int)
}

var escapes = []escape{{"%", percent}, {`\`, backslash}, {"&", entity}, {"<", tag}}

func (e escape) decode(text string) decoded {
	out := make([]byte, 0, len(text))
	u := decoded{from: make([]int32, 0, len(text)), to: make([]int32, 0, len(text))}
	put := func(plain string, at, length int) {
		out = append(out, plain...)
		for range len(plain) {
			u.from, u.to = append(u.from, int32(at)), append(u.to, int32(at+length))
		}
	}
	for at := 0; at < len(text); {
		plain, n := text[at:at+1], 1
		if text[at] == e.mark[0] {
			if m, length := e.read(text[at:]); length > 0 {
				plain, n = m, length
			}
		}
		put(plain, at, n)
		at += n
	}
	u.text = string(out)
	return u
}

// percent reads %41 and, of escape(), %u20AC.
func percent(text string) (string, int) {
	if len(text) > 1 && (text[1] == 'u' || text[1] == 'U') {
		return unit(text, 2, "%u")
	}
	if c, ok := number(text, 1, 2, 16); ok {
		return string([]byte{byte(c)}), 3
	}
	return "", 0
}

// backslash reads the escapes of JSON and of scripts.
func backslash(text string) (string, int) {
	if len(text) < 2 {
		return "", 0
	}
	switch c := text[1]; c {
	case 'u':
		return unit(text, 2, `\u`)
	case 'x':
		if c, ok := number(text, 2, 2, 16); ok {
			return string(rune(c)), 4
		}
		return "", 0
	case 'n', 't', 'r', 'b', 'f', 'v', '0':
		return string("\n\t\r\b\f\v\x00"[strings.IndexByte("ntrbfv0", c)]), 2
	case '"', '\'', '\\', '/', '`':
		return text[1:2], 2
	}
	return "", 0
}

// unit reads the four digits of a UTF-16 code unit, and those of the one it makes a pair with.
func unit(text string, at int, again string) (string, int) {
	hi, ok := number(text, at, 4, 16)
	if !ok {
		return "", 0
	}
	r, n := rune(hi), at+4
	if utf16.IsSurrogate(r) && len(text) >= n+len(again) && strings.EqualFold(text[n:n+len(again)], again) {
		if lo, ok := number(text, n+len(again), 4, 16); ok {
			if pair := utf16.DecodeRune(r, rune(lo)); pair != utf8.RuneError {
				return string(pair), n + len(again) + 4
			}
		}
	}
	return string(r), n
}

// longestEntity is longer than any name of a character in HTML, its & and ; included.
const longestEntity = 40

// entity reads what HTML writes a character as.
func entity(text string) (string, int) {
	end := strings.IndexByte(text[:min(len(text), longestEntity)], ';')
	if end < 2 {
		return "", 0
	}
	if meant := html.UnescapeString(text[:end+1]); !strings.HasPrefix(meant, "&") || meant == "&" {
		return meant, end + 1
	}
	return "", 0
}

// longestTag bounds how far a tag's end is looked for.
const longestTag = 1 << 10

// tag reads a tag of markup, which stands for nothing: letters between tags are read as one word.
func tag(text string) (string, int) {
	if len(text) < 3 || text[1] != '/' && text[1] != '!' && !unicode.IsLetter(rune(text[1])) {
		return "", 0
	}
	end := strings.IndexByte(text[:min(len(text), longestTag)], '>')
	if end < 0 {
		return "", 0
	}
	return "", end + 1
}

func number(text string, at, digits, base int) (uint64, bool) {
	if len(text) < at+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[at:at+digits], base, 32)
	return n, err == nil
}
