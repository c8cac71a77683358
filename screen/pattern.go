package screen

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// findLimit bounds the time that the regular expressions of one selector may take on one capture.
const findLimit = time.Second

var errFindLimit = fault.New(fault.Invalid, "match selector", "its regular expressions took longer than %s: %w",
	findLimit, regex.ErrLimit).
	WithHint("Simplify the pattern: nested repetitions with look-around or back-references take a time without end.")

// pattern is a *Regex field of a selector, compiled: it matches a whole string as a Java regular expression, or is
// equal to it.
type pattern struct {
	source string
	fold   bool
	re     *regex.Regex // nil when Java would not compile the pattern either: it then equals only itself
	err    error
}

// compile reads a pattern as native drivers do, or, with fold, as Maestro's do: in any case.
func compile(source string, fold bool) pattern {
	p := pattern{source: source, fold: fold}
	if regexp.QuoteMeta(source) == source && !fold {
		return p // most names are no pattern; they need no engine
	}
	mode := regex.Whole
	if fold {
		mode = regex.Maestro
	}
	p.re, p.err = regex.Compile(source, mode)
	if errors.Is(p.err, regex.ErrSyntax) {
		p.err = nil
		if fold { // Maestro takes what is no pattern as a literal in any case
			p.re, p.err = regex.Compile(regexp.QuoteMeta(source), regex.Maestro)
		}
	}
	return p
}

// literal reports whether the pattern matches nothing but itself.
func (p pattern) literal() bool { return p.re == nil && p.err == nil }

// exact reports whether the pattern matches one text only: a plain or a quoted one.
func (p pattern) exact() bool {
	quoted, ok := strings.CutPrefix(p.source, `\Q`)
	return p.literal() || ok && strings.Index(quoted, `\E`) == len(quoted)-2
}

// match reports whether s matches the pattern.
func (p pattern) match(ctx context.Context, s string) (bool, error) {
	switch {
	case p.err != nil:
		return false, p.err
	case s == p.source:
		return true, nil
	case p.re == nil:
		return false, nil
	}
	return p.re.Match(ctx, s)
}
