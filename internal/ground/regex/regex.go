// Package regex is the one place that compiles and runs regular expressions which come from people, trails and tools:
// Java's dialect, within bounds of size and time.
//
// A pattern goes to RE2, which is linear in time, where RE2 can express it, and to a backtracking engine otherwise.
// Each match honours its context. A pattern that an engine gives up on is an error of its own (ErrLimit) and says
// nothing about the text. All functions are safe to use from many goroutines. Lazy compiles the product's own patterns.
//
//	re, err := regex.Compile(`Total: (\d+)`, regex.Search)
//	match, ok, err := re.Find(ctx, "Total: 12")
package regex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const (
	// MaxPattern bounds a pattern, in bytes. It keeps compiling below a second.
	MaxPattern = 8 << 10
	// MaxText bounds a text, in bytes.
	MaxText = 4 << 20
	// maxBacktrack bounds one match of the backtracking engine.
	maxBacktrack = 200 * time.Millisecond
	// maxProgram bounds the instructions of a pattern for RE2, each of which may cost time at each character.
	maxProgram = 20_000
	// unchecked bounds the steps that RE2 may take without a look at the context; they take a few milliseconds.
	unchecked = 500_000
	// maxCached bounds how many compiled patterns are kept. A full cache starts over.
	maxCached = 4096
)

// ErrSyntax means that a pattern is no regular expression.
var ErrSyntax = errors.New("not a regular expression")

// ErrLimit means that an engine gave up, so that nothing is known of the text.
var ErrLimit = errors.New("the regular expression was given up")

// Mode is the way in which a pattern is matched.
type Mode int

// The modes. Whole and Maestro match a whole text, Search any part of one. Maestro compares in any case, lets a dot
// match line ends and anchors at every line, as Maestro's drivers do.
const (
	FullText Mode = iota + 1
	Maestro
	Search
)

// Regex is a compiled pattern.
type Regex struct {
	source string
	linear *regexp.Regexp
	back   *regexp2.Regexp // look-around, back-references, atomic groups
	never  *Regex          // reads each ^ as what never holds, as Java does in an empty text where every line is anchored
	short  int             // texts up to this length, in bytes, need no check of the context under way
}

type key struct {
	source string
	mode   Mode
}

type entry struct {
	re  *Regex
	err error
}

var cache = struct {
	sync.Mutex
	m map[key]entry
}{m: map[key]entry{}}

// Compile reads a pattern in Java's dialect. The error is ErrSyntax for a pattern that Java would not compile either;
// every other error names a construct that has no equal here, or a bound.
func Compile(source string, mode Mode) (*Regex, error) {
	if len(source) > MaxPattern {
		return nil, fault.New(fault.Invalid, "read regular expression", "it has %d bytes, more than %d", len(source),
			MaxPattern)
	}
	k := key{source, mode}
	cache.Lock()
	e, ok := cache.m[k]
	cache.Unlock()
	if ok {
		return e.re, e.err
	}
	e.re, e.err = compile(source, mode) // outside of the lock: one slow pattern does not hold up the others
	cache.Lock()
	defer cache.Unlock()
	if len(cache.m) >= maxCached {
		clear(cache.m)
	}
	cache.m[k] = e
	return e.re, e.err
}

func compile(source string, mode Mode) (*Regex, error) {
	re, err := build(source, mode, false)
	if err == nil && mode == Maestro && strings.Contains(source, "^") {
		re.never, err = build(source, mode, true)
	}
	return re, err
}

