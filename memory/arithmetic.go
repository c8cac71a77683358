package memory

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// operand is a number of a token that computes: a literal, or a name whose value it is.
type operand struct {
	token   // of a name
	spelled string
	number  *big.Rat // nil while only the name is known
}

// sum is a token that computes, such as {{count + 1}}: operands, and the operators between them. There are no
// brackets and no functions.
type sum struct {
	operands  []operand
	operators []string
}

var spaced = strings.NewReplacer("+", " + ", "*", " * ", "/", " / ", "%", " % ")

// sumOf reads numbers and at least one name with + - * / % between them. A minus needs spaces around it, since a name
// may hold a dash.
func sumOf(inner string) (*sum, bool) {
	words := strings.Fields(spaced.Replace(inner))
	if len(words) < 3 || len(words)%2 == 0 {
		return nil, false
	}
	s, named := &sum{}, false
	for i, w := range words {
		if i%2 == 1 {
			if len(w) != 1 || !strings.Contains("+-*/%", w) {
				return nil, false
			}
			s.operators = append(s.operators, w)
			continue
		}
		o := operand{spelled: w}
		if r, ok := rational(w); ok {
			o.number = r
		} else if o.name, o.memory = strings.CutPrefix(w, "memory."); path(o.name) {
			named = true
		} else {
			return nil, false
		}
		s.operands = append(s.operands, o)
	}
	return s, named
}

// names are the operands that are names.
func (s *sum) names() []token {
	var out []token
	for _, o := range s.operands {
		if o.number == nil {
			out = append(out, o.token)
		}
	}
	return out
}

// spelling is the token with the numbers that are known.
func (s *sum) spelling(optional bool) string {
	var b strings.Builder
	b.WriteString("{{")
	if optional {
		b.WriteByte('?')
	}
	for i, o := range s.operands {
		if i > 0 {
			b.WriteString(" " + s.operators[i-1] + " ")
		}
		b.WriteString(o.spelled)
	}
	return b.String() + "}}"
}

// compute puts values in place of the names and does the sum. With parameters only, other names are left for later.
func (e *expander) compute(t token) (any, outcome, error) {
	s := sum{append([]operand(nil), t.sum.operands...), t.sum.operators}
	left, known := 0, 0
	for i, o := range s.operands {
		if o.number != nil {
			continue
		}
		v, what, err := e.find(o.token)
		switch {
		case err != nil:
			return nil, 0, err
		case what == later:
			left++
			continue
		case what != found:
			return nil, what, nil
		}
		r, err := e.number(&s, o, v)
		if err != nil {
			return nil, 0, err
		}
		s.operands[i].number, s.operands[i].spelled = r, decimal(r)
		known++
	}
	switch {
	case left > 0 && known == 0:
		return nil, later, nil
	case left > 0:
		return s.spelling(t.optional), later, nil
	}
	r, err := s.value()
	if err != nil {
		return nil, 0, err
	}
	return json.Number(decimal(r)), found, nil
}

// number is the value of an operand.
func (e *expander) number(s *sum, o operand, v any) (*big.Rat, error) {
	if e.store != nil && (e.store.secrets[o.name] || len(e.store.tainters(v)) > 0) {
		return nil, fault.New(fault.Denied, "", "token %s: nothing is computed of the secret %s", s.spelling(false),
			o.name).WithHint("What is computed of a secret is masked nowhere. Use its token alone.")
	}
	r, ok := rational(strings.TrimSpace(text(v)))
	if !ok || !scalar(v) {
		return nil, fault.New(fault.Invalid, "", "token %s: %s is %q, which is no number", s.spelling(false), o.spelled,
			phrase.Clip(text(v), 40)).WithHint("Remember a plain number, such as 3 or 2.5.")
	}
	return r, nil
}

const maxNumber = 4096 // bits

// value does the sum exactly: products first, each from left to right.
func (s *sum) value() (*big.Rat, error) {
	wrong := func(why string) error {
		return fault.New(fault.Invalid, "", "token %s: %s", s.spelling(false), why)
	}
	total, product, minus := new(big.Rat), new(big.Rat).Set(s.operands[0].number), false
	add := func() {
		if minus {
			product.Neg(product)
		}
		total.Add(total, product)
	}
	for i, op := range s.operators {
		n := s.operands[i+1].number
		switch op {
		case "+", "-":
			add()
			product, minus = new(big.Rat).Set(n), op == "-"
		case "*":
			product.Mul(product, n)
		default:
			if n.Sign() == 0 {
				return nil, wrong("division by zero")
			}
			q := new(big.Rat).Quo(product, n)
			if product, n = q, new(big.Rat).Set(n); op == "%" { // the rest has the sign of what is divided
				whole := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
				product = new(big.Rat).Mul(q.Sub(q, whole), n)
			}
		}
		if product.Num().BitLen()+product.Denom().BitLen() > maxNumber {
			return nil, wrong("the number becomes too long")
		}
	}
	add()
	return total, nil
}

// rational reads a plain decimal number.
func rational(s string) (*big.Rat, bool) {
	if s == "" || len(s) > 100 || strings.Trim(s, "0123456789.eE+-") != "" {
		return nil, false
	}
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// decimal is a number as it is typed: exact where it ends, else with 15 digits behind the point.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	n, exact := r.FloatPrec()
	if !exact || n > 30 {
		n = 15
	}
	return strings.TrimRight(strings.TrimRight(r.FloatString(n), "0"), ".")
}
