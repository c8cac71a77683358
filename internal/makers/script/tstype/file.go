package tstype

import (
	"path"
	"slices"
	"strings"
)

// declaration is an interface, an alias or an enum.
type declaration struct {
	kind   string // interface, type, enum
	at     int    // token after the name
	doc    string
	file   *source
	params []string
	typ    *node // once it was read
}

// imported is a name from another file.
type imported struct{ from, name string }

// source is a file whose declarations are known.
type source struct {
	name    string
	toks    []token
	code    [][]token // within its templates
	decls   map[string]*declaration
	imports map[string]imported
	all     []string // export * from
	tools   []found
}

// found is a call of trailblaze.tool.
type found struct {
	export  string // name of the constant
	literal string // the name as its first argument
	at      int    // token after tool
	doc     string
	line    int
}

// index finds the declarations at the top of a file.
func index(name, text string) *source {
	toks, code := lex(text)
	s := &source{name: name, toks: toks, code: code, decls: map[string]*declaration{}, imports: map[string]imported{}}
	depth := 0
	for i := 0; i < len(s.toks); i++ {
		t := s.toks[i]
		switch {
		case t.kind == mark && strings.Contains("{([", t.text):
			depth++
		case t.kind == mark && strings.Contains("})]", t.text):
			depth--
		case t.kind == ident && depth == 0:
			s.top(i)
		}
		if t.kind == ident && t.text == "trailblaze" {
			s.tool(i)
		}
	}
	return s
}

func (s *source) tok(i int) token { return s.toks[min(max(i, 0), len(s.toks)-1)] }

// top handles a word outside of all brackets.
func (s *source) top(i int) {
	next := s.tok(i + 1)
	switch text := s.toks[i].text; text {
	case "interface", "type", "enum":
		if next.kind == ident && (text != "type" || s.tok(i+2).text == "=" || s.tok(i+2).text == "<") {
			s.decls[next.text] = &declaration{kind: text, at: i + 2, doc: s.docBefore(i), file: s}
		}
	case "import", "export":
		s.names(i + 1)
	}
}

// docBefore is the comment before a statement, which may begin with export, declare or const.
func (s *source) docBefore(i int) string {
	for i > 0 && s.toks[i].doc == "" &&
		slices.Contains([]string{"export", "declare", "const", "let", "default"}, s.toks[i-1].text) {
		i--
	}
	return s.toks[i].doc
}

// names reads what an import or export statement takes from another file.
func (s *source) names(i int) {
	if s.tok(i).text == "type" && s.tok(i+1).text == "{" {
		i++
	}
	if s.tok(i).text == "*" && s.tok(i+1).text == "from" && s.tok(i+2).kind == str {
		s.all = append(s.all, s.tok(i+2).text)
		return
	}
	if s.tok(i).text != "{" {
		return
	}
	there, i := s.braced(i + 1)
	if s.tok(i+1).text != "from" || s.tok(i+2).kind != str {
		return
	}
	for here, name := range there {
		s.imports[here] = imported{s.tok(i + 2).text, name}
	}
}

// braced reads the names between braces: the name in the other file by the name here, and where the brace closes.
func (s *source) braced(i int) (there map[string]string, closing int) {
	there = map[string]string{}
	for ; s.tok(i).kind != end && s.tok(i).text != "}"; i++ {
		if s.tok(i).kind != ident || s.tok(i).text == "type" && s.tok(i+1).kind == ident {
			continue
		}
		name := s.tok(i).text
		if s.tok(i+1).text == "as" {
			i += 2
		}
		there[s.tok(i).text] = name
	}
	return there, i
}

// tool handles the word trailblaze.
func (s *source) tool(i int) {
	if s.tok(i+1).text != "." || s.tok(i+2).text != "tool" || s.tok(i+2).kind != ident {
		return
	}
	f := found{at: i + 3, line: s.toks[i].line}
	j := i - 1
	if s.tok(j).text == "=" {
		for j--; j > 0 && s.tok(j-1).text != "const" && s.tok(j-1).text != "let" && i-j < 12; j-- {
		}
		if s.tok(j).kind == ident {
			f.export, f.line, f.doc = s.tok(j).text, s.tok(j).line, s.docBefore(j)
		}
	}
	p := &parser{toks: s.toks, at: f.at}
	p.arguments()
	if p.eat("(") && p.current().kind == str {
		f.literal = p.current().text
	}
	s.tools = append(s.tools, f)
}

// read reads the type that a declaration stands for.
func (d *declaration) read() *node {
	if d.typ != nil {
		return d.typ
	}
	d.typ = &node{} // while it is being read
	p := &parser{toks: d.file.toks, at: d.at}
	for _, n := range p.arguments() {
		d.params = append(d.params, n.name)
	}
	switch d.kind {
	case "type":
		p.eat("=")
		d.typ = p.typ()
	case "enum":
		d.typ = p.enum()
	default:
		var parts []*node
		if p.eat("extends") {
			for {
				parts = append(parts, p.postfix())
				if !p.eat(",") {
					break
				}
			}
		}
		line := p.current().line
		p.eat("{")
		own := &node{op: opObject, from: p.members(), line: line}
		if d.typ = own; len(parts) > 0 {
			d.typ = &node{op: opAll, list: append(parts, own), line: line}
		}
	}
	return d.typ
}

// enum reads the values of an enum as a union.
func (p *parser) enum() *node {
	out := &node{op: opUnion, line: p.current().line}
	p.eat("{")
	for next := 0; p.current().kind != end && !p.eat("}"); {
		p.take()
		if !p.eat("=") {
			out.list = append(out.list, &node{op: opNumber, name: itoa(next)})
			next++
		} else {
			n := p.primary()
			out.list = append(out.list, n)
			next = atoi(n.name) + 1
		}
		for p.current().kind != end && p.current().text != "}" && !p.eat(",") {
			p.at++
		}
	}
	return out
}

// candidates are the files that an import may mean, from the folder of the one that imports.
func candidates(from, spec string) []string {
	base := path.Join(path.Dir(from), spec)
	return []string{base + ".ts", strings.TrimSuffix(base, ".js") + ".ts", base, base + "/index.ts", base + ".d.ts"}
}
