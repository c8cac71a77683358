package regex

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// escape reads an escape outside of brackets.
func (t *java) escape() error {
	c := t.at(1)
	if !strings.ContainsRune("AbBGzZRXk123456789", c) {
		return t.escapedMember()
	}
	t.i += 2
	switch c {
	case 'A', 'b', 'B', 'G', 'z':
		if c == 'b' && t.ahead("{") {
			return refused(`\b{g}`)
		}
		t.atom = anchor
		t.write(`\` + string(c))
	case 'Z':
		t.atom = anchor
		if t.fullText && len(t.groups) == 0 && t.i >= len(t.src) {
			t.write(`\z`)
			return nil
		}
		t.write("(?:(?<!\r)(?=\n\\z)|(?=(?:\r\n|[\r\u0085\u2028\u2029])?\\z))")
	case 'R':
		t.begin()
		t.write("(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])")
	case 'X':
		return refused(`\X`)
	case 'k':
		return t.namedReference()
	default:
		return t.numberedReference(int(c - '0'))
	}
	return nil
}

// escapedMember reads an escape that means the same in brackets and outside.
func (t *java) escapedMember() error {
	s, one, err := t.member()
	if err != nil {
		return err
	}
	t.begin()
	if one >= 0 {
		t.literal(one)
	} else {
		t.write(s.String())
	}
	return nil
}

func (t *java) namedReference() error {
	if !t.take("<") {
		return errSyntax
	}
	name, err := t.name('>')
	if err == nil {
		t.refer(`\k<` + name + `>`)
	}
	return err
}

// numberedReference reads on behind the first digit, as long as there are so many groups.
func (t *java) numberedReference(n int) error {
	for d := t.at(0); d >= '0' && d <= '9' && n*10+int(d-'0') <= t.captures; d = t.at(0) {
		n = n*10 + int(d-'0')
		t.i++
	}
	if n > t.captures {
		return refused(fmt.Sprintf(`\%d before its group`, n))
	}
	t.refer(`\` + strconv.Itoa(n))
	return nil
}

// refer writes a back-reference, apart from a digit that may follow it.
func (t *java) refer(to string) {
	t.begin()
	mode := "(?:"
	if t.flags.fold {
		mode = "(?i:"
	}
	t.write(mode + to + ")")
}

// controls are the letters that name a control character.
var controls = map[rune]rune{'t': '\t', 'n': '\n', 'r': '\r', 'f': '\f', 'a': '\a', 'e': 0x1b}

// member reads an escape that is allowed in brackets: a set, or one character, else -1.
func (t *java) member() (set, rune, error) {
	c := t.at(1)
	if t.i+1 < len(t.src) && t.src[t.i+1].literal { // a backslash in front of \Q
		return nil, -1, errSyntax
	}
	t.i = min(t.i+2, len(t.src))
	if s := predefined[c|0x20]; s != nil {
		if unicode.IsUpper(c) {
			s = s.not()
		}
		return s, -1, nil
	}
	if r, ok := controls[c]; ok {
		return nil, r, nil
	}
	switch c {
	case 'p', 'P':
		s, err := t.property()
		if err == nil && c == 'P' {
			s = s.not()
		}
		return s, -1, err
	case 'x', 'u', '0', 'c':
		r, err := t.number(c)
		return nil, r, err
	case 'N':
		return nil, -1, refused(`\N{name}`)
	case 0:
		return nil, -1, errSyntax
	}
	if asciiLetter(c) || c >= '1' && c <= '9' {
		return nil, -1, errSyntax // Java keeps the other letters for later
	}
	return nil, c, nil
}

func asciiLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// number reads the character that \x, \u, \0 or \c names.
func (t *java) number(kind rune) (rune, error) {
	switch kind {
	case 'c':
		c := t.at(0)
		if t.i++; c == 0 {
			return 0, errSyntax
		}
		return c ^ 64, nil
	case '0':
		return t.octal()
	case 'x':
		if t.take("{") {
			return t.codePoint()
		}
		return t.hex(2)
	}
	return t.utf16()
}

// octal reads up to three digits, as long as they name a byte.
func (t *java) octal() (rune, error) {
	n, digits := rune(0), 0
	for d := t.at(0); digits < 3 && d >= '0' && d <= '7' && n*8+d-'0' <= 0o377; d = t.at(0) {
		n, digits = n*8+d-'0', digits+1
		t.i++
	}
	if digits == 0 {
		return 0, errSyntax
	}
	return n, nil
}

// codePoint reads hexadecimal digits up to the closing brace.
func (t *java) codePoint() (rune, error) {
	n := 0
	for t.at(n) != '}' && n < 9 {
		n++
	}
	r, err := t.hex(n)
	if err != nil || !t.take("}") || r > unicode.MaxRune {
		return 0, errSyntax
	}
	if r >= 0xd800 && r <= 0xdfff {
		return 0, errSurrogate
	}
	return r, nil
}

const errSurrogate = refused("half a character, a lone surrogate,")

// utf16 reads four hexadecimal digits, and those of a second escape where both together are one character.
func (t *java) utf16() (rune, error) {
	r, err := t.hex(4)
	if err != nil || r < 0xd800 || r > 0xdfff {
		return r, err
	}
	if r <= 0xdbff && t.take(`\u`) {
		if low, err := t.hex(4); err != nil || low >= 0xdc00 && low <= 0xdfff {
			return 0x10000 + (r-0xd800)<<10 + (low - 0xdc00), err
		}
	}
	return 0, errSurrogate
}

// hex reads exactly n hexadecimal digits.
func (t *java) hex(n int) (rune, error) {
	var b strings.Builder
	for i := range n {
		b.WriteRune(t.at(i))
	}
	v, err := strconv.ParseUint(b.String(), 16, 31)
	if err != nil {
		return 0, errSyntax
	}
	t.i += n
	return rune(v), nil
}
