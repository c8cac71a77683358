package importer

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/trail"
)

// shape is the kind of a value in source code.
type shape int

const (
	opaque            shape = iota // anything that is not read: a sum, a condition, an unknown word
	literal                        // a text, a number or a truth value
	regularExpression              // a regular expression: text, and whether case counts
	object                         // {name: value}, or the named arguments of Python
	list                           // [value, …]
	name                           // a variable
	call                           // of a method of an object, or of a function
	member                         // a property of an object
	function                       // its code
)

// value is a piece of source code, as far as recorders write it.
type value struct {
	shape  shape
	text   string // of a literal and of a regular expression; the name of a variable, method or property
	data   any    // of a literal
	fold   bool   // of a regular expression: case does not count
	on     *value // of a call and of a property; nil: of a function
	args   []*value
	fields map[string]*value
	code   []token // of a function
	pos    trail.Pos
}

// parser reads values from tokens.
type parser struct {
	toks   []token
	at     int
	depth  int
	python bool
}

// maxDepth limits how deep values may nest.
const maxDepth = 100

func (p *parser) current() token { return p.toks[min(p.at, len(p.toks)-1)] }

func (p *parser) is(value string) bool {
	t := p.current()
	return t.value == value && (t.kind == mark || t.kind == word)
}

func (p *parser) eat(value string) bool {
	if !p.is(value) {
		return false
	}
	p.at++
	return true
}

// expression reads a value: a chain such as page.getByRole("link").first().click(), a literal or a function. What it
// cannot read is opaque, and the tokens are passed over up to the comma or bracket that ends it.
func (p *parser) expression() *value {
	start := p.at
	p.depth++
	defer func() { p.depth-- }()
	p.eat("await")
	v := p.chain()
	if v == nil || !p.ended() {
		pos := p.toks[start].pos
		p.at = start
		p.skip()
		return &value{shape: opaque, pos: pos}
	}
	return v
}

// ended reports whether a value ends here.
func (p *parser) ended() bool {
	t := p.current()
	switch t.kind {
	case end, newline:
		return true
	case mark:
		return strings.Contains(",;)]}:", t.value)
	case word:
		return p.python && t.value == "as" || !p.python && t.pos.Line > p.toks[p.at-1].pos.Line
	}
	return false
}

// skip passes over what is not read, up to what ends a value.
func (p *parser) skip() {
	depth := 0
	for ; ; p.at++ {
		t := p.current()
		switch {
		case t.kind == end, depth == 0 && t.kind == newline:
			return
		case t.kind != mark:
		case strings.Contains("([{", t.value):
			depth++
		case strings.Contains(")]}", t.value):
			if depth--; depth < 0 {
				return
			}
		case depth == 0 && (t.value == "," || t.value == ";"):
			return
		}
	}
}

func (p *parser) chain() *value {
	v := p.primary()
	for v != nil {
		p.eat("!") // TypeScript: it is there
		switch t := p.current(); {
		case p.is("?") && p.at+1 < len(p.toks) && p.toks[p.at+1].value == ".":
			p.at++
		case p.eat("."):
			if t = p.current(); t.kind != word {
				return nil
			}
			p.at++
			v = &value{shape: member, text: camel(t.value), on: v, pos: t.pos}
		case p.is("(") && v.shape == function: // one that is called where it stands
			p.at++
			p.skipBlock()
		case p.is("(") && (v.shape == member || v.shape == name):
			p.at++
			args := p.arguments(")")
			if v.shape == name {
				v = &value{shape: call, text: v.text, args: args, pos: v.pos}
			} else {
				v = &value{shape: call, text: v.text, on: v.on, args: args, pos: v.pos}
			}
		default:
			return v
		}
	}
	return nil
}

// arguments reads values up to a bracket. Named arguments of Python are gathered in an object, the last value.
func (p *parser) arguments(closing string) (out []*value) {
	named := &value{shape: object, fields: map[string]*value{}, pos: p.current().pos}
	for !p.eat(closing) && p.current().kind != end {
		if t := p.current(); p.python && t.kind == word && p.toks[min(p.at+1, len(p.toks)-1)].value == "=" {
			p.at += 2
			named.fields[camel(t.value)] = p.expression()
		} else {
			before := p.at
			out = append(out, p.expression())
			if p.at == before && !p.is(",") && !p.is(closing) {
				p.at++ // a bracket that fits nothing
			}
		}
		p.eat(",")
	}
	if len(named.fields) > 0 {
		out = append(out, named)
	}
	return out
}

