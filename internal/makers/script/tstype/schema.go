package tstype

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Tool holds the facts about one tool in the types of a file.
type Tool struct {
	Export      string // name of the constant that holds it, "" when there is none
	Name        string // when the name is the first argument
	Line        int
	Description string             // of its comment
	Input       *jsonschema.Schema // nil: no type is given
	Output      *jsonschema.Schema
}

// Read reads the tools of a file. get reads a file by its name, to follow imports. The notes name the parts that it
// could not read.
func Read(name string, get func(name string) ([]byte, error)) (tools []Tool, notes []string, err error) {
	data, err := get(name)
	if err != nil {
		return nil, nil, err
	}
	r := &resolver{get: get, files: map[string]*source{}, busy: map[*declaration]int{}}
	src := index(name, string(data))
	r.files[name] = src
	for _, f := range src.tools {
		t := Tool{Export: f.export, Name: f.literal, Line: f.line, Description: describe(f.doc)}
		p := &parser{toks: src.toks, at: f.at}
		args := p.arguments()
		if len(args) > 0 {
			t.Input = r.object(args[0], src)
		}
		if len(args) > 1 {
			t.Output = r.schema(args[1], src, nil)
			if len(t.Output.Types) == 0 && t.Output.Type == "" && len(t.Output.AnyOf) == 0 && t.Output.Enum == nil {
				t.Output = nil
			}
		}
		tools = append(tools, t)
	}
	return tools, r.notes, nil
}

// scope maps the parameters of a generic type to their meaning.
type scope map[string]bound

type bound struct {
	typ *node
	src *source
	env scope
}

// resolver makes schemas of types.
type resolver struct {
	get   func(string) ([]byte, error)
	files map[string]*source
	busy  map[*declaration]int
	depth int
	count int // of schemas made
	notes []string
}

func (r *resolver) note(src *source, n *node, what string) {
	text := fmt.Sprintf("%s:%d: %s", src.name, n.line, what)
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// object is the schema of arguments, which are always an object.
func (r *resolver) object(n *node, src *source) *jsonschema.Schema {
	s := r.schema(n, src, nil)
	if s.Type == "object" {
		return s
	}
	if s.Type != "" || s.AnyOf != nil || s.Enum != nil {
		r.note(src, n, "the arguments of a tool are an object, so this type says nothing of them")
	}
	return &jsonschema.Schema{Type: "object"}
}

var basic = map[string]string{"string": "string", "number": "number", "boolean": "boolean", "null": "null",
	"bigint": "integer", "object": "object"}

func (r *resolver) schema(n *node, src *source, env scope) *jsonschema.Schema {
	r.count++
	if r.depth++; r.depth > maxDepth || r.count > maxSchemas {
		r.depth--
		return &jsonschema.Schema{}
	}
	defer func() { r.depth-- }()
	switch n.op {
	case opRef:
		return r.ref(n, src, env)
	case opString:
		return &jsonschema.Schema{Type: "string", Enum: []any{n.name}}
	case opNumber:
		return &jsonschema.Schema{Type: "number", Enum: []any{number(n.name)}}
	case opArray:
		return &jsonschema.Schema{Type: "array", Items: r.schema(n.list[0], src, env)}
	case opTuple:
		return r.tuple(n, src, env)
	case opObject:
		return r.members(n, src, env)
	case opUnion:
		return r.union(n, src, env)
	case opAll:
		return r.merged(n, src, env)
	case opIndexed:
		return r.indexed(n, src, env)
	}
	r.note(src, n, "this type cannot be read as data; any value is accepted")
	return &jsonschema.Schema{}
}

func (r *resolver) tuple(n *node, src *source, env scope) *jsonschema.Schema {
	count := len(n.list)
	out := &jsonschema.Schema{Type: "array", MinItems: &count, MaxItems: &count}
	for _, e := range n.list {
		out.PrefixItems = append(out.PrefixItems, r.schema(e, src, env))
	}
	return out
}

func (r *resolver) members(n *node, src *source, env scope) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, f := range n.from {
		p := r.schema(f.typ, src, env)
		if f.name == "" {
			out.AdditionalProperties = p
			continue // an index signature
		}
		p = annotate(p, f.doc)
		if _, had := out.Properties[f.name]; !had {
			out.PropertyOrder = append(out.PropertyOrder, f.name)
		}
		out.Properties[f.name] = p
		if !f.optional && p.Default == nil && !mayBeUndefined(f.typ) {
			out.Required = append(out.Required, f.name)
		}
	}
	if len(out.Properties) == 0 {
		out.Properties = nil
	}
	if out.AdditionalProperties == nil {
		out.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	return out
}

func mayBeUndefined(n *node) bool {
	return n.op == opUnion &&
		slices.ContainsFunc(n.list, func(e *node) bool { return e.op == opRef && e.name == "undefined" })
}

// union joins literals to one list of values, and leaves out what JSON has no value for.
func (r *resolver) union(n *node, src *source, env scope) *jsonschema.Schema {
	var parts []*jsonschema.Schema
	for _, e := range n.list {
		if e.op == opRef && (e.name == "undefined" || e.name == "void") {
			continue
		}
		s := r.schema(e, src, env)
		if last := len(parts) - 1; last >= 0 && s.Enum != nil && parts[last].Enum != nil && s.Type == parts[last].Type {
			parts[last].Enum = append(parts[last].Enum, s.Enum...)
			continue
		}
		parts = append(parts, s)
	}
	switch {
	case len(parts) == 0:
		return &jsonschema.Schema{}
	case len(parts) == 1:
		return parts[0]
	case slices.ContainsFunc(parts,
		func(p *jsonschema.Schema) bool { return p.Type == "" && p.AnyOf == nil && p.Types == nil }):
		return &jsonschema.Schema{}
	}
	return &jsonschema.Schema{AnyOf: parts}
}

// merged returns an intersection: objects become one, and another type wins over an empty object (string & {}).
func (r *resolver) merged(n *node, src *source, env scope) *jsonschema.Schema {
	var out *jsonschema.Schema
	for _, e := range n.list {
		s := r.schema(e, src, env)
		switch {
		case out == nil || out.Type == "object" && len(out.Properties) == 0 && s.Type != "object":
			out = s
		case out.Type == "object" && s.Type == "object":
			out = join(out, s)
		}
	}
	return out
}

func join(a, b *jsonschema.Schema) *jsonschema.Schema {
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: b.AdditionalProperties}
	if a.AdditionalProperties != nil && a.AdditionalProperties.Not == nil {
		out.AdditionalProperties = a.AdditionalProperties
	}
	required := map[string]bool{}
	for _, s := range []*jsonschema.Schema{a, b} {
		for _, name := range s.PropertyOrder {
			if _, had := out.Properties[name]; !had {
				out.PropertyOrder = append(out.PropertyOrder, name)
			}
			out.Properties[name] = s.Properties[name]
			required[name] = slices.Contains(s.Required, name)
		}
	}
	for _, name := range out.PropertyOrder {
		if required[name] {
			out.Required = append(out.Required, name)
		}
	}
	return out
}

