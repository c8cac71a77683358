package yamltool

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// Definition is the file of one tool.
type Definition struct {
	Path        string // as messages call it
	Pos         trail.Pos
	ID          string
	Description string
	Parameters  []Parameter
	Body        Body
	Flags       tool.Flags
	Asserts     bool     // is_verification: it checks something
	Category    string   // "": CUSTOM
	Platforms   []string // empty: those of the tools it calls
	Source      []byte

	doc *trail.Document
}

// Body is the body of a tool: Class, Inline or Script.
type Body interface{ body() }

// Class is another name for a registered tool.
type Class struct {
	Name string
	Pos  trail.Pos
}

// Inline is a list of calls.
type Inline struct{ Calls []trail.DocumentCall }

// Script is source that another maker runs.
type Script struct {
	Source string
	Pos    trail.Pos
	Line   int // where the source begins
}

func (Class) body()  {}
func (Inline) body() {}
func (Script) body() {}

// Parameter is an argument that the tool takes.
type Parameter struct {
	Name        string
	Type        string // string, integer, boolean or number
	Description string
	Required    bool
	Default     json.RawMessage // nil: none
	Secret      bool            // what is given is masked
	Pos         trail.Pos
}

var (
	rootKeys = []string{
		"id", "description", "parameters", "class", "tools", "script", "category", "platforms",
		"surface_to_llm", "is_recordable", "requires_host", "is_verification", "shortcut", "trailhead",
	}
	parameterKeys  = []string{"name", "type", "required", "default", "description", "secret"}
	parameterTypes = []string{"string", "integer", "boolean", "number"}
	reservedNames  = []string{"params", "args", "memory"} // the first word of tokens that name something else

	block         = regex.Lazy(`(^|\s)[|>][-+0-9]*\s*(#.*)?$`)
	parameterName = regex.Lazy(`^[A-Za-z_][A-Za-z0-9_-]*$`)
)

// Parse reads the file of a tool. The Definition is nil when nothing can be made of it; other mistakes are among the
// problems, and a Definition with an error among them makes no tool.
func Parse(path string, data []byte) (*Definition, trail.Problems) {
	doc := trail.ReadDocument(path, data)
	if doc.Root.Zero() {
		return nil, doc.Problems()
	}
	d := &Definition{Path: path, Source: data, Pos: doc.Root.Pos(), doc: doc}
	for _, e := range doc.Entries(doc.Root, "a tool file") {
		d.entry(e)
	}
	if len(doc.Problems().Errors()) == 0 || doc.Root.IsMapping() {
		d.complete()
	}
	return d, doc.Problems()
}

func (d *Definition) entry(e trail.Entry) {
	switch e.Key {
	case "id":
		d.id(e)
	case "description":
		d.Description = d.doc.Text(e.Value, "description")
	case "parameters":
		d.parameters(e)
	case "class", "tools", "script":
		d.body(e)
	case "category":
		d.Category = strings.ToUpper(d.doc.Text(e.Value, "category"))
	case "platforms":
		for _, p := range d.doc.Texts(e.Value, "platforms") {
			d.Platforms = append(d.Platforms, strings.ToLower(p))
		}
	case "surface_to_llm":
		d.flag(e, &d.Flags.ExposedToLLM)
	case "is_recordable":
		d.flag(e, &d.Flags.Recordable)
	case "is_verification":
		d.Asserts, _ = d.doc.Bool(e.Value, e.Key)
	case "requires_host", "shortcut", "trailhead": // upstream's; they have no meaning for a tool that is called here
	default:
		d.doc.Unknown(e, "", instead[e.Key], rootKeys)
	}
}

// instead maps keys that people look for to their names here.
var instead = map[string]string{
	"name": `Write "id:".`, "params": `Write "parameters:".`, "inputSchema": `Write "parameters:" with a list.`,
	"steps": `Write "tools:" with a list of calls.`, "calls": `Write "tools:" with a list of calls.`,
}

func (d *Definition) flag(e trail.Entry, to **bool) {
	if v, ok := d.doc.Bool(e.Value, e.Key); ok {
		*to = &v
	}
}

func (d *Definition) id(e trail.Entry) {
	d.Pos = e.Value.Pos()
	d.ID = d.doc.Text(e.Value, "id")
}

// body reads the one key that says what the tool does.
func (d *Definition) body(e trail.Entry) {
	if d.Body != nil {
		d.doc.Errorf(e.Pos, e.Key, "Keep one of them; a tool that does both is two tools.",
			"a tool has exactly one of class, tools and script; %s is the second", e.Key)
		return
	}
	switch e.Key {
	case "class":
		d.Body = Class{d.doc.Text(e.Value, "class"), e.Value.Pos()}
	case "tools":
		d.Body = Inline{d.doc.Calls(e.Value, "tools")}
		if e.Value.IsNull() || len(e.Value.Items()) == 0 {
			d.doc.Errorf(e.Pos, "tools", `Add a call: "- tool: {argument: value}".`, "tools has no calls")
		}
	case "script":
		d.script(e)
	}
}

func (d *Definition) script(e trail.Entry) {
	s := Script{Pos: e.Value.Pos()}
	for _, k := range d.doc.Entries(e.Value, "script") {
		if k.Key != "source" {
			d.doc.Unknown(k, "script", "", []string{"source"})
			continue
		}
		s.Source, s.Line = d.doc.Text(k.Value, "script.source"), k.Value.Pos().Line
		if lines := bytes.Split(d.Source, []byte("\n")); s.Line <= len(lines) && block().Match(lines[s.Line-1]) {
			s.Line++ // a block begins below its sign
		}
	}
	if s.Source == "" && e.Value.IsMapping() {
		d.doc.Errorf(e.Pos, "script", `Write script: {source: "…"}.`, "script has no source")
	}
	d.Body = s
}

