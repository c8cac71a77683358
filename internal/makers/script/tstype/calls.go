package tstype

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Call is a call of a tool that a script makes, as far as it is written out.
type Call struct {
	Tool      string
	Line, Col int
	Args      json.RawMessage // a token such as {{1}} stands for what is computed
	Open      bool            // arguments may be there that are not written out
}

// maxCalls bounds how many calls of one file are judged.
const maxCalls = 1000

// Calls finds the calls ctx.tools.name({ … }) and ctx.callTool("name", { … }) of a file. It passes over names that are
// computed.
func Calls(text string) []Call {
	s := index("", text)
	contexts := s.contexts()
	out := s.calls(contexts, text)
	for _, code := range s.code {
		out = append(out, (&source{toks: code}).calls(contexts, text)...)
	}
	out = out[:min(len(out), maxCalls)]
	slices.SortFunc(out, func(a, b Call) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) })
	return out
}

func (s *source) calls(contexts map[string]bool, text string) (out []Call) {
	at, col := 0, 1 // where the last one is
	for i, t := range s.toks {
		if t.kind != ident || !contexts[t.text] {
			continue
		}
		name, args := s.tok(i+4), s.called(i, text)
		if args == 0 {
			continue
		}
		between := text[at:name.pos]
		if nl := strings.LastIndexByte(between, '\n'); nl >= 0 {
			between, col = between[nl+1:], 1
		}
		at, col = name.pos, col+utf8.RuneCountInString(between)
		c := Call{Tool: name.text, Line: name.line, Col: col}
		c.Args, c.Open = s.arguments(args, text)
		out = append(out, c)
	}
	return out
}

// called is the token after a context and the name of a tool, where its arguments begin; 0: no tool is called.
func (s *source) called(i int, text string) (args int) {
	name := s.tok(i + 4)
	switch {
	case s.are(i+1, ".", "tools", ".") && name.kind == ident && s.are(i+5, "("):
		return i + 6
	case !s.are(i+1, ".", "callTool", "(") || name.kind != str || !s.plain(name, text):
		return 0
	case s.are(i+5, ","):
		return i + 6
	case s.are(i+5, ")"):
		return i + 5
	}
	return 0
}

// are reports whether these marks and words begin at a token.
func (s *source) are(i int, texts ...string) bool {
	for n, want := range texts {
		if t := s.tok(i + n); t.text != want || t.kind != mark && t.kind != ident {
			return false
		}
	}
	return true
}

// plain reports whether a text is exactly the source between its quotes, so that no escape of it was read in another
// way.
func (s *source) plain(t token, text string) bool {
	return len(text) > t.pos && strings.HasPrefix(text[t.pos+1:], t.text)
}

// contexts are the names in a file for objects that call tools: ctx, values of its type, and the parameters of
// handlers.
func (s *source) contexts() map[string]bool {
	out := map[string]bool{"ctx": true}
	for i, t := range s.toks {
		if t.kind == ident && (s.are(i+1, ":", "Context") || s.are(i+1, ":", "Client")) {
			out[t.text] = true
		}
		if s.are(i, "ctx", ",", "client") {
			out["client"] = true
		}
	}
	for _, f := range s.tools {
		s.parameters(f, out)
	}
	return out
}

// parameters adds those of a handler after its first, which is the arguments.
func (s *source) parameters(f found, out map[string]bool) {
	p := &parser{toks: s.toks, at: f.at}
	p.arguments()
	var open string // the brackets
	for ; p.current().kind != end; p.at++ {
		switch t := p.current(); {
		case t.kind == ident && open == "((" && s.are(p.at-1, ","):
			out[t.text] = true
		case t.kind != mark:
		case strings.Contains("({[", t.text):
			open += t.text
		case strings.Contains(")}]", t.text) && open != "":
			open = open[:len(open)-1]
		}
		if open == "" {
			return
		}
	}
}

