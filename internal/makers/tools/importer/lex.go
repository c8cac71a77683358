package importer

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/trail"
)

// kind is the kind of a token.
type kind int

const (
	end     kind = iota
	word         // a name or a keyword
	text         // a string; value is what it stands for
	number       // as written
	pattern      // a regular expression /…/; value is its source, flags what follows it
	mark         // a punctuation character, or =>
	newline      // the end of a line of Python outside of brackets
)

// token is a piece of a source file.
type token struct {
	kind   kind
	value  string
	flags  string
	pos    trail.Pos
	indent int // of its line
	from   int // where in the source
	to     int

	computed bool // a string with code in it
}

// lexer cuts TypeScript or Python into tokens.
type lexer struct {
	in     string
	python bool
	at     int
	line   int
	start  int // of the line
	depth  int // of brackets
	out    []token
}

func lex(in string, python bool) []token {
	l := &lexer{in: in, python: python, line: 1}
	for l.at < len(in) {
		l.next()
	}
	if python {
		l.add(newline, "", 0)
	}
	l.add(end, "", 0)
	return l.out
}

// add appends a token of n bytes.
func (l *lexer) add(k kind, value string, n int) {
	line := l.in[l.start:min(l.at, len(l.in))]
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	l.out = append(l.out, token{kind: k, value: value, pos: trail.Pos{Line: l.line, Col: utf8.RuneCountInString(line) + 1},
		indent: indent, from: l.at, to: l.at + n})
	for range strings.Count(l.in[l.at:l.at+n], "\n") {
		l.line++
	}
	if i := strings.LastIndexByte(l.in[l.at:l.at+n], '\n'); i >= 0 {
		l.start = l.at + i + 1
	}
	l.at += n
}

func (l *lexer) next() {
	rest := l.in[l.at:]
	switch c := rest[0]; {
	case c == '\n':
		if l.python && l.depth == 0 && len(l.out) > 0 && l.out[len(l.out)-1].kind != newline {
			l.add(newline, "", 1)
			return
		}
		l.at++
		l.line++
		l.start = l.at
	case c == ' ' || c == '\t' || c == '\r' || c == '\\' && l.python:
		l.at++
	case l.python && c == '#', !l.python && strings.HasPrefix(rest, "//"):
		l.at += upTo(rest, "\n")
	case !l.python && strings.HasPrefix(rest, "/*"):
		n := min(upTo(rest[2:], "*/")+4, len(rest))
		l.line += strings.Count(rest[:n], "\n")
		if i := strings.LastIndexByte(rest[:n], '\n'); i >= 0 {
			l.start = l.at + i + 1
		}
		l.at += n
	case c == '"' || c == '\'' || c == '`' && !l.python:
		l.quoted(0)
	case l.python && len(rest) > 1 && strings.ContainsRune("rRfFbBuU", rune(c)) && (rest[1] == '"' || rest[1] == '\''):
		l.quoted(1)
	case c == '/' && !l.python && l.patternMayBegin():
		l.expression(rest)
	case c >= '0' && c <= '9':
		n := 1
		for n < len(rest) && (isWord(rune(rest[n])) || rest[n] == '.') {
			n++
		}
		l.add(number, strings.ReplaceAll(rest[:n], "_", ""), n)
	default:
		l.word(rest)
	}
}

func upTo(s, what string) int {
	if i := strings.Index(s, what); i >= 0 {
		return i
	}
	return len(s)
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func (l *lexer) word(rest string) {
	r, n := utf8.DecodeRuneInString(rest)
	if !isWord(r) {
		if strings.HasPrefix(rest, "=>") {
			n = 2
		}
		switch {
		case strings.ContainsRune("([{", r):
			l.depth++
		case strings.ContainsRune(")]}", r):
			l.depth = max(l.depth-1, 0)
		}
		l.add(mark, rest[:n], n)
		return
	}
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !isWord(r) {
			break
		}
		n += size
	}
	l.add(word, rest[:n], n)
}

// quoted reads a string whose quote stands after a prefix of n letters.
func (l *lexer) quoted(n int) {
	rest := l.in[l.at:]
	raw, format := strings.ContainsAny(rest[:n], "rR"), strings.ContainsAny(rest[:n], "fF")
	quote, computed := rest[n:n+1], false
	if triple := strings.Repeat(quote, 3); l.python && strings.HasPrefix(rest[n:], triple) {
		quote = triple
	}
	var b strings.Builder
	i := n + len(quote)
	for i < len(rest) && !strings.HasPrefix(rest[i:], quote) {
		if rest[i] == '\n' && len(quote) == 1 && quote != "`" {
			break // no string: a quote in something that is not read
		}
		computed = computed || format && rest[i] == '{' || quote == "`" && strings.HasPrefix(rest[i:], "${")
		if rest[i] != '\\' || i+1 >= len(rest) || raw {
			b.WriteByte(rest[i])
			i++
			continue
		}
		i += l.escape(&b, rest[i:])
	}
	l.add(text, b.String(), min(i+len(quote), len(rest)))
	l.out[len(l.out)-1].computed = computed
}

// escape writes what an escape stands for and returns its length.
func (l *lexer) escape(b *strings.Builder, s string) int {
	for _, form := range []struct {
		prefix string
		digits int
	}{{`\x`, 2}, {`\u`, 4}, {`\U`, 8}} {
		if strings.HasPrefix(s, form.prefix) && len(s) >= 2+form.digits {
			if v, err := strconv.ParseUint(s[2:2+form.digits], 16, 32); err == nil {
				b.WriteRune(rune(v))
				return 2 + form.digits
			}
		}
	}
	r, size := utf8.DecodeRuneInString(s[1:])
	switch r {
	case 'n':
		r = '\n'
	case 't':
		r = '\t'
	case 'r':
		r = '\r'
	case '\n':
		return 1 + size
	}
	b.WriteRune(r)
	return 1 + size
}

// patternMayBegin reports whether a slash begins a regular expression: not after a value.
func (l *lexer) patternMayBegin() bool {
	if len(l.out) == 0 {
		return true
	}
	t := l.out[len(l.out)-1]
	return t.kind == mark && !strings.Contains(")]}", t.value) ||
		t.kind == word && (t.value == "return" || t.value == "await")
}

func (l *lexer) expression(rest string) {
	class := false
	for n := 1; n < len(rest) && rest[n] != '\n'; n++ {
		switch c := rest[n]; {
		case c == '\\':
			n++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			source := rest[1:n]
			to := n + 1
			for to < len(rest) && isWord(rune(rest[to])) {
				to++
			}
			l.add(pattern, source, to)
			l.out[len(l.out)-1].flags = rest[n+1 : to]
			return
		}
	}
	l.add(mark, "/", 1)
}
