package words

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"golang.org/x/text/unicode/norm"
)

// Limit bounds the time that the regular expressions of one selector may take on one capture.
const Limit = time.Second

// ErrLimit is the cause of an error when a pattern takes longer than Limit.
var ErrLimit = fault.New(fault.Invalid, "match selector", "its regular expressions took longer than %s: %w",
	Limit, regex.ErrLimit).
	WithHint("Simplify the pattern: nested repetitions with look-around or back-references take a time without end.")

// Pattern is a *Regex field of a selector, compiled: it matches a whole string as a Java regular expression, or is
// equal to it.
type Pattern struct {
	source string
	fold   bool
	re     *regex.Regex // nil when Java would not compile the pattern either: it then equals only itself
	err    error
}

// Compile reads a pattern as native drivers do, or, with fold, as Maestro's do: in any case.
func Compile(source string, fold bool) Pattern {
	p := Pattern{source: source, fold: fold}
	if regexp.QuoteMeta(source) == source && !fold {
		return p // most names are no pattern; they need no engine
	}
	mode := regex.FullText
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

// Literal reports whether the pattern matches nothing but itself.
func (p Pattern) Literal() bool { return p.re == nil && p.err == nil }

// Exact reports whether the pattern matches one text only: a plain or a quoted one.
func (p Pattern) Exact() bool {
	quoted, ok := strings.CutPrefix(p.source, `\Q`)
	return p.Literal() || ok && strings.Index(quoted, `\E`) == len(quoted)-2
}

// Match reports whether s matches the pattern.
func (p Pattern) Match(ctx context.Context, s string) (bool, error) {
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

// MatchText reports whether the whole text matches a Java regular expression, or is equal to it. It matches like
// every *Regex field of a selector, for tools that take an expression of their own.
func MatchText(expression, text string) (bool, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), Limit, ErrLimit)
	defer cancel()
	return Compile(norm.NFC.String(expression), false).Match(ctx, norm.NFC.String(text))
}
