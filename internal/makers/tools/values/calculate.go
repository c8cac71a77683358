package values

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Calculate evaluates arithmetic: numbers, + - * / % ^, brackets, pi and e, and the functions below. A number may carry
// a currency sign in front and commas between its thousands, as pages print prices.
func Calculate(expression string) (float64, error) {
	if len(expression) > maxExpression {
		return 0, fault.New(fault.Invalid, "calculate", "the expression has %d characters, over %d", len(expression),
			maxExpression)
	}
	p := &parser{text: expression}
	v, err := p.sum()
	if err == nil && p.next() != 0 {
		err = p.fail("unexpected %q", p.rest())
	}
	if err != nil {
		return 0, err
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fault.New(fault.Invalid, "calculate", "%s has no value", expression)
	}
	return v, nil
}

const (
	maxExpression = 10_000
	maxDepth      = 100 // of brackets
)

var functions = map[string]func(float64) float64{
	"abs": math.Abs, "sqrt": math.Sqrt, "cbrt": math.Cbrt, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round,
	"signum": sign, "exp": math.Exp, "log": math.Log, "log10": math.Log10, "log2": math.Log2,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

var constants = map[string]float64{"pi": math.Pi, "π": math.Pi, "e": math.E}

// parser reads an expression from left to right, one method per binding strength.
type parser struct {
	text  string
	at    int
	depth int
}

// next is the next rune that is not white space, 0 at the end.
func (p *parser) next() rune {
	p.text = p.text[:p.at] + strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	for _, r := range p.text[p.at:] {
		return r
	}
	return 0
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) take(r rune) bool {
	if p.next() != r {
		return false
	}
	p.at += len(string(r))
	return true
}

func (p *parser) fail(format string, args ...any) error {
	return fault.New(fault.Invalid, "calculate", format, args...)
}

func (p *parser) sum() (float64, error) {
	v, err := p.product()
	for err == nil {
		var w float64
		switch {
		case p.take('+'):
			w, err = p.product()
			v += w
		case p.take('-'), p.take('−'):
			w, err = p.product()
			v -= w
		default:
			return v, nil
		}
	}
	return v, err
}

func (p *parser) product() (float64, error) {
	v, err := p.signed()
	for err == nil {
		var w float64
		switch {
		case p.take('*'), p.take('×'):
			w, err = p.signed()
			v *= w
		case p.take('/'), p.take('÷'):
			if w, err = p.signed(); err == nil && w == 0 {
				err = p.fail("division by zero")
			}
			v /= w
		case p.take('%'):
			if w, err = p.signed(); err == nil && w == 0 {
				err = p.fail("division by zero")
			}
			v = math.Mod(v, w)
		default:
			return v, nil
		}
	}
	return v, err
}

// signed binds weaker than a power: -2^2 is -4.
func (p *parser) signed() (float64, error) {
	minus := false
	for {
		switch {
		case p.take('-'), p.take('−'):
			minus = !minus
			continue
		case p.take('+'):
			continue
		}
		break
	}
	v, err := p.power()
	if minus {
		v = -v
	}
	return v, err
}

func (p *parser) power() (float64, error) {
	v, err := p.atom()
	if err != nil || !p.take('^') {
		return v, err
	}
	if p.depth++; p.depth > maxDepth {
		return 0, p.fail("too deep")
	}
	defer func() { p.depth-- }()
	w, err := p.signed() // right to left: 2^3^2 is 2^9
	return math.Pow(v, w), err
}

func (p *parser) atom() (float64, error) {
	r := p.next()
	switch {
	case r == 0:
		return 0, p.fail("a number is missing at the end of %q", p.text)
	case p.take('('):
		return p.bracket()
	case r >= '0' && r <= '9' || r == '.':
		return p.number()
	case unicode.Is(unicode.Sc, r):
		p.at += len(string(r))
		if r = p.next(); r >= '0' && r <= '9' || r == '.' {
			return p.number()
		}
	case unicode.IsLetter(r):
		return p.word()
	}
	return 0, p.fail("unexpected %q", p.rest())
}

func (p *parser) bracket() (float64, error) {
	if p.depth++; p.depth > maxDepth {
		return 0, p.fail("brackets are nested over %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	v, err := p.sum()
	if err == nil && !p.take(')') {
		err = p.fail("a closing bracket is missing")
	}
	return v, err
}

func (p *parser) number() (float64, error) {
	end := p.at
	for end < len(p.text) && strings.IndexByte("0123456789.,", p.text[end]) >= 0 {
		end++
	}
	end += exponent(p.text[end:])
	word := p.text[p.at:end]
	if !grouped(word) {
		return 0, p.fail("%q is not a number", word)
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(word, ",", ""), 64)
	if err != nil {
		return 0, p.fail("%q is not a number", word)
	}
	p.at = end
	return v, nil
}

// exponent is the length of the "e-3" that rest begins with, 0 when it is none.
func exponent(rest string) int {
	if rest == "" || rest[0] != 'e' && rest[0] != 'E' {
		return 0
	}
	i := 1
	if i < len(rest) && (rest[i] == '+' || rest[i] == '-') {
		i++
	}
	first := i
	for i < len(rest) && rest[i] >= '0' && rest[i] <= '9' {
		i++
	}
	if i == first {
		return 0
	}
	return i
}

// grouped reports whether the commas of a number are between thousands: "1,5" may mean one and a half, and is refused.
func grouped(word string) bool {
	whole, fraction, _ := strings.Cut(word, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && (len(g) == 0 || len(g) > 3) {
			return false
		}
	}
	return !strings.Contains(fraction, ",")
}

func (p *parser) word() (float64, error) {
	end := p.at
	for i, r := range p.text[p.at:] {
		if !unicode.IsLetter(r) && (r < '0' || r > '9') {
			break
		}
		end = p.at + i + len(string(r))
	}
	name := p.text[p.at:end]
	p.at = end
	if v, ok := constants[name]; ok {
		return v, nil
	}
	f, ok := functions[strings.ToLower(name)]
	if !ok {
		return 0, p.fail("%q is neither a number nor a function", name)
	}
	if !p.take('(') {
		return 0, p.fail("%s needs a bracket", name)
	}
	v, err := p.bracket()
	return f(v), err
}
