package yamltool

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/tool/argument"
	"github.com/trailblaze-dev/trailblaze/trail"
)

func itoa(i int) string { return strconv.Itoa(i) }

// call checks a call of the body against the tool that it calls: written values by the schema, tokens by the type of
// their values.
func (d *Definition) call(c trail.DocumentCall, called *tool.Spec, mistake func(json.RawMessage) error) {
	before := len(d.doc.Problems().Errors())
	if !c.Args.Zero() {
		d.tokens(c.Args, c.Field, called.Input.Get())
	}
	wrong, err := argument.Lint(called.Name, called.Input.Get(), c.Call.Args)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	if mistake != nil && len(wrong) == 0 && len(d.doc.Problems().Errors()) == before {
		if err := mistake(c.Call.Args); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	for _, w := range wrong {
		at, field := d.place(c, w)
		d.doc.Errorf(at, field, "trailblaze toolbox "+called.Name+" shows its arguments.", "%s: %s", called.Name, w)
	}
}

var inMessage = regex.Lazy(`parameter ([\w.\[\]-]+)`)

// place returns the position of the argument that a message is about.
func (d *Definition) place(c trail.DocumentCall, message string) (trail.Pos, string) {
	m := inMessage().FindStringSubmatch(message)
	if m == nil {
		return c.Pos, c.Field
	}
	path := steps(m[1])
	if c.Args.Zero() || c.Args.IsNull() {
		return c.Pos, c.Field + "." + m[1]
	}
	for _, e := range c.Args.Entries() {
		if e.Key == path[0] {
			return c.Args.At(path...).Pos(), c.Field + "." + m[1]
		}
	}
	return c.Pos, c.Field + "." + m[1]
}

// tokens checks the tokens in a value that goes where schema says what may be; nil: anything may.
func (d *Definition) tokens(v trail.Value, field string, schema *jsonschema.Schema) {
	if text, ok := v.Text(); ok {
		d.text(v, text, field, schema)
		return
	}
	for _, e := range v.Entries() {
		var inner *jsonschema.Schema
		if schema != nil {
			inner = schema.Properties[e.Key]
		}
		d.tokens(e.Value, field+"."+e.Key, inner)
	}
	for i, it := range v.Items() {
		var inner *jsonschema.Schema
		if schema != nil {
			inner = schema.Items
		}
		d.tokens(it, field+"["+itoa(i)+"]", inner)
	}
}

var braces = regex.Lazy(`\{\{[^{}]+\}\}`)

// computed refuses what looks like an expression of a parameter, which would reach the called tool as it is written.
func (d *Definition) computed(v trail.Value, text, field string) {
	for _, in := range braces().FindAllString(text, -1) {
		words := strings.FieldsFunc(in, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		named := slices.ContainsFunc(words, func(w string) bool {
			_, declared := d.param(w)
			return declared
		})
		if named && len(memory.TokensIn(in)) == 0 {
			d.doc.Errorf(v.Pos(), field, "A list of calls puts values in and computes sums such as {{count + 1}}. Compute more "+
				"in a script: {source: …}, or write the tool in TypeScript.", "%s is no token", in)
		}
	}
}

func (d *Definition) text(v trail.Value, text, field string, schema *jsonschema.Schema) {
	d.computed(v, text, field)
	for _, t := range memory.TokensIn(text) {
		name, explicit := t.Param()
		if name == "" {
			continue
		}
		if p, declared := d.param(name); declared {
			d.putIn(v, t, p, field, schema)
		} else if explicit {
			hint := trail.Near(name, d.names())
			if hint == "" {
				hint = `Declare it under "parameters:".`
			}
			d.doc.Errorf(v.Pos(), field, hint, "token {{%s}}: no parameter %q is declared", t.Name, name)
		}
	}
}

// putIn checks a token of a parameter.
func (d *Definition) putIn(v trail.Value, t memory.Token, p Parameter, field string, schema *jsonschema.Schema) {
	switch {
	case strings.TrimPrefix(t.Name, "params.") != p.Name:
		d.doc.Errorf(v.Pos(), field, "Write {{"+p.Name+"}}.", "token {{%s}}: parameter %s is of type %s, which has no fields",
			t.Name, p.Name, p.Type)
	case t.Computed:
		d.summand(v, t, p, field, schema)
	case t.FullText && !takes(schema, p.Type) && !takes(schema, "string"): // a scalar can be a text
		d.doc.Errorf(v.Pos(), field, "", "parameter %s is of type %s, but %s takes %s", p.Name, p.Type, field, kinds(schema))
	case !t.FullText && !takes(schema, "string"):
		d.doc.Errorf(v.Pos(), field, `A token that is the whole value keeps its type: "{{`+p.Name+`}}".`,
			"%s takes %s, but a token inside a longer text makes a text", field, kinds(schema))
	}
}

// summand checks a parameter that a sum reads.
func (d *Definition) summand(v trail.Value, t memory.Token, p Parameter, field string, schema *jsonschema.Schema) {
	switch {
	case p.Secret:
		d.doc.Errorf(v.Pos(), field, "", "nothing can be computed of parameter %s, which is a secret", p.Name)
	case p.Type != "integer" && p.Type != "number":
		d.doc.Errorf(v.Pos(), field, "", "nothing can be computed of parameter %s, which is of type %s", p.Name, p.Type)
	case t.FullText && !takes(schema, "number") && !takes(schema, "string"):
		d.doc.Errorf(v.Pos(), field, "", "a sum is a number, but %s takes %s", field, kinds(schema))
	}
}

// takes reports whether a value of a type may stand where schema says what may be.
func takes(s *jsonschema.Schema, typ string) bool {
	if s == nil {
		return true
	}
	if types := typesOf(s); len(types) > 0 {
		return slices.Contains(types, typ) || typ == "integer" && slices.Contains(types, "number") ||
			typ == "number" && slices.Contains(types, "integer") // 3.0 is an integer; the call itself is checked again
	}
	ways := slices.Concat(s.AnyOf, s.OneOf)
	return len(ways) == 0 || slices.ContainsFunc(ways, func(w *jsonschema.Schema) bool { return takes(w, typ) })
}

func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

func kinds(s *jsonschema.Schema) string {
	if types := typesOf(s); len(types) > 0 {
		return strings.Join(types, " or ")
	}
	var all []string
	for _, w := range slices.Concat(s.AnyOf, s.OneOf) {
		all = append(all, kinds(w))
	}
	return strings.Join(all, " or ")
}
