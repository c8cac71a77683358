package screen

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// pattern is a *Regex field of a selector, compiled: it matches a whole string as a Java regular expression, or is equal
// to it. RE2 runs what RE2 can express; the rest goes to a backtracking engine with a time limit.
type pattern struct {
	source string
	fold   bool
	linear *regexp.Regexp
	back   *regexp2.Regexp // look-around, back-references, atomic groups
}

// matchLimit bounds a backtracking match, so that a pattern that runs away is an error and not a hang.
const matchLimit = 200 * time.Millisecond

// patterns caches what was compiled; a selector is asked again at every change of the screen. When it is full it starts
// over: recompiling is cheap, and the cache cannot grow without bound.
var patterns = struct {
	sync.Mutex
	m map[patternKey]*pattern
}{m: map[patternKey]*pattern{}}

type patternKey struct {
	source string
	fold   bool
}

const maxPatterns = 4096

func compile(source string, fold bool) *pattern {
	key := patternKey{source, fold}
	patterns.Lock()
	defer patterns.Unlock()
	if p, ok := patterns.m[key]; ok {
		return p
	}
	p := newPattern(source, fold)
	if len(patterns.m) >= maxPatterns {
		clear(patterns.m)
	}
	patterns.m[key] = p
	return p
}

func newPattern(source string, fold bool) *pattern {
	p := &pattern{source: source, fold: fold}
	if regexp.QuoteMeta(source) == source {
		if fold {
			p.linear = regexp.MustCompile(`(?i)\A(?:` + source + `)\z`)
		}
		return p // a literal needs no engine
	}
	translated, ok := fromJava(source)
	if !ok { // Java would not compile it: a native driver falls back to equality, Maestro to a literal in any case
		if fold {
			p.linear = regexp.MustCompile(`(?i)\A(?:` + regexp.QuoteMeta(source) + `)\z`)
		}
		return p
	}
	flags := ""
	if fold {
		flags = "(?i)"
	}
	if re, err := regexp.Compile(flags + `\A(?:` + translated + `)\z`); err == nil {
		p.linear = re
		return p
	}
	options := regexp2.None
	if fold {
		options |= regexp2.IgnoreCase
	}
	if re, err := regexp2.Compile(`\A(?:`+translated+`)\z`, regexp2.RegexOptions(options)); err == nil {
		re.MatchTimeout = matchLimit
		p.back = re
		return p
	}
	if fold {
		p.linear = regexp.MustCompile(`(?i)\A(?:` + regexp.QuoteMeta(source) + `)\z`)
	}
	return p
}

// match reports whether s is what the pattern says.
func (p *pattern) match(s string) (bool, error) {
	if s == p.source {
		return true, nil
	}
	switch {
	case p.linear != nil:
		return (s != "" || !p.fold) && p.linear.MatchString(s), nil // Maestro's ^$ does not match an empty text
	case p.back != nil:
		if s == "" && p.fold {
			return false, nil
		}
		ok, err := p.back.MatchString(s)
		if err != nil {
			return false, fault.New(fault.Invalid, "match selector", "the pattern %q took longer than %s on a text of %d bytes", p.source, matchLimit, len(s)).
				WithHint("simplify the pattern: nested repetitions with look-around or back-references run away")
		}
		return ok, nil
	}
	return false, nil
}

// anyJava is what Java's dot matches: anything but its line terminators.
const anyJava = "[^\n\r\u0085\u2028\u2029]"

// fromJava rewrites a Java pattern so that both engines here read it alike. It reports false for what Java itself would
// not compile: an opening brace that repeats nothing, such as {{name}}, or a repetition at the start.
func fromJava(s string) (string, bool) {
	var b strings.Builder
	inClass, repeatable := 0, false
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case strings.HasPrefix(s[i:], `\Q`):
			text, rest, _ := strings.Cut(s[i+2:], `\E`)
			b.WriteString(regexp.QuoteMeta(text))
			i = len(s) - len(rest)
			repeatable = repeatable || text != ""
		case c == '\\':
			if i+1 >= len(s) {
				return "", false
			}
			n := escape(&b, s[i:])
			i += n
			repeatable = true
		case inClass > 0:
			switch c {
			case '[':
				inClass++
			case ']':
				inClass--
			}
			b.WriteByte(c)
			i++
		case c == '[':
			inClass = 1
			b.WriteByte(c)
			i++
			if i < len(s) && s[i] == '^' {
				b.WriteByte('^')
				i++
			}
			if i < len(s) && s[i] == ']' {
				b.WriteString(`\]`)
				i++
			}
			repeatable = true
		case c == '{':
			n := repetition(s[i:])
			if n == 0 || !repeatable {
				return "", false
			}
			b.WriteString(s[i : i+n])
			i += n
		case c == '.':
			b.WriteString(anyJava)
			i++
			repeatable = true
		case c == '*' || c == '+' || c == '?':
			if !repeatable {
				return "", false
			}
			b.WriteByte(c)
			i++
			if i < len(s) && s[i] == '+' { // possessive: the greedy form accepts what it accepts, at worst more
				i++
			} else if i < len(s) && s[i] == '?' {
				b.WriteByte('?')
				i++
			}
		case c == '(' || c == '|':
			b.WriteByte(c)
			i++
			repeatable = false
			if c == '(' && i < len(s) && s[i] == '?' { // (?: (?= (?<name> …: the mark is no repetition
				b.WriteByte('?')
				i++
			}
		default:
			b.WriteByte(c)
			i++
			repeatable = true
		}
	}
	return b.String(), true
}

// escape copies one escape sequence and returns how long it was. Java's \Z, \h and \R have no equal in RE2.
func escape(b *strings.Builder, s string) int {
	switch s[1] {
	case 'Z':
		b.WriteString(`\z`)
	case 'h':
		b.WriteString("[ \t\u00a0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000]")
	case 'R':
		b.WriteString("(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])")
	case 'u':
		if len(s) >= 6 {
			if r, err := strconv.ParseUint(s[2:6], 16, 32); err == nil {
				b.WriteString(regexp.QuoteMeta(string(rune(r))))
				return 6
			}
		}
		b.WriteString("u")
	default:
		b.WriteString(s[:2])
	}
	return 2
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
