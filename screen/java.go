package screen

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// anyJava is what Java's dot matches: anything but its line terminators. Characters stand for themselves in all of this
// file: the two engines have no spelling of a code point in common.
const anyJava = "[^\n\r\u0085\u2028\u2029]"

// fromJava rewrites a Java pattern so that both engines here read it alike. It reports false for what Java itself would
// not compile: an opening brace that repeats nothing, such as {{name}}, or a repetition at the start.
func fromJava(s string, fold bool) (string, bool) {
	t := translation{src: s, fold: fold}
	for t.i < len(s) {
		if !t.next() {
			return "", false
		}
	}
	return t.out.String(), t.class == 0
}

// translation is one fromJava under way.
type translation struct {
	src  string
	i    int
	out  strings.Builder
	fold bool // the whole pattern is compared in any case, Unicode included

	class  int   // depth of brackets; nested ones are a union, which is written flat
	atom   int   // where in out the last thing that can be repeated begins, -1 when there is none
	groups []int // where the open groups begin
	dotAll bool  // (?s)
	ascii  bool  // (?i) without u: only ASCII letters in any case
}

func (t *translation) next() bool {
	c, rest := t.src[t.i], t.src[t.i:]
	if t.i == 0 {
		t.atom = -1
	}
	switch {
	case strings.HasPrefix(rest, `\Q`):
		t.quoted(rest)
	case c == '\\':
		if len(rest) < 2 {
			return false
		}
		t.begin()
		t.i += t.escape(rest)
	case t.class > 0:
		return t.inClass(rest)
	case c == '[':
		t.begin()
		t.class = 1
		t.copy(1)
		if strings.HasPrefix(t.src[t.i:], "^") {
			t.copy(1)
		}
	case c == '{':
		n := repetition(rest)
		return n > 0 && t.repeat(n)
	case c == '*' || c == '+' || c == '?':
		return t.repeat(1)
	case c == '(':
		return t.open(rest)
	case c == ')':
		if len(t.groups) == 0 {
			return false
		}
		t.atom = t.groups[len(t.groups)-1]
		t.groups = t.groups[:len(t.groups)-1]
		t.copy(1)
	case c == '|':
		t.atom = -1
		t.copy(1)
	case c == '.':
		t.begin()
		if t.dotAll {
			t.out.WriteString(`[\s\S]`)
		} else {
			t.out.WriteString(anyJava)
		}
		t.i++
	default:
		t.begin()
		_, size := utf8.DecodeRuneInString(rest)
		if t.ascii && !t.fold && size > 1 {
			t.out.WriteString("(?-i:" + rest[:size] + ")")
			t.i += size
			return true
		}
		t.copy(size)
	}
	return true
}

func (t *translation) copy(n int) {
	t.out.WriteString(t.src[t.i : t.i+n])
	t.i += n
}

// begin notes that something repeatable starts here.
func (t *translation) begin() {
	if t.class == 0 {
		t.atom = t.out.Len()
	}
}

// quoted copies \Q…\E as a literal; the end may be missing. A repetition after it is one of its last character.
func (t *translation) quoted(rest string) {
	text, after, _ := strings.Cut(rest[2:], `\E`)
	t.i = len(t.src) - len(after)
	_, size := utf8.DecodeLastRuneInString(text)
	t.out.WriteString(regexp.QuoteMeta(text[:len(text)-size]))
	if size > 0 {
		t.begin()
		t.out.WriteString(regexp.QuoteMeta(text[len(text)-size:]))
	}
}

// inClass copies what stands in brackets. Intersections have no equal here, nor has a negated set in a set.
func (t *translation) inClass(rest string) bool {
	switch {
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "[^"):
		return false
	case rest[0] == '[':
		t.class++
		t.i++
	case rest[0] == ']':
		if t.class--; t.class == 0 {
			t.out.WriteByte(']')
		}
		t.i++
	default:
		_, size := utf8.DecodeRuneInString(rest)
		t.copy(size)
	}
	return true
}

// repeat copies a repetition of n bytes and what follows it: ? for as few as possible, + for no way back, which is an
// atomic group.
func (t *translation) repeat(n int) bool {
	if t.atom < 0 {
		return false
	}
	mark := t.src[t.i : t.i+n]
	t.i += n
	switch {
	case strings.HasPrefix(t.src[t.i:], "+"):
		all := t.out.String()
		t.out.Reset()
		t.out.WriteString(all[:t.atom] + "(?>" + all[t.atom:] + mark + ")")
		t.i++
	case strings.HasPrefix(t.src[t.i:], "?"):
		t.out.WriteString(mark + "?")
		t.i++
	default:
		t.out.WriteString(mark)
	}
	t.atom = -1
	return true
}

var flagForm = regexp.MustCompile(`^\(\?([a-zA-Z]*)(-[a-zA-Z]*)?([:)])`)