// complete reports fields that are missing, and those that may not be there.
func (d *Definition) complete() {
	root := d.doc.Root
	if !root.IsMapping() {
		return
	}
	if d.ID == "" {
		d.doc.Errorf(d.Pos, "id", `Write "id: <namespace>_<action>", for example "id: shop_login".`, "the tool has no id")
	}
	_, class := d.Body.(Class)
	switch {
	case d.Body == nil:
		d.doc.Errorf(root.Pos(), "",
			`Add "tools:" with the calls that it makes, or "class:" with the name of a registered tool.`,
			"a tool has exactly one of class, tools and script; this one has none")
	case class:
		for _, key := range []string{"description", "parameters"} {
			if v := root.Get(key); !v.Zero() {
				d.doc.Errorf(v.Pos(), key, "Remove it.", "%s comes from the class; a tool with class: may not have its own", key)
			}
		}
	default:
		if d.Description == "" {
			d.doc.Errorf(root.Pos(), "description", `Add "description:"; it is what a model chooses the tool by.`,
				"the tool has no description")
		}
		if root.Get("parameters").Zero() {
			d.doc.Errorf(root.Pos(), "parameters", `Write "parameters: []" if it takes none.`, "the tool has no parameters")
		}
	}
}

func (d *Definition) parameters(e trail.Entry) {
	if e.Value.IsMapping() {
		d.doc.Errorf(e.Value.Pos(), "parameters", `Write "- name: …" for each.`, "parameters must be a list, not a mapping")
		return
	}
	for i, v := range d.doc.List(e.Value, "parameters", "") {
		if p, ok := d.parameter(v, i); ok {
			d.Parameters = append(d.Parameters, p)
		}
	}
}

func (d *Definition) parameter(v trail.Value, i int) (Parameter, bool) {
	field := "parameters[" + itoa(i) + "]"
	p := Parameter{Type: "string", Pos: v.Pos()}
	said := false
	for _, e := range d.doc.Entries(v, field) {
		at := field + "." + e.Key
		switch e.Key {
		case "name":
			p.Name, p.Pos = d.doc.Text(e.Value, at), e.Value.Pos()
		case "type":
			p.Type = d.doc.Text(e.Value, at)
			if !slices.Contains(parameterTypes, p.Type) {
				hint := trail.Near(p.Type, parameterTypes)
				if hint == "" {
					hint = "Write one of " + strings.Join(parameterTypes, ", ") + "."
				}
				d.doc.Errorf(e.Value.Pos(), at, hint, "%q is not the type of a parameter", p.Type)
				p.Type = "string"
			}
		case "required":
			p.Required, said = d.doc.Bool(e.Value, at)
		case "default":
			p.Default = e.Value.JSON()
		case "description":
			p.Description = d.doc.Text(e.Value, at)
		case "secret":
			p.Secret, _ = d.doc.Bool(e.Value, at)
		default:
			d.doc.Unknown(e, field, "", parameterKeys)
		}
	}
	if !said {
		p.Required = p.Default == nil
	}
	return p, d.fits(p, v, field)
}

// fits checks what one parameter says of itself.
func (d *Definition) fits(p Parameter, v trail.Value, field string) bool {
	switch {
	case !v.IsMapping():
		return false
	case p.Name == "":
		d.doc.Errorf(v.Pos(), field+".name", `Add "name:".`, "the parameter has no name")
		return false
	case !parameterName().MatchString(p.Name):
		d.doc.Errorf(p.Pos, field+".name", "Use letters, digits, underscores and dashes.",
			"%q cannot name a parameter", p.Name)
		return false
	case slices.Contains(reservedNames, p.Name):
		d.doc.Errorf(p.Pos, field+".name", "Choose another name.",
			"%q cannot name a parameter: {{%s.…}} means something else", p.Name, p.Name)
		return false
	case slices.ContainsFunc(d.Parameters, func(q Parameter) bool { return q.Name == p.Name }):
		d.doc.Errorf(p.Pos, field+".name", "Keep one of them.", "two parameters are named %q", p.Name)
		return false
	}
	if p.Default != nil && string(p.Default) != "null" && !isOf(p.Default, p.Type) {
		at := v.Get("default")
		d.doc.Errorf(at.Pos(), field+".default", "", "the default of %s is %s, but its type is %s", p.Name,
			at.Describe(), p.Type)
	}
	return true
}

// isOf reports whether a JSON value is of a parameter's type.
func isOf(raw json.RawMessage, typ string) bool {
	switch c := raw[0]; typ {
	case "string":
		return c == '"'
	case "boolean":
		return c == 't' || c == 'f'
	case "integer":
		return (c == '-' || c >= '0' && c <= '9') && !strings.ContainsAny(string(raw), ".eE")
	default:
		return c == '-' || c >= '0' && c <= '9'
	}
}

// Schema is the input schema that callers see.
func (d *Definition) Schema() *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, p := range d.Parameters {
		property := &jsonschema.Schema{Type: p.Type, Description: p.Description, WriteOnly: p.Secret}
		if p.Default != nil && string(p.Default) != "null" {
			property.Default = p.Default
		} else if p.Required {
			s.Required = append(s.Required, p.Name)
		}
		s.Properties[p.Name] = property
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
	}
	return s
}

func (d *Definition) names() []string {
	out := make([]string, 0, len(d.Parameters))
	for _, p := range d.Parameters {
		out = append(out, p.Name)
	}
	return out
}

func (d *Definition) param(name string) (Parameter, bool) {
	for _, p := range d.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	return Parameter{}, false
}