func (r *resolver) indexed(n *node, src *source, env scope) *jsonschema.Schema {
	of, by := r.schema(n.list[0], src, env), n.list[1]
	switch {
	case by.op == opString && of.Properties[by.name] != nil:
		return of.Properties[by.name]
	case by.op == opRef && by.name == "number" && of.Items != nil:
		return of.Items
	}
	r.note(src, n, "this type cannot be read as data; any value is accepted")
	return &jsonschema.Schema{}
}

// ref resolves a name: of a parameter, of this or an imported file, of the language.
func (r *resolver) ref(n *node, src *source, env scope) *jsonschema.Schema {
	if b, ok := env[n.name]; ok {
		return r.schema(b.typ, b.src, b.env)
	}
	if d := r.find(n.name, src, 0); d != nil {
		return r.declared(d, n, src, env)
	}
	if t, ok := basic[n.name]; ok {
		return &jsonschema.Schema{Type: t}
	}
	switch n.name {
	case "any", "unknown", "undefined", "void", "never":
		return &jsonschema.Schema{}
	case "true", "false":
		return &jsonschema.Schema{Type: "boolean", Enum: []any{n.name == "true"}}
	case "Date":
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	}
	if len(n.list) > 0 {
		if s := r.builtIn(n, src, env); s != nil {
			return s
		}
	}
	r.note(src, n, fmt.Sprintf("the type %s cannot be read as data; any value is accepted", n.name))
	return &jsonschema.Schema{}
}

// builtIn are the generic types of the language.
func (r *resolver) builtIn(n *node, src *source, env scope) *jsonschema.Schema {
	first := func() *jsonschema.Schema { return r.schema(n.list[0], src, env) }
	switch n.name {
	case "Array", "ReadonlyArray":
		return &jsonschema.Schema{Type: "array", Items: first()}
	case "Promise", "Readonly", "NonNullable", "Awaited":
		return first()
	case "Partial":
		s := first().CloneSchemas()
		s.Required = nil
		return s
	case "Required":
		s := first().CloneSchemas()
		s.Required = slices.Clone(s.PropertyOrder)
		return s
	}
	if len(n.list) < 2 {
		return nil
	}
	switch keys := literals(n.list[1]); n.name {
	case "Record":
		out := &jsonschema.Schema{Type: "object"}
		value := r.schema(n.list[1], src, env)
		names := literals(n.list[0])
		if len(names) == 0 {
			out.AdditionalProperties = value
			return out
		}
		out.Properties = map[string]*jsonschema.Schema{}
		for _, name := range names {
			out.Properties[name] = value.CloneSchemas()
		}
		out.PropertyOrder, out.Required = names, slices.Clone(names)
		out.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		return out
	case "Pick":
		return keep(first(), func(name string) bool { return slices.Contains(keys, name) })
	case "Omit":
		return keep(first(), func(name string) bool { return !slices.Contains(keys, name) })
	}
	return nil
}

