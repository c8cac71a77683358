package regex

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// errSyntax says that Java itself would not compile the pattern.
var errSyntax = errors.New("not a regular expression")

// refused is a construct that Java knows and that has no equal here.
type refused string

func (r refused) Error() string { return string(r) + " is not supported" }

// flags are the switches of a Java pattern that a group can change until it ends.
type flags struct{ fold, unicode, dotAll, multi, unixLines, comments bool }

// item is a character of a pattern. A literal one was quoted by \Q…\E and has no other meaning.
type item struct {
	r       rune
	literal bool
}

// java rewrites a Java pattern so that RE2 and regexp2 read it alike: sets are written as ranges, case is written as
// sets, and characters stand for themselves, because the two engines agree on little else.
type java struct {
	src      []item
	i        int
	out      []byte
	flags    flags
	whole    bool // the pattern is matched against a whole text
	maestro  bool
	never    bool    // the text is empty: ^ does not hold where it stands for the start of every line
	atom     int     // where in out the last thing that can be repeated begins, -1 when there is none, or anchor
	first    bool    // nothing was matched yet
	groups   []group // open ones
	captures int
}

// anchor stands for the place of an atom that is no text: engines differ in whether it can be repeated.
const anchor = -2

type group struct {
	start int
	flags flags
}

// fromJava translates source. The error is errSyntax for what Java would not compile, such as {{name}} or a
// repetition of nothing, and a refused for what it would.
func fromJava(source string, whole, maestro, never bool) (string, error) {
	t := java{src: unquote(source), whole: whole, maestro: maestro, never: never, atom: -1, first: true}
	if maestro {
		t.flags = flags{fold: true, unicode: true, dotAll: true, multi: true}
	}
	for t.i < len(t.src) {
		if err := t.next(); err != nil {
			return "", err
		}
	}
	if len(t.groups) > 0 {
		return "", errSyntax
	}
	return string(t.out), nil
}

// unquote reads \Q…\E, whose end may be missing, before anything else is read, as Java does.
func unquote(s string) []item {
	out := make([]item, 0, len(s))
	for s != "" {
		if rest, ok := strings.CutPrefix(s, `\Q`); ok {
			text, after, _ := strings.Cut(rest, `\E`)
			for _, r := range text {
				out = append(out, item{r, true})
			}
			s = after
			continue
		}
		n := 1
		if s[0] == '\\' && len(s) > 1 {
			n = 2
		}
		for ; n > 0 && s != ""; n-- {
			r, size := utf8.DecodeRuneInString(s)
			out = append(out, item{r, false})
			s = s[size:]
		}
	}
	return out
}

// at is the character n places on, 0 when there is none or it is quoted.
func (t *java) at(n int) rune {
	if t.i+n >= len(t.src) || t.src[t.i+n].literal {
		return 0
	}
	return t.src[t.i+n].r
}

// ahead reports whether text comes next, unquoted.
func (t *java) ahead(text string) bool {
	for n, r := range text {
		if t.at(n) != r {
			return false
		}
	}
	return true
}

// take consumes text if it comes next.
func (t *java) take(text string) bool {
	ok := t.ahead(text)
	if ok {
		t.i += len(text)
	}
	return ok
}

func (t *java) write(s string) { t.out = append(t.out, s...) }

// begin notes that something repeatable starts here.
func (t *java) begin() { t.atom, t.first = len(t.out), false }

func (t *java) next() error {
	at := t.src[t.i]
	if at.literal {
		t.i++
		t.begin()
		t.literal(at.r)
		return nil
	}
	if t.flags.comments && t.skipComment() {
		return nil
	}
	switch at.r {
	case '\\':
		return t.escape()
	case '[':
		return t.bracketed()
	case '{':
		n, err := t.counted()
		if err != nil {
			return err
		}
		return t.repeat(n)
	case '*', '+', '?':
		t.i++
		return t.repeat(string(at.r))
	case '(':
		t.i++
		return t.open()
	case ')':
		return t.close()
	case '|':
		t.i++
		t.atom, t.first = -1, len(t.groups) == 0
		t.write("|")
	case '.':
		t.i++
		t.begin()
		t.write(t.dot())
	case '^':
		t.i++
		t.write(t.caret())
	case '$':
		t.i++
		t.write(t.dollar())
	default:
		t.i++
		t.begin()
		t.literal(at.r)
	}
	return nil
}

// bracketed reads a set in brackets and writes it.
func (t *java) bracketed() error {
	t.i++
	s, err := t.class()
	if err != nil {
		return err
	}
	t.begin()
	t.write(s.String())
	return nil
}

// skipComment consumes white space, or a comment up to the end of its line.
func (t *java) skipComment() bool {
	switch c := t.at(0); {
	case c == '#':
		for t.i < len(t.src) && !strings.ContainsRune(lineEnds, t.src[t.i].r) {
			t.i++
		}
		return true
	case c != 0 && strings.ContainsRune(" \t\n\v\f\r", c):
		t.i++
		return true
	}
	return false
}

// literal writes a character, as a set of its cases where case does not count.
func (t *java) literal(r rune) {
	if s := t.folded(set{{r, r}}); len(s) > 1 {
		t.write(s.String())
		return
	}
	t.write(regexp.QuoteMeta(string(r)))
}

const lineEnds = "\n\r\u0085\u2028\u2029"