// arguments reads the arguments between the parentheses of a call.
func (s *source) arguments(i int, text string) (args json.RawMessage, open bool) {
	if s.are(i, ")") {
		return json.RawMessage("{}"), false
	}
	l := &literal{parser: parser{toks: s.toks, at: i}, src: s, text: text}
	if l.eat("{") {
		if obj, open, ok := l.object(); ok && (l.eat(")") || l.eat(",")) {
			if raw, err := json.Marshal(obj); err == nil {
				return raw, open
			}
		}
	}
	return json.RawMessage("{}"), true
}

// literal reads values as they are written.
type literal struct {
	parser
	src      *source
	text     string
	computed int
}

// value is the next value; a token for one that is computed.
func (l *literal) value() any {
	start := l.at
	l.depth++
	v, ok := l.read()
	l.depth--
	if ok && (l.closes() || l.src.are(l.at, ",")) {
		return v
	}
	l.at = start
	l.skip()
	l.computed++ // each is another value
	return fmt.Sprintf("{{%d}}", l.computed)
}

// closes reports whether a closing bracket is next.
func (l *literal) closes() bool {
	t := l.current()
	return t.kind == mark && strings.Contains(")}]", t.text)
}

// maxSkip limits the tokens of a computed value that are passed over; tokens after them are not read.
const maxSkip = 1000

// skip goes to the comma or the bracket that ends a value.
func (l *literal) skip() {
	start := l.at
	for depth := 0; l.current().kind != end && l.at < start+maxSkip; l.at++ {
		switch t := l.current(); {
		case depth == 0 && (l.closes() || l.src.are(l.at, ",")):
			return
		case l.closes():
			depth--
		case t.kind == mark && strings.Contains("({[", t.text):
			depth++
		}
	}
}

// read reads a value that is written out.
func (l *literal) read() (v any, ok bool) {
	if l.depth > maxDepth {
		return nil, false
	}
	switch t := l.take(); t.kind {
	case str:
		return t.text, l.src.plain(t, l.text)
	case num:
		return json.Number(t.text), json.Valid([]byte(t.text))
	case ident:
		v, ok := words[t.text]
		return v, ok
	case mark:
		return l.marked(t.text)
	}
	return nil, false
}

// words are the values that are words.
var words = map[string]any{"true": true, "false": false, "null": nil}

// marked reads a value of which the first mark was taken.
func (l *literal) marked(text string) (v any, ok bool) {
	switch text {
	case "-":
		n := "-" + l.take().text
		return json.Number(n), json.Valid([]byte(n))
	case "[":
		return l.list()
	case "{":
		obj, open, ok := l.object()
		return obj, ok && !open
	}
	return nil, false
}

// list reads the values of an array of which the bracket was taken.
func (l *literal) list() (out []any, ok bool) {
	out = []any{}
	for !l.eat("]") {
		if l.src.are(l.at, ".") || l.src.are(l.at, ",") || l.current().kind == end {
			return nil, false // there may be any number of values
		}
		out = append(out, l.value())
		if !l.eat(",") && !l.src.are(l.at, "]") {
			return nil, false
		}
	}
	return out, true
}

// object reads the fields of an object of which the brace was taken. It is open when fields may be there that are not
// written out.
func (l *literal) object() (out map[string]any, open, ok bool) {
	out = map[string]any{}
	for !l.eat("}") {
		t := l.take()
		switch {
		case l.eat(":") && (t.kind == ident || t.kind == str && l.src.plain(t, l.text)):
			out[t.text] = l.value()
		case t.kind == ident && (l.src.are(l.at, ",") || l.src.are(l.at, "}")):
			l.at--
			out[t.text] = l.value() // the variable of this name
		case t.kind == mark && (t.text == "." || t.text == "["): // { ...more, [name]: value }
			l.at--
			l.skip()
			open = true
		default:
			return nil, false, false
		}
		if !l.eat(",") && !l.src.are(l.at, "}") {
			return nil, false, false
		}
	}
	return out, open, true
}