// open copies the beginning of a group. Flags that mean nothing here, or are on anyway, are dropped.
func (t *translation) open(rest string) bool {
	start := t.out.Len()
	if m := flagForm.FindStringSubmatch(rest); m != nil {
		on, off := m[1], strings.TrimPrefix(m[2], "-")
		if strings.Contains(on, "i") {
			t.ascii = !strings.ContainsAny(on, "uU")
		}
		t.dotAll = t.dotAll && !strings.Contains(off, "s") || strings.Contains(on, "s")
		drop := strings.NewReplacer("d", "", "u", "", "U", "")
		on, off = drop.Replace(on), drop.Replace(off)
		if off != "" {
			off = "-" + off
		}
		t.i += len(m[0])
		t.atom = -1
		if m[3] == ":" {
			t.groups = append(t.groups, start)
			t.out.WriteString("(?" + on + off + ":")
		} else if on+off != "" {
			t.out.WriteString("(?" + on + off + ")")
		}
		return true
	}
	t.groups = append(t.groups, start)
	t.atom = -1
	t.copy(1)
	for _, kind := range []string{"?=", "?!", "?>", "?<=", "?<!", "?<"} { // the question mark is no repetition
		if strings.HasPrefix(t.src[t.i:], kind) {
			t.copy(len(kind))
			return true
		}
	}
	return !strings.HasPrefix(t.src[t.i:], "?")
}

// Sets that Java reads as ASCII, where an engine here reads Unicode or does not know them.
var asciiSets = map[byte]string{'d': "0-9", 'w': "0-9A-Za-z_", 's': " \t\n\v\f\r",
	'h': " \t\u00a0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000", 'v': "\n\v\f\r\u0085\u2028\u2029",
}

var posixSets = map[string]string{
	"Lower": "a-z", "Upper": "A-Z", "ASCII": `\x00-\x7f`, "Alpha": "A-Za-z", "Digit": "0-9", "Alnum": "0-9A-Za-z", "XDigit": "0-9A-Fa-f",
	"Space": ` \t\n\x0b\f\r`, "Blank": ` \t`, "Cntrl": `\x00-\x1f\x7f`, "Punct": `!-/:-@\[-\x60{-~`, "Graph": "!-~", "Print": " -~",
	"IsAlphabetic": `\p{L}\p{Nl}`, "IsLetter": `\p{L}`, "IsDigit": `\p{Nd}`, "IsUppercase": `\p{Lu}`, "IsLowercase": `\p{Ll}`, "IsPunctuation": `\p{P}`, "IsWhite_Space": " \t\n\v\f\r\u0085\\p{Z}",
}

// escape copies one escape sequence and returns how long it was.
func (t *translation) escape(s string) int {
	b := &t.out
	set := func(chars string, not bool) {
		switch {
		case t.class == 0 && not:
			b.WriteString("[^" + chars + "]")
		case t.class == 0:
			b.WriteString("[" + chars + "]")
		default:
			b.WriteString(chars)
		}
	}
	c := s[1]
	lower := c | 0x20
	switch {
	case asciiSets[c] != "":
		set(asciiSets[c], false)
	case asciiSets[lower] != "" && c != lower && t.class == 0:
		set(asciiSets[lower], true)
	case c == 'p' || c == 'P':
		if name, n := property(s); n > 0 {
			if chars := posixSets[name]; chars != "" && (c == 'p' || t.class == 0) {
				set(chars, c == 'P')
			} else {
				b.WriteString(s[:2] + "{" + strings.TrimPrefix(name, "Is") + "}")
			}
			return n
		}
		b.WriteString(s[:2])
	case c == 'Z':
		b.WriteString(`\z`)
	case c == 'R':
		b.WriteString("(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])")
	case c == 'e':
		b.WriteString(`\x1b`)
	case c == 'u' && len(s) >= 6:
		r, err := strconv.ParseUint(s[2:6], 16, 32)
		if err != nil {
			b.WriteString(`\u`) // neither engine compiles it, nor does Java
			return 2
		}
		if ch := string(rune(r)); ch == "-" {
			b.WriteString(`\-`)
		} else {
			b.WriteString(regexp.QuoteMeta(ch))
		}
		return 6
	default:
		_, size := utf8.DecodeRuneInString(s[1:])
		b.WriteString(s[:1+size])
		return 1 + size
	}
	return 2
}

// property is the name in \p{name} and how long all of it is.
func property(s string) (string, int) {
	if len(s) < 4 || s[2] != '{' {
		return "", 0
	}
	end := strings.IndexByte(s, '}')
	if end < 0 {
		return "", 0
	}
	return s[3:end], end + 1
}

// repetition is the length of a {n}, {n,} or {n,m} at the start of s, 0 when there is none.
func repetition(s string) int {
	end := strings.IndexByte(s, '}')
	if end < 2 {
		return 0
	}
	low, high, _ := strings.Cut(s[1:end], ",")
	if low == "" || strings.Trim(low, "0123456789") != "" || strings.Trim(high, "0123456789") != "" {
		return 0
	}
	return end + 1
}