// dot matches anything but a line terminator.
func (t *java) dot() string {
	switch {
	case t.flags.dotAll:
		return `[\s\S]`
	case t.flags.unixLines:
		return "[^\n]"
	}
	return "[^" + lineEnds + "]"
}

// caret is the start of the text, or of a line that is not empty at the end of the text.
func (t *java) caret() string {
	t.atom = anchor
	switch {
	case t.never && t.flags.multi:
		return `[^\x{0}-\x{10FFFF}]`
	case !t.flags.multi, t.whole && t.maestro && t.first && len(t.groups) == 0:
		return `\A`
	case t.flags.unixLines:
		return "(?!\\z)(?:\\A|(?<=\n))"
	}
	return "(?!\\z)(?:\\A|(?<=[\n\u0085\u2028\u2029])|(?<=\r)(?!\n))"
}

// dollar is the end of the text, or the place before a line terminator: the last one only unless every line counts.
func (t *java) dollar() string {
	t.atom = anchor
	if t.whole && len(t.groups) == 0 && (t.i >= len(t.src) || t.at(0) == '|') {
		return `\z`
	}
	end := `\z`
	if t.flags.multi {
		end = ""
	}
	other := "(?=[\r\u0085\u2028\u2029]" + end + "|\\z)"
	if !t.flags.multi {
		other = "(?=(?:\r\n|[\r\u0085\u2028\u2029])?\\z)"
	}
	if t.flags.unixLines {
		return "(?:(?=\n" + end + ")|(?=\\z))"
	}
	return "(?:(?<!\r)(?=\n" + end + ")|" + other + ")"
}

// counted reads {n}, {n,} or {n,m}.
func (t *java) counted() (string, error) {
	var b strings.Builder
	for n := 1; ; n++ {
		c := t.at(n)
		if c == '}' {
			t.i += n + 1
			break
		}
		if c != ',' && (c < '0' || c > '9') {
			return "", errSyntax
		}
		b.WriteRune(c)
	}
	low, high, more := strings.Cut(b.String(), ",")
	from, err := strconv.ParseInt(low, 10, 31)
	if err != nil {
		return "", errSyntax
	}
	if more && high != "" {
		if to, err := strconv.ParseInt(high, 10, 31); err != nil || to < from {
			return "", errSyntax
		}
	}
	return "{" + b.String() + "}", nil
}

// repeat writes a repetition of the last atom and what follows it: ? for as few as possible, + for no way back, which
// is an atomic group.
func (t *java) repeat(mark string) error {
	switch {
	case t.atom == anchor:
		return refused("a repeated anchor")
	case t.atom < 0:
		return errSyntax
	}
	switch {
	case t.take("+"):
		t.out = slices.Insert(t.out, t.atom, []byte("(?>")...)
		t.write(mark + ")")
	case t.take("?"):
		t.write(mark + "?")
	default:
		t.write(mark)
	}
	t.atom = -1
	return nil
}

// open reads the beginning of a group, behind its bracket. Flags are carried out here and never reach an engine.
func (t *java) open() error {
	g := group{start: len(t.out), flags: t.flags}
	if !t.ahead("?") {
		t.captures++
		t.into(g, "(")
		return nil
	}
	for _, kind := range []string{"?:", "?=", "?!", "?>", "?<=", "?<!"} {
		if t.take(kind) {
			t.into(g, "("+kind)
			return nil
		}
	}
	if t.take("?<") {
		name, err := t.name('>')
		if err == nil {
			t.captures++
			t.into(g, "(?<"+name+">")
		}
		return err
	}
	t.i++ // ?
	on := true
	for ; t.i < len(t.src); t.i++ {
		switch c := t.at(0); c {
		case '-':
			on = false
		case ':':
			t.i++
			t.into(g, "(?:")
			return nil
		case ')':
			t.i++
			t.atom = -1
			return nil
		default:
			if err := t.flags.set(c, on); err != nil {
				return err
			}
		}
	}
	return errSyntax
}

// close ends a group, and with it the flags that were set in it.
func (t *java) close() error {
	if len(t.groups) == 0 {
		return errSyntax
	}
	g := t.groups[len(t.groups)-1]
	t.groups = t.groups[:len(t.groups)-1]
	t.i++
	t.flags, t.atom, t.first = g.flags, g.start, false
	t.write(")")
	return nil
}

func (t *java) into(g group, text string) {
	t.groups = append(t.groups, g)
	t.atom = -1
	t.write(text)
}

func (f *flags) set(c rune, on bool) error {
	switch c {
	case 'i':
		f.fold = on
	case 'u':
		f.unicode = on
	case 's':
		f.dotAll = on
	case 'm':
		f.multi = on
	case 'd':
		f.unixLines = on
	case 'x':
		f.comments = on
	case 'U':
		return refused("(?U), Unicode classes,")
	default:
		return errSyntax
	}
	return nil
}

// name reads a group's name up to end.
func (t *java) name(end rune) (string, error) {
	var b strings.Builder
	for ; t.i < len(t.src); t.i++ {
		c := t.at(0)
		if c == end && b.Len() > 0 {
			t.i++
			return b.String(), nil
		}
		if !asciiLetter(c) && (b.Len() == 0 || c < '0' || c > '9') {
			break
		}
		b.WriteRune(c)
	}
	return "", errSyntax
}

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
		if t.whole && len(t.groups) == 0 && t.i >= len(t.src) {
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

// member reads an escape that can stand in brackets: a set, or one character, else -1.
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
