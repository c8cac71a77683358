package regex

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// errSyntax means that Java itself would not compile the pattern.
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
	fullText bool // the pattern is matched against a whole text
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

// fromJava translates source. The error is errSyntax for a pattern that Java would not compile, such as {{name}} or a
// repetition of nothing, and a refused for one that it would.
func fromJava(source string, whole, maestro, never bool) (string, error) {
	t := java{src: unquote(source), fullText: whole, maestro: maestro, never: never, atom: -1, first: true}
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
	case !t.flags.multi, t.fullText && t.maestro && t.first && len(t.groups) == 0:
		return `\A`
	case t.flags.unixLines:
		return "(?!\\z)(?:\\A|(?<=\n))"
	}
	return "(?!\\z)(?:\\A|(?<=[\n\u0085\u2028\u2029])|(?<=\r)(?!\n))"
}

// dollar is the end of the text, or the place before a line terminator: the last one only unless every line counts.
func (t *java) dollar() string {
	t.atom = anchor
	if t.fullText && len(t.groups) == 0 && (t.i >= len(t.src) || t.at(0) == '|') {
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
