package tstype

// maxDepth bounds how deep types are nested, as written and as resolved.
const maxDepth = 40

// maxSchemas bounds the schemas made of one file.
const maxSchemas = 10_000

// node is a type as it is written.
type node struct {
	op   string // see the constants
	name string // of a reference, a literal's text
	list []*node
	from []field
	line int
}

// The kinds of nodes.
const (
	opUnknown = ""
	opRef     = "ref"     // name, list: its arguments
	opString  = "string"  // literal
	opNumber  = "number"  // literal
	opUnion   = "union"   // list
	opAll     = "all"     // list: an intersection
	opArray   = "array"   // list[0]
	opTuple   = "tuple"   // list
	opObject  = "object"  // from
	opIndexed = "indexed" // list[0][list[1]]
)

// field is a member of an object type. An index signature has no name.
type field struct {
	name     string
	doc      string
	optional bool
	typ      *node
}

// parser reads types out of tokens.
type parser struct {
	toks  []token
	at    int
	depth int
}

func (p *parser) current() token { return p.toks[min(p.at, len(p.toks)-1)] }

func (p *parser) ahead(n int) token { return p.toks[min(p.at+n, len(p.toks)-1)] }

func (p *parser) take() token {
	t := p.current()
	p.at++
	return t
}

// eat takes a mark or a word if it is next.
func (p *parser) eat(text string) bool {
	if t := p.current(); (t.kind == mark || t.kind == ident) && t.text == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) typ() *node {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth || p.current().kind == end {
		p.at++
		return &node{line: p.current().line}
	}
	line := p.current().line
	p.eat("|")
	list := []*node{p.all()}
	for p.eat("|") {
		list = append(list, p.all())
	}
	out := list[0]
	if len(list) > 1 {
		out = &node{op: opUnion, list: list, line: line}
	}
	if p.eat("extends") { // a conditional type is computed
		p.typ()
		if p.eat("?") {
			p.typ()
			p.eat(":")
			p.typ()
		}
		return &node{line: line}
	}
	return out
}

func (p *parser) all() *node {
	line := p.current().line
	p.eat("&")
	list := []*node{p.postfix()}
	for p.eat("&") {
		list = append(list, p.postfix())
	}
	if len(list) == 1 {
		return list[0]
	}
	return &node{op: opAll, list: list, line: line}
}

func (p *parser) postfix() *node {
	for p.current().kind == ident && (p.current().text == "readonly" || p.current().text == "unique") &&
		p.ahead(1).text != "=" {
		p.at++
	}
	n := p.primary()
	for p.current().kind == mark && p.current().text == "[" {
		p.at++
		if p.eat("]") {
			n = &node{op: opArray, list: []*node{n}, line: n.line}
			continue
		}
		n = &node{op: opIndexed, list: []*node{n, p.typ()}, line: n.line}
		p.eat("]")
	}
	return n
}

func (p *parser) primary() *node {
	t := p.take()
	switch t.kind {
	case str:
		return &node{op: opString, name: t.text, line: t.line}
	case num:
		return &node{op: opNumber, name: t.text, line: t.line}
	case other:
		if t.text == "`" {
			return &node{op: opRef, name: "string", line: t.line}
		}
	case ident:
		return p.named(t)
	case mark:
		switch t.text {
		case "-":
			return &node{op: opNumber, name: "-" + p.take().text, line: t.line}
		case "{":
			return &node{op: opObject, from: p.members(), line: t.line}
		case "[":
			return p.tuple(t.line)
		case "(":
			return p.group(t.line)
		}
	}
	return &node{line: t.line}
}

func (p *parser) named(t token) *node {
	n := &node{op: opRef, name: t.text, line: t.line}
	switch t.text {
	case "keyof", "typeof", "infer", "new", "abstract", "asserts":
		p.typ()
		return &node{line: t.line}
	}
	for p.current().kind == mark && p.current().text == "." {
		p.at++
		n.name += "." + p.take().text
	}
	if p.current().kind == mark && p.current().text == "<" {
		n.list = p.arguments()
	}
	return n
}

// arguments reads <A, B>.
func (p *parser) arguments() (out []*node) {
	if !p.eat("<") {
		return nil
	}
	for p.current().kind != end && !p.eat(">") {
		had := p.at
		out = append(out, p.typ())
		p.eat(",")
		if p.at == had {
			p.at++
		}
	}
	return out
}

// group reads a type in parentheses, or a function type, which is none that JSON carries.
func (p *parser) group(line int) *node {
	start := p.at
	depth := 1
	for depth > 0 && p.current().kind != end {
		switch p.take().text {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
	if p.eat("=>") {
		p.typ()
		return &node{line: line}
	}
	stop := p.at
	p.at = start
	n := p.typ()
	p.at = stop
	return n
}

func (p *parser) tuple(line int) *node {
	n := &node{op: opTuple, line: line}
	for p.current().kind != end && !p.eat("]") {
		had := p.at
		for p.eat(".") {
		}
		if p.current().kind == ident && (p.ahead(1).text == ":" || p.ahead(1).text == "?" && p.ahead(2).text == ":") {
			p.take()
			p.eat("?")
			p.eat(":")
		}
		n.list = append(n.list, p.typ())
		p.eat("?")
		p.eat(",")
		if p.at == had {
			p.at++
		}
	}
	return n
}

// members reads the text between braces, the first of which is taken.
func (p *parser) members() (out []field) {
	for p.current().kind != end && !p.eat("}") {
		had := p.at
		if p.eat(";") || p.eat(",") {
			continue
		}
		if f, ok := p.member(); ok {
			out = append(out, f)
		}
		if p.at == had {
			p.at++
		}
	}
	return out
}

func (p *parser) member() (field, bool) {
	doc := p.current().doc
	if t := p.ahead(1); p.current().text == "readonly" && t.text != ":" && t.text != "?" {
		p.at++
	}
	t := p.take()
	f := field{name: t.text, doc: doc}
	if t.kind == mark && t.text == "[" { // an index signature, or a mapped type
		for p.current().kind != end && !p.eat("]") {
			p.at++
		}
		f.name = ""
	}
	f.optional = p.eat("?")
	if p.current().text == "(" || p.current().text == "<" { // a method
		p.arguments()
		p.eat("(")
		p.group(t.line)
		if p.eat(":") {
			p.typ()
		}
		return f, false
	}
	if !p.eat(":") {
		return f, false
	}
	f.typ = p.typ()
	return f, true
}
