package importer

import "strings"

// statement is one of a function, as far as recorders write it.
type statement struct {
	target  string // the variable that gets the value
	value   *value // nil: it is not read
	control string // the word of a condition or a loop, whose block is not read
	first   token
	last    token // the one behind it
}

// statements reads those of a function, or of a file.
func (p *parser) statements() (out []statement) {
	for p.current().kind != end {
		before := p.at
		s, ok := p.statement()
		if p.at == before {
			p.at++
		}
		if s.last = p.current(); ok {
			out = append(out, s)
		}
	}
	return out
}

// blocks are the words that begin a block whose calls are not made one after the other.
var blocks = map[string]bool{"if": true, "for": true, "while": true, "try": true, "switch": true, "do": true,
	"else": true, "elif": true, "except": true, "finally": true, "catch": true, "class": true, "match": true}

func (p *parser) statement() (s statement, ok bool) {
	t := p.current()
	s.first = t
	switch {
	case t.kind == newline, p.eat(";"), p.eat("}"), p.eat("{"):
		return s, false
	case t.kind == word && blocks[t.value]:
		p.at++
		s.control = t.value
		p.block(t.indent)
		return s, t.value != "else" && t.value != "elif" && t.value != "except" && t.value != "finally" && t.value != "catch"
	case p.python:
		return p.line(s)
	}
	return p.script(s)
}

// block passes over a block: of TypeScript what stands in brackets, of Python the lines that stand further right.
func (p *parser) block(indent int) {
	if p.python {
		p.lineEnd()
		for p.current().kind != end && (p.current().kind == newline || p.current().indent > indent) {
			p.at++
		}
		return
	}
	if p.current().kind == word { // class Name
		p.at++
	}
	if p.eat("(") {
		p.skipBlock()
	}
	if p.eat("{") {
		p.skipBlock()
		return
	}
	p.statement()
}

func (p *parser) lineEnd() {
	for p.current().kind != end && p.current().kind != newline {
		p.at++
	}
}

// line reads a statement of Python.
func (p *parser) line(s statement) (statement, bool) {
	t := p.current()
	p.eat("async")
	switch {
	case p.is("from"), p.is("import"), p.is("@"), p.is("return"), p.is("pass"), p.is("raise"):
		p.lineEnd()
		return s, false
	case p.eat("def"):
		s.target = p.current().value
		s.value = &value{shape: function, text: "def", pos: t.pos}
		p.lineEnd()
		from := p.at
		for p.current().kind != end && (p.current().kind == newline || p.current().indent > t.indent) {
			p.at++
		}
		s.value.code = p.toks[from:p.at]
		return s, true
	case p.eat("with"):
		s.value = p.expression()
		if p.eat("as") {
			s.target = p.current().value
		}
		p.lineEnd()
		return s, true
	}
	if t = p.current(); t.kind == word {
		at := p.at
		p.at++
		if p.eat(":") { // its type
			for p.current().kind == word || p.is(".") {
				p.at++
			}
		}
		if p.eat("=") && !p.is("=") {
			s.target = t.value
		} else {
			p.at = at
		}
	}
	s.value = p.expression()
	p.lineEnd()
	return s, true
}

// script reads a statement of TypeScript.
func (p *parser) script(s statement) (statement, bool) {
	t := p.current()
	switch {
	case p.is("import"), p.is("export"), p.is("return"), p.is("throw"), p.is("type"), p.is("interface"):
		line := t.pos.Line
		for p.current().kind != end && !p.is(";") &&
			(p.current().pos.Line == line || strings.Contains("},", p.current().value)) {
			if p.eat("{") {
				p.skipBlock()
				line = p.toks[p.at-1].pos.Line
				continue
			}
			p.at++
		}
		return s, false
	case p.is("function"), p.is("async"):
		p.eat("async")
		if p.eat("function") {
			s.target = p.current().value
			s.value = p.function()
			return s, false
		}
	case p.eat("const"), p.eat("let"), p.eat("var"):
		if p.eat("[") {
			s.target = p.current().value // const [page1] = await Promise.all(…)
			p.skipBlock()
		} else if p.eat("{") {
			p.skipBlock()
		} else {
			s.target = p.current().value
			p.at++
		}
		if p.eat(":") {
			for p.current().kind == word || p.is(".") || p.is("<") || p.is(">") {
				p.at++
			}
		}
		if !p.eat("=") {
			return s, false
		}
	case t.kind == word && p.toks[min(p.at+1, len(p.toks)-1)].value == "=":
		p.at += 2
		s.target = t.value
	}
	s.value = p.expression()
	return s, true
}