func build(source string, mode Mode, never bool) (*Regex, error) {
	whole := mode != Search
	translated, err := fromJava(source, whole, mode == Maestro, never)
	var no refused
	switch {
	case errors.As(err, &no):
		return nil, fault.New(fault.Invalid, "read regular expression", "%w in %q", err, source).
			WithHint("Write the pattern without it.")
	case err != nil:
		return nil, fault.New(fault.Invalid, "read regular expression", "%q: %w", source, ErrSyntax)
	}
	if whole {
		translated = `\A(?:` + translated + `)\z`
	}
	re := &Regex{source: source}
	size := programSize(translated)
	if size > maxProgram {
		return nil, fault.New(fault.Invalid, "read regular expression",
			"%q is too large: it compiles to %d instructions, more than %d", source, size, maxProgram).
			WithHint("Use smaller counted repetitions.")
	}
	if re.linear, err = regexp.Compile(translated); err == nil {
		re.short = unchecked / max(size, 1)
		return re, nil
	}
	if re.back, err = regexp2.Compile(translated, regexp2.None); err != nil {
		return nil, fault.New(fault.Invalid, "read regular expression", "%q: %w", source, ErrSyntax)
	}
	re.back.MatchTimeout = maxBacktrack
	return re, nil
}

// programSize counts the instructions that RE2 needs for the pattern, 0 when it cannot express it.
func programSize(translated string) int {
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return 0
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(program.Inst)
}

// Match reports whether the pattern matches s.
func (r *Regex) Match(ctx context.Context, s string) (bool, error) {
	if s == "" && r.never != nil {
		return r.never.Match(ctx, s)
	}
	if r.linear == nil || len(s) > r.short || ctx.Err() != nil {
		_, ok, err := r.Find(ctx, s)
		return ok, err
	}
	return r.linear.MatchString(s), nil
}

// Find returns the first match: its first group, or the whole match when the pattern has no group.
func (r *Regex) Find(ctx context.Context, s string) (string, bool, error) {
	if err := context.Cause(ctx); err != nil {
		return "", false, fault.Wrap(err, "", "match regular expression")
	}
	if len(s) > MaxText {
		return "", false, r.limit("the text has %d bytes, more than %d", len(s), MaxText)
	}
	if r.linear != nil {
		return r.findLinear(ctx, s)
	}
	m, err := r.back.FindStringMatch(s)
	switch {
	case err != nil:
		return "", false, r.limit("it took longer than %s on a text of %d bytes", maxBacktrack, len(s))
	case m == nil:
		return "", false, nil
	case m.GroupCount() > 1:
		return m.GroupByNumber(1).String(), true, nil
	}
	return m.String(), true, nil
}

func (r *Regex) findLinear(ctx context.Context, s string) (string, bool, error) {
	var at []int
	if len(s) <= r.short {
		at = r.linear.FindStringSubmatchIndex(s)
	} else {
		at = r.linear.FindReaderSubmatchIndex(&reader{ctx: ctx, s: s})
		if err := context.Cause(ctx); err != nil {
			return "", false, fault.Wrap(err, "", "match regular expression")
		}
	}
	switch {
	case at == nil:
		return "", false, nil
	case len(at) > 3 && at[2] < 0:
		return "", true, nil
	case len(at) > 3:
		return s[at[2]:at[3]], true, nil
	}
	return s[at[0]:at[1]], true, nil
}

func (r *Regex) limit(format string, args ...any) error {
	return fault.New(fault.Invalid, "match regular expression", "%w: %q: %s", ErrLimit, r.source,
		fmt.Sprintf(format, args...)).
		WithHint("Simplify the pattern: nested repetitions with look-around or back-references take a time without end.")
}

// reader hands a text to RE2 and ends it early when the context is done.
type reader struct {
	ctx context.Context //nolint:containedctx // it lives as long as one match
	s   string
	n   int
}

// ReadRune implements io.RuneReader.
func (r *reader) ReadRune() (rune, int, error) {
	if r.n++; r.n%64 == 0 && r.ctx.Err() != nil || r.s == "" {
		return 0, 0, io.EOF
	}
	c, size := utf8.DecodeRuneInString(r.s)
	r.s = r.s[size:]
	return c, size, nil
}

// Lazy returns a function that gives the compiled pattern, which is one of ours in RE2's dialect. The first call
// compiles it: every command initializes all packages, and uses few of their patterns.
func Lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