// camel is a name of Python as Playwright spells it elsewhere: get_by_role is getByRole.
func camel(s string) string {
	parts := strings.Split(s, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

func (p *parser) primary() *value {
	t := p.current()
	if p.depth > maxDepth {
		return nil
	}
	switch t.kind {
	case text:
		p.at++
		if t.computed {
			return &value{shape: opaque, text: t.value, pos: t.pos}
		}
		for p.current().kind == text && p.python && !p.current().computed { // strings side by side are one
			t.value += p.current().value
			p.at++
		}
		return &value{shape: literal, text: t.value, data: t.value, pos: t.pos}
	case number:
		p.at++
		return &value{shape: literal, text: t.value, data: json.Number(t.value), pos: t.pos}
	case pattern:
		p.at++
		if strings.ContainsAny(t.flags, "sm") { // a dot that fits line ends, lines of their own
			return &value{shape: opaque, text: t.value, pos: t.pos}
		}
		return &value{shape: regularExpression, text: t.value, fold: strings.Contains(t.flags, "i"), pos: t.pos}
	case mark:
		return p.marked(t)
	case word:
		return p.named(t)
	}
	return nil
}

func (p *parser) marked(t token) *value {
	switch t.value {
	case "[":
		p.at++
		return &value{shape: list, args: p.arguments("]"), pos: t.pos}
	case "{":
		p.at++
		return p.object(t.pos)
	case "-":
		p.at++
		if n := p.current(); n.kind == number {
			p.at++
			return &value{shape: literal, text: "-" + n.value, data: json.Number("-" + n.value), pos: t.pos}
		}
	case "(":
		if f := p.function(); f != nil {
			return f
		}
		p.at++
		inner := p.expression()
		if p.eat(")") {
			return inner
		}
	}
	return nil
}

func (p *parser) named(t token) *value {
	switch t.value {
	case "true", "false", "True", "False":
		p.at++
		return &value{shape: literal, text: strings.ToLower(t.value), data: strings.ToLower(t.value) == "true", pos: t.pos}
	case "async", "function", "lambda":
		return p.function()
	case "new":
		return nil
	}
	if p.toks[min(p.at+1, len(p.toks)-1)].value == "=>" {
		return p.function()
	}
	p.at++
	v := &value{shape: name, text: t.value, pos: t.pos}
	if p.python && t.value == "re" && p.is(".") && p.toks[min(p.at+1, len(p.toks)-1)].value == "compile" {
		p.at += 2
		p.eat("(")
		args := p.arguments(")")
		if len(args) == 0 || args[0].shape != literal {
			return nil
		}
		fold := len(args) > 1
		if fold && (args[1].shape != member || args[1].text != "IGNORECASE" && args[1].text != "I") {
			return nil
		}
		return &value{shape: regularExpression, text: args[0].text, fold: fold, pos: t.pos}
	}
	return v
}

// function reads a function of which only the code is kept; nil when there is none.
func (p *parser) function() *value {
	start := p.at
	pos := p.current().pos
	p.eat("async")
	if p.eat("lambda") {
		for !p.is(":") && p.current().kind != end {
			p.at++
		}
		p.at++
		from := p.at
		p.skip()
		return &value{shape: function, code: p.toks[from:p.at], pos: pos}
	}
	keyword := p.eat("function")
	if p.current().kind == word {
		p.at++
	}
	if p.eat("(") {
		p.skipBlock()
		if p.eat(":") { // the type of what it returns
			p.skipType()
		}
	}
	if !p.eat("=>") && !keyword {
		p.at = start
		return nil
	}
	from := p.at
	if p.eat("{") {
		from = p.at
		p.skipBlock()
		return &value{shape: function, code: p.toks[from : p.at-1], pos: pos}
	}
	p.skip()
	return &value{shape: function, code: p.toks[from:p.at], pos: pos}
}

// skipBlock passes over everything up to the bracket that closes here, and that bracket.
func (p *parser) skipBlock() {
	for depth := 0; p.current().kind != end; p.at++ {
		t := p.current()
		switch {
		case t.kind != mark:
		case strings.Contains("([{", t.value):
			depth++
		case strings.Contains(")]}", t.value):
			if depth--; depth < 0 {
				p.at++
				return
			}
		}
	}
}

func (p *parser) skipType() {
	for p.current().kind != end && !p.is("=>") && !p.is("{") {
		p.at++
	}
}

// object reads the fields of an object of which the brace was taken.
func (p *parser) object(pos trail.Pos) *value {
	v := &value{shape: object, fields: map[string]*value{}, pos: pos}
	for !p.eat("}") {
		t := p.current()
		p.at++
		switch {
		case t.kind == end:
			return nil
		case (t.kind == word || t.kind == text) && p.eat(":"):
			v.fields[t.value] = p.expression()
		case t.kind == word && (p.is(",") || p.is("}")):
			v.fields[t.value] = &value{shape: name, text: t.value, pos: t.pos}
		default: // ...more
			p.skip()
			v.fields["..."] = &value{shape: opaque, pos: t.pos}
		}
		p.eat(",")
	}
	return v
}

// field is a field of the last argument when that is an object, nil when it has none.
func (v *value) field(name string) *value {
	if len(v.args) == 0 {
		return nil
	}
	last := v.args[len(v.args)-1]
	if last.shape != object {
		return nil
	}
	return last.fields[name]
}

// options checks the fields of the last argument when that is an object: an unknown one changes what a call means.
func options(args []*value, known ...string) error {
	if len(args) == 0 || args[len(args)-1].shape != object {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(args[len(args)-1].fields)) {
		if key != "timeout" && !slices.Contains(known, key) {
			return unequal("the option %s has no equal", key)
		}
	}
	return nil
}

// isTrue reports whether a value is the word true.
func (v *value) isTrue() bool { return v != nil && v.data == true }

// str is the text of a literal.
func (v *value) str() (string, bool) {
	if v == nil || v.shape != literal {
		return "", false
	}
	return v.text, true
}

// int is a literal as a whole number.
func (v *value) int() (int, bool) {
	if v == nil || v.shape != literal {
		return 0, false
	}
	n, err := strconv.ParseFloat(v.text, 64)
	return int(n), err == nil
}
