package screen

import (
	"regexp"
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
			p.linear = anyCase(source)
		}
		return p // a literal needs no engine
	}
	translated, ok := fromJava(source, fold)
	if !ok { // Java would not compile it: a native driver falls back to equality, Maestro to a literal in any case
		if fold {
			p.linear = anyCase(source)
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
		p.linear = anyCase(source)
	}
	return p
}

// literal reports whether the pattern matches nothing but itself.
func (p *pattern) literal() bool { return p.linear == nil && p.back == nil }

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

// anyCase matches the literal in any case. Bytes that are no text are replaced; regexp takes none.
func anyCase(literal string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\A(?:` + regexp.QuoteMeta(strings.ToValidUTF8(literal, "\uFFFD")) + `)\z`)
}
