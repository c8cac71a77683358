package regex

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// set is a set of characters: ranges in order, which neither touch nor overlap.
type set []span

type span struct{ lo, hi rune }

// of is the set of the ranges, in any order.
func of(spans ...span) set {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := spans[:0:0]
	for _, s := range spans {
		if n := len(out) - 1; n >= 0 && s.lo <= out[n].hi+1 {
			out[n].hi = max(out[n].hi, s.hi)
		} else {
			out = append(out, s)
		}
	}
	return out
}

func chars(pairs string) set {
	var spans []span
	r := []rune(pairs)
	for i := 0; i+1 < len(r); i += 2 {
		spans = append(spans, span{r[i], r[i+1]})
	}
	return of(spans...)
}

func (s set) or(o set) set { return of(slices.Concat(s, o)...) }

func (s set) not() set {
	var out set
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			out = append(out, span{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}

func (s set) and(o set) set { return s.not().or(o.not()).not() }

// String writes the set so that both engines read it. No text holds half a character, so none is written.
func (s set) String() string {
	var b strings.Builder
	b.WriteByte('[')
	if len(s) == 0 {
		b.WriteString("^\x00-\U0010FFFF")
	}
	for _, r := range s {
		if r.lo >= 0xd800 && r.lo <= 0xdfff {
			r.lo = 0xe000
		}
		if r.hi >= 0xd800 && r.hi <= 0xdfff {
			r.hi = 0xd7ff
		}
		if r.lo > r.hi {
			continue
		}
		one(&b, r.lo)
		if r.hi > r.lo {
			b.WriteByte('-')
			one(&b, r.hi)
		}
	}
	b.WriteByte(']')
	return b.String()
}

func one(b *strings.Builder, r rune) {
	if strings.ContainsRune(`[]\^-`, r) {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
}

// folded adds the other cases of the characters in s, where case does not count: of ASCII letters, or of all when
// Unicode is on.
func (t *java) folded(s set) set {
	if !t.flags.fold {
		return s
	}
	var more []span
	ascii := func(lo, hi, by rune) {
		for _, r := range s {
			if a, b := max(r.lo, lo), min(r.hi, hi); a <= b {
				more = append(more, span{a + by, b + by})
			}
		}
	}
	ascii('a', 'z', 'A'-'a')
	ascii('A', 'Z', 'a'-'A')
	if t.flags.unicode {
		for _, r := range s {
			if r.hi-r.lo > 0x3000 { // as good as everything: only what is outside can be missing, and it has no cases
				continue
			}
			for c := r.lo; c <= r.hi; c++ {
				for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
					more = append(more, span{f, f})
				}
			}
		}
	}
	return s.or(more)
}

// class reads a set in brackets, behind the opening one: a union of characters, ranges, escapes and sets, or an
// intersection of such unions.
func (t *java) class() (set, error) {
	if len(t.groups) > 1000 {
		return nil, refused("a pattern nested more than 1,000 levels deep")
	}
	t.groups = append(t.groups, group{flags: t.flags}) // counts the depth of brackets
	defer func() { t.groups = t.groups[:len(t.groups)-1] }()
	negated := t.take("^")
	var all set // of the operands so far
	var part set
	some, meets := false, false
	meet := func() {
		if meets {
			part = all.and(part)
		}
		all, part = part, nil
	}
	for t.i < len(t.src) {
		switch {
		case t.flags.comments && t.skipComment():
		case t.ahead("]") && (some || meets):
			if !some {
				return nil, refused("an intersection with nothing")
			}
			t.i++
			meet()
			if negated {
				all = all.not()
			}
			return all, nil
		case t.ahead("&&"):
			if !some {
				return nil, refused("an intersection with nothing")
			}
			t.i += 2
			meet()
			some, meets = false, true
		default:
			s, err := t.operand()
			if err != nil {
				return nil, err
			}
			part, some = part.or(s), true
		}
	}
	return nil, errSyntax
}

// operand reads a set inside brackets: one in brackets of its own, a character, a range or an escape.
func (t *java) operand() (set, error) {
	if t.take("[") {
		return t.class()
	}
	s, lo, err := t.char()
	if err != nil || lo < 0 {
		return s, err
	}
	if next := t.at(1); t.at(0) != '-' || next == ']' || next == '[' || t.i+1 >= len(t.src) {
		return t.folded(set{{lo, lo}}), nil
	}
	t.i++
	_, hi, err := t.char()
	if err != nil || hi < lo {
		return nil, cmp.Or(err, errSyntax)
	}
	return t.folded(set{{lo, hi}}), nil
}

// char reads one character in brackets, or an escaped set and -1.
func (t *java) char() (set, rune, error) {
	at := t.src[t.i]
	if at.literal || at.r != '\\' {
		t.i++
		return nil, at.r, nil
	}
	return t.member()
}

// predefined are the sets with a letter of their own, which Java reads as ASCII.
var predefined = map[rune]set{
	'd': chars("09"), 'w': chars("09AZaz__"), 's': chars("\t\r  "), 'v': chars("\n\r\u0085\u0085\u2028\u2029"),
	'h': chars("\t\t  \u00a0\u00a0\u1680\u1680\u180e\u180e\u2000\u200a\u202f\u202f\u205f\u205f\u3000\u3000"),
}

var posix = map[string]set{
	"Lower": chars("az"), "Upper": chars("AZ"), "ASCII": chars("\x00\x7f"), "Alpha": chars("AZaz"), "Digit": chars("09"),
	"Alnum": chars("09AZaz"), "XDigit": chars("09AFaf"), "Space": chars("\t\r  "), "Blank": chars("\t\t  "),
	"Cntrl": chars("\x00\x1f\x7f\x7f"),
	"Punct": chars("!/:@[`{~"), "Graph": chars("!~"), "Print": chars(" ~"),
}

// binaryProperties are the properties that Java names with Is in front, in lower case.
var binaryProperties = map[string][]*unicode.RangeTable{
	"alphabetic": {unicode.L, unicode.Nl, unicode.Other_Alphabetic}, "letter": {unicode.L}, "digit": {unicode.Nd},
	"uppercase": {unicode.Lu, unicode.Other_Uppercase}, "lowercase": {unicode.Ll, unicode.Other_Lowercase},
	"punctuation": {unicode.P}, "white_space": {unicode.White_Space}, "whitespace": {unicode.White_Space},
}

// property reads {name}, or a single letter, behind \p.
func (t *java) property() (set, error) {
	name, err := t.propertyName()
	if err != nil {
		return nil, err
	}
	if s := posix[name]; s != nil {
		if t.flags.fold && (name == "Lower" || name == "Upper") {
			return posix["Alpha"], nil
		}
		return s, nil
	}
	if kind, value, ok := strings.Cut(name, "="); ok {
		switch strings.ToLower(kind) {
		case "sc", "script", "gc", "general_category":
			name = value
		default:
			return nil, refused(`\p{` + name + `}`)
		}
	}
	if is, ok := strings.CutPrefix(name, "Is"); ok {
		if s := t.binaryProperty(strings.ToLower(is)); s != nil {
			return s, nil
		}
		name = is
	}
	return t.categoryOrScript(name)
}

func (t *java) propertyName() (string, error) {
	first := t.at(0)
	if t.i++; first != '{' {
		return string(first), nil
	}
	var b strings.Builder
	for ; t.at(0) != '}'; t.i++ {
		if t.at(0) == 0 {
			return "", errSyntax
		}
		b.WriteRune(t.at(0))
	}
	t.i++
	return b.String(), nil
}

// binaryProperty is a set of binaryProperties; where case does not count, both cases are one property.
func (t *java) binaryProperty(name string) set {
	if t.flags.fold && (name == "uppercase" || name == "lowercase") {
		return tables(slices.Concat(binaryProperties["uppercase"], binaryProperties["lowercase"])...)
	}
	return tables(binaryProperties[name]...)
}

func (t *java) categoryOrScript(name string) (set, error) {
	if t.flags.fold && (name == "Lu" || name == "Ll" || name == "Lt") {
		return tables(unicode.Lu, unicode.Ll, unicode.Lt), nil
	}
	if table := unicode.Categories[name]; table != nil {
		return tables(table), nil
	}
	for script, table := range unicode.Scripts {
		if strings.EqualFold(script, name) {
			return tables(table), nil
		}
	}
	if strings.HasPrefix(name, "In") || strings.HasPrefix(name, "java") || name == "L1" || name == "LD" || name == "LC" {
		return nil, refused(`\p{` + name + `}`)
	}
	return nil, errSyntax
}

func tables(all ...*unicode.RangeTable) set {
	var spans []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			spans = append(spans, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			spans = append(spans, span{r, r})
		}
	}
	for _, t := range all {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return of(spans...)
}

// literal writes a character, as a set of its cases where case does not count.
func (t *java) literal(r rune) {
	if s := t.folded(set{{r, r}}); len(s) > 1 {
		t.write(s.String())
		return
	}
	t.write(regexp.QuoteMeta(string(r)))
}