// keep is an object with some of its properties.
func keep(s *jsonschema.Schema, want func(string) bool) *jsonschema.Schema {
	out := s.CloneSchemas()
	not := func(name string) bool { return !want(name) }
	for _, name := range out.PropertyOrder {
		if not(name) {
			delete(out.Properties, name)
		}
	}
	out.PropertyOrder = slices.DeleteFunc(slices.Clone(out.PropertyOrder), not)
	out.Required = slices.DeleteFunc(slices.Clone(out.Required), not)
	return out
}

// literals are the texts of a union of string literals.
func literals(n *node) (out []string) {
	switch n.op {
	case opString:
		return []string{n.name}
	case opUnion:
		for _, e := range n.list {
			out = append(out, literals(e)...)
		}
	}
	return out
}

// declared is the schema of a declaration with the arguments of a reference to it.
func (r *resolver) declared(d *declaration, n *node, src *source, env scope) *jsonschema.Schema {
	most := 1
	if len(n.list) > 0 { // a generic type may be its own argument
		most = 3
	}
	if r.busy[d] >= most {
		r.note(src, n, fmt.Sprintf("the type %s holds itself; any value is accepted there", n.name))
		return &jsonschema.Schema{}
	}
	r.busy[d]++
	defer func() { r.busy[d]-- }()
	typ := d.read()
	inner := scope{}
	for i, name := range d.params {
		if i < len(n.list) {
			inner[name] = bound{n.list[i], src, env}
		}
	}
	s := r.schema(typ, d.file, inner)
	if text := describe(d.doc); text != "" && s.Description == "" {
		s.Description = text
	}
	return s
}

// find finds a declaration by its name as a file sees it.
func (r *resolver) find(name string, src *source, hops int) *declaration {
	if d := src.decls[name]; d != nil {
		return d
	}
	if hops > 10 {
		return nil
	}
	if in, ok := src.imports[name]; ok {
		if other := r.file(src.name, in.from); other != nil {
			return r.find(in.name, other, hops+1)
		}
	}
	for _, from := range src.all {
		if other := r.file(src.name, from); other != nil {
			if d := r.find(name, other, hops+1); d != nil {
				return d
			}
		}
	}
	return nil
}

// file reads an imported file, nil when there is none.
func (r *resolver) file(from, spec string) *source {
	if !strings.HasPrefix(spec, ".") {
		return nil
	}
	for _, name := range candidates(from, spec) {
		if s, ok := r.files[name]; ok {
			return s
		}
		if data, err := r.get(name); err == nil {
			s := index(name, string(data))
			r.files[name] = s
			return s
		}
	}
	return nil
}

// describe is the text of a comment without its tags.
func describe(doc string) string {
	text, _ := split(doc)
	return text
}

// split separates the text of a comment from its tags.
func split(doc string) (text string, tags [][2]string) {
	var lines []string
	for l := range strings.SplitSeq(doc, "\n") {
		l = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "*"))
		switch {
		case strings.HasPrefix(l, "@"):
			name, value, _ := strings.Cut(l[1:], " ")
			tags = append(tags, [2]string{name, strings.TrimSpace(value)})
		case len(tags) > 0:
			tags[len(tags)-1][1] = strings.TrimSpace(tags[len(tags)-1][1] + " " + l)
		default:
			lines = append(lines, l)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), tags
}

// annotate adds what the comment of a property says.
func annotate(s *jsonschema.Schema, doc string) *jsonschema.Schema {
	if doc == "" {
		return s
	}
	text, tags := split(doc)
	out := *s
	if text != "" {
		out.Description = text
	}
	for _, t := range tags {
		tag(&out, t[0], t[1])
	}
	return &out
}

func tag(s *jsonschema.Schema, name, value string) {
	switch name {
	case "default":
		s.Default = json.RawMessage(value)
		if !json.Valid(s.Default) || s.Type == "string" && !strings.HasPrefix(value, `"`) {
			s.Default, _ = json.Marshal(value)
		}
	case "minimum":
		s.Minimum = limit(value)
	case "maximum":
		s.Maximum = limit(value)
	case "minLength":
		s.MinLength = count(value)
	case "maxLength":
		s.MaxLength = count(value)
	case "minItems":
		s.MinItems = count(value)
	case "maxItems":
		s.MaxItems = count(value)
	case "pattern":
		s.Pattern = value
	case "format":
		s.Format = value
	case "integer":
		s.Type = "integer"
	}
}

func count(value string) *int {
	n, err := strconv.Atoi(value)
	if err != nil {
		return nil
	}
	return &n
}

func limit(value string) *float64 {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return nil
	}
	return &n
}

func number(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return float64(n)
	}
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
