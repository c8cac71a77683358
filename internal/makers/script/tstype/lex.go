package tstype

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind int

const (
	end kind = iota
	ident
	str  // text is the value
	num  // text as written
	mark // a punctuation character, or =>
	other
)

// token is a piece of a file. doc is the text of a /** comment */ right before it.
type token struct {
	kind kind
	text string
	doc  string
	line int
	pos  int // of its first byte
}

// lexer cuts a file into tokens. Where it would need the whole grammar (is a slash a division or a pattern?) it
// guesses from the token before, as editors do.
type lexer struct {
	in   string
	at   int
	line int
	doc  string
	out  []token
	code [][]token // within templates
}

func lex(in string) (toks []token, code [][]token) {
	l := &lexer{in: in, line: 1}
	for l.next() {
	}
	return append(l.out, token{kind: end, line: l.line, pos: len(in)}), l.code
}

func (l *lexer) add(k kind, text string) {
	l.out = append(l.out, token{k, text, l.doc, l.line, l.at})
	l.doc = ""
}

func (l *lexer) next() bool {
	if l.at >= len(l.in) {
		return false
	}
	rest := l.in[l.at:]
	c := rest[0]
	switch {
	case c == '\n':
		l.line++
		l.at++
	case c == ' ' || c == '\t' || c == '\r':
		l.at++
	case strings.HasPrefix(rest, "//"):
		l.at += until(rest, "\n", 0)
	case strings.HasPrefix(rest, "/*"):
		l.comment(rest)
	case c == '"' || c == '\'':
		l.quoted(rest, c)
	case c == '`':
		l.template()
	case c >= '0' && c <= '9':
		l.number(rest)
	case c == '/' && l.patternMayBegin():
		l.pattern(rest)
	default:
		l.word(rest)
	}
	return true
}

// until returns the length up to the end of the searched text, or of everything.
func until(s, what string, extra int) int {
	if i := strings.Index(s, what); i >= 0 {
		return i + extra
	}
	return len(s)
}

func (l *lexer) number(rest string) {
	n := 1
	for n < len(rest) && (isWord(rune(rest[n])) || rest[n] == '.') {
		n++
	}
	l.add(num, strings.ReplaceAll(rest[:n], "_", ""))
	l.at += n
}

func (l *lexer) comment(rest string) {
	n := 2 + until(rest[2:], "*/", 2)
	text := rest[:n]
	if strings.HasPrefix(text, "/**") && len(text) > 4 {
		l.doc = strings.TrimSuffix(text[3:], "*/")
	}
	l.line += strings.Count(text, "\n")
	l.at += n
}

func (l *lexer) quoted(rest string, q byte) {
	var b strings.Builder
	n := 1
	for n < len(rest) && rest[n] != q && rest[n] != '\n' {
		if rest[n] == '\\' && n+1 < len(rest) {
			n++
			if i := strings.IndexByte("ntr", rest[n]); i >= 0 {
				b.WriteByte("\n\t\r"[i])
				n++
				continue
			}
		}
		b.WriteByte(rest[n])
		n++
	}
	l.add(str, b.String())
	l.at += min(n+1, len(rest))
}

// template skips a template with the code in it; as a type it is any text.
func (l *lexer) template() {
	l.add(other, "`")
	l.at++
	for l.at < len(l.in) {
		switch rest := l.in[l.at:]; {
		case rest[0] == '`':
			l.at++
			return
		case rest[0] == '\\':
			l.at += min(2, len(rest))
		case strings.HasPrefix(rest, "${"):
			l.at += 2
			l.inside()
		default:
			if rest[0] == '\n' {
				l.line++
			}
			l.at++
		}
	}
}

// inside skips code up to the brace that ends it.
func (l *lexer) inside() {
	had := len(l.out)
	for depth := 1; depth > 0; {
		n := len(l.out)
		if !l.next() {
			break
		}
		if len(l.out) > n {
			switch t := l.out[len(l.out)-1]; {
			case t.kind == mark && t.text == "{":
				depth++
			case t.kind == mark && t.text == "}":
				depth--
			}
		}
	}
	l.code = append(l.code, append(slices.Clone(l.out[had:]), token{kind: end, line: l.line, pos: l.at}))
	l.out = l.out[:had]
}

func (l *lexer) patternMayBegin() bool {
	if len(l.out) == 0 {
		return true
	}
	switch t := l.out[len(l.out)-1]; t.kind {
	case mark:
		return t.text != ")" && t.text != "]" && t.text != "}"
	case ident:
		switch t.text {
		case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "await", "yield":
			return true
		}
		return false
	default:
		return false
	}
}

func (l *lexer) pattern(rest string) {
	class := false
	for n := 1; n < len(rest); n++ {
		switch c := rest[n]; {
		case c == '\n':
			l.at += n
			return
		case c == '\\':
			n++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.add(other, "/")
			l.at += n + 1
			return
		}
	}
	l.at = len(l.in)
}

func (l *lexer) word(rest string) {
	r, n := utf8.DecodeRuneInString(rest)
	if !isWord(r) {
		if strings.HasPrefix(rest, "=>") {
			n = 2
		}
		l.add(mark, rest[:n])
		l.at += n
		return
	}
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !isWord(r) {
			break
		}
		n += size
	}
	l.add(ident, rest[:n])
	l.at += n
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }
