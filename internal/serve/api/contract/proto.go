package contract

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// The services that tools become methods of. A tool whose name begins with a service's prefix belongs to it.
const (
	Core       = "TrailblazeCommands"
	Mobile     = "MobileCommands"
	Web        = "WebCommands"
	Desktop    = "DesktopCommands"
	Management = "ManagementCommands"
)

var services = []struct{ name, prefix, about string }{
	{Core, "", "holds the commands that work on devices of every kind."},
	{Mobile, "mobile_", "is the backend of phones and tablets. GetBackends says whether a device has it."},
	{Web, "web_", "is the backend of browsers. GetBackends says whether a device has it."},
	{Desktop, "desktop_", "is the backend of desktop programs. GetBackends says whether a device has it."},
	{Management, "", "manages devices, sessions, trails and settings. Its commands need no device."},
}

// Lock keeps the numbers and names that were given once, so that a change of one tool leaves the methods and messages
// of the others alone.
type Lock struct {
	// The number of each field, by message and field: it never changes, and is never given again.
	Fields map[string]map[string]int
	// The method of each tool, with its service.
	Methods map[string]string
	// The message of each nested object, by the message and field that hold it. Two entries with one name share it.
	Messages map[string]string
}

// The fields that every request and every response has.
var (
	requestFields  = []fixedField{{"device_id", 1}, {"session_id", 2}, {"options", 3}}
	responseFields = []fixedField{{"success", 1}, {"failure", 2}, {"call", 3}}
)

type fixedField struct {
	name   string
	number int
}

const firstFree = 4

// OfService is the service that a tool belongs to.
func OfService(s *tool.Spec) string {
	if slices.Contains(s.Groups, toolset.ManageGroup) {
		return Management
	}
	for _, v := range services {
		if v.prefix != "" && strings.HasPrefix(s.Name, v.prefix) {
			return v.name
		}
	}
	if len(s.Platforms) == 1 && s.Platforms[0] == driver.WebPlatform {
		return Web
	}
	return Core
}

// Proto returns the text of commands.proto: each tool is a method with typed arguments. New ones get their numbers and
// names in lock; removed fields are reserved.
func Proto(specs []*tool.Spec, lock Lock) (string, error) {
	g := &generator{lock: lock, parts: map[string]*jsonschema.Schema{}, made: map[string]bool{}}
	specs = slices.Clone(specs)
	slices.SortFunc(specs, func(a, b *tool.Spec) int { return cmp.Compare(a.Name, b.Name) })
	for _, s := range specs {
		g.survey(pascal(s.Name)+"Request", s.Input.Get())
		g.survey(pascal(s.Name)+"Response", s.Output.Get())
	}
	methods := map[string][]string{}
	for _, s := range specs {
		methods[OfService(s)] = append(methods[OfService(s)], g.method(s))
	}
	var b strings.Builder
	b.WriteString(head)
	for _, v := range services {
		fmt.Fprintf(&b, "\n// %s %s\nservice %s {\n%s}\n", v.name, v.about, v.name, strings.Join(methods[v.name], "\n"))
	}
	for _, m := range g.messages {
		b.WriteString("\n" + m)
	}
	return b.String(), g.err
}

const head = `// Code generated from the specs of the tools. DO NOT EDIT.

syntax = "proto3";

package trailblaze.v1;

import "buf/validate/validate.proto";
import "google/protobuf/struct.proto";
import "trailblaze/v1/annotations.proto";
import "trailblaze/v1/types.proto";

option go_package = "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/commands;commandsv1";
`

type generator struct {
	lock     Lock
	messages []string
	parts    map[string]*jsonschema.Schema // the objects of each nested message, merged
	made     map[string]bool               // nested messages that are written already
	asked    bool                          // requests are being written: their rules matter
	err      error
}

// survey names the nested objects of a message, and merges those that share a name: their message has the fields of
// all.
func (g *generator) survey(message string, s *jsonschema.Schema) {
	if s == nil {
		return
	}
	for _, prop := range order(s) {
		_, of := element(s.Properties[prop])
		if !typed(of) {
			continue
		}
		name := g.nested(message, prop)
		if have := g.parts[name]; have == nil {
			g.parts[name] = of
		} else {
			g.parts[name] = g.merged(name, have, of)
		}
		g.survey(name, of)
	}
}

// merged returns an object with the properties of two. It requires only properties that both require.
func (g *generator) merged(name string, a, b *jsonschema.Schema) *jsonschema.Schema {
	out := *a
	out.Properties, out.PropertyOrder = maps.Clone(a.Properties), slices.Clone(order(a))
	for _, prop := range order(b) {
		have, ok := a.Properties[prop]
		if !ok {
			out.Properties[prop] = b.Properties[prop]
			out.PropertyOrder = append(out.PropertyOrder, prop)
			continue
		}
		listed, of := element(have)
		also, other := element(b.Properties[prop])
		if listed != also || kind(of) != kind(other) || typed(of) != typed(other) {
			g.err = fmt.Errorf("%s, which two objects share, has %s with two types; name them apart in names.json", name, prop)
		}
	}
	optional := func(p string) bool { return !slices.Contains(b.Required, p) }
	out.Required = slices.DeleteFunc(slices.Clone(a.Required), optional)
	return &out
}

// rpc is the name of a tool's method: that of the tool without the prefix of its service, or with it where another tool
// has the short one already.
func (g *generator) rpc(s *tool.Spec) string {
	service, short := OfService(s), s.Name
	for _, v := range services {
		if v.name == service {
			short = strings.TrimPrefix(s.Name, v.prefix)
		}
	}
	given := g.lock.Methods[s.Name]
	if !strings.HasPrefix(given, service+".") {
		given = ""
		taken := slices.Collect(maps.Values(g.lock.Methods))
		for _, name := range []string{short, s.Name} {
			if full := service + "." + pascal(name); given == "" && !slices.Contains(taken, full) {
				given = full
			}
		}
		if given == "" {
			g.err = fmt.Errorf("another tool has the method of %s in %s; give it a name in names.json", s.Name, service)
		}
		g.lock.Methods[s.Name] = given
	}
	return strings.TrimPrefix(given, service+".")
}

func (g *generator) method(s *tool.Spec) string {
	in, out := pascal(s.Name)+"Request", "ActionResult"
	g.request(s, in)
	if s.Output != nil {
		out = pascal(s.Name) + "Response"
		g.response(s, out)
	}
	return fmt.Sprintf("%s  rpc %s(%s) returns (%s) {\n    option (tool) = %q;\n  }\n",
		comment(sentence(s.Description), "  "), g.rpc(s), in, out, s.Name)
}

func (g *generator) request(s *tool.Spec, name string) {
	g.asked = true
	lines := []string{
		"  // The device to act on. Empty: the client's own, or the only one.", "  string device_id = 1;",
		"  // The session that the call belongs to. A device that is in another session refuses the call.",
		"  string session_id = 2;", "  CallOptions options = 3;",
	}
	g.message(name, fmt.Sprintf("%s holds the arguments of %s.", name, s.Name), lines, requestFields, s.Input.Get())
}

func (g *generator) response(s *tool.Spec, name string) {
	g.asked = false
	var lines []string
	fixed := responseFields
	if s.Kind == tool.Action {
		lines = append(lines, "  bool success = 1;", "  // Why it failed; not set on success.",
			"  optional Failure failure = 2;")
	} else {
		fixed = responseFields[2:] // a query or assertion that fails is an error of the call
	}
	lines = append(lines, "  CallInfo call = 3;")
	g.message(name, fmt.Sprintf("%s is what %s gives.", name, s.Name), lines, fixed, s.Output.Get())
}

// message writes a message with the properties of an object as its fields.
func (g *generator) message(name, about string, lines []string, fixed []fixedField, s *jsonschema.Schema) {
	numbers := g.lock.Fields[name]
	if numbers == nil {
		numbers = map[string]int{}
		g.lock.Fields[name] = numbers
	}
	for _, f := range fixed {
		numbers[f.name] = f.number
	}
	at := len(g.messages)
	g.messages = append(g.messages, "")
	known := map[string]bool{}
	for _, f := range fixed {
		known[f.name] = true
	}
	for _, prop := range order(s) {
		p := s.Properties[prop]
		field := snake(prop)
		if slices.ContainsFunc(fixed, func(f fixedField) bool { return f.name == field }) {
			continue // the argument of that name is meant
		}
		if known[field] {
			g.err = fmt.Errorf("message %s has two fields %s", name, field)
		}
		known[field] = true
		n := g.number(numbers, field, len(fixed) > 0)
		if p.Description != "" {
			lines = append(lines, strings.TrimSuffix(comment(p.Description, "  "), "\n"))
		}
		lines = append(lines, g.field(name, prop, field, n, p, slices.Contains(s.Required, prop)))
	}
	lines = append(reserved(numbers, known), lines...)
	g.messages[at] = fmt.Sprintf("// %s\nmessage %s {\n%s\n}\n", about, name, strings.Join(lines, "\n"))
}

// number is the number of a field, the next free one when it is new.
func (g *generator) number(numbers map[string]int, field string, withFixed bool) int {
	if n, ok := numbers[field]; ok {
		return n
	}
	next := 1
	if withFixed {
		next = firstFree
	}
	for n := range maps.Values(numbers) {
		next = max(next, n+1)
	}
	numbers[field] = next
	return next
}

// reserved keeps names and numbers of fields that went.
func reserved(numbers map[string]int, known map[string]bool) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if !known[name] {
			out = append(out, fmt.Sprintf("  reserved %d;\n  reserved %q;", numbers[name], name))
		}
	}
	return out
}

func (g *generator) field(message, prop, field string, n int, p *jsonschema.Schema, required bool) string {
	label := "optional "
	listed, of := element(p)
	if listed {
		label = "repeated "
	}
	name := g.typeOf(message, prop, of)
	if strings.HasPrefix(name, "map<") {
		label = ""
	}
	var options []string
	if camel(field) != prop {
		options = append(options, fmt.Sprintf("json_name = %q", prop))
	}
	if required && g.asked && label == "optional " {
		options = append(options, "(buf.validate.field).required = true")
	}
	if g.asked && label == "optional " {
		options = append(options, rules(name, p)...)
	}
	end := ""
	if len(options) > 0 {
		end = " [" + strings.Join(options, ", ") + "]"
	}
	return fmt.Sprintf("  %s%s %s = %d%s;", label, name, field, n, end)
}

// rules returns protovalidate's rules for a value.
func rules(name string, p *jsonschema.Schema) []string {
	var out []string
	if name == "string" && len(p.Enum) > 0 {
		var in []string
		for _, v := range p.Enum {
			text, ok := v.(string)
			if !ok {
				return nil
			}
			in = append(in, fmt.Sprintf("%q", text))
		}
		out = append(out, "(buf.validate.field).string = {in: ["+strings.Join(in, ", ")+"]}")
	}
	if name == "int32" || name == "double" {
		if p.Minimum != nil {
			out = append(out, fmt.Sprintf("(buf.validate.field).%s.gte = %v", name, *p.Minimum))
		}
		if p.Maximum != nil {
			out = append(out, fmt.Sprintf("(buf.validate.field).%s.lte = %s", name,
				strconv.FormatFloat(*p.Maximum, 'f', -1, 64)))
		}
	}
	return out
}

// long are the properties whose integers can pass 32 bits.
var long = []string{"bytes", "duration", "seq"}

func (g *generator) typeOf(message, prop string, p *jsonschema.Schema) string {
	switch kind(p) {
	case "string":
		return "string"
	case "boolean":
		return "bool"
	case "number":
		return "double"
	case "integer":
		if slices.Contains(long, prop) {
			return "int64"
		}
		return "int32"
	case "array":
		return "google.protobuf.ListValue"
	case "object":
		switch {
		case typed(p):
			name := g.nested(message, prop)
			if !g.made[name] {
				g.made[name] = true
				g.message(name, name+" is a part of arguments or results.", nil, nil, g.parts[name])
			}
			return name
		case p.AdditionalProperties != nil && kind(p.AdditionalProperties) == "string":
			return "map<string, string>"
		}
		return "google.protobuf.Struct"
	}
	return "google.protobuf.Value"
}

// handwritten are the messages of the other files.
var handwritten = []string{
	"Backend", "CallInfo", "CallOptions", "Content", "Event", "Failure", "Image", "NextCall", "Observation", "Progress",
	"Session", "Tool", "ToolResult",
}

// nested is the name of the message of an object inside of another. A new one is called after both.
func (g *generator) nested(message, prop string) string {
	key := message + "." + snake(prop)
	name, ok := g.lock.Messages[key]
	if !ok {
		name = message + pascal(prop)
		if _, taken := g.lock.Fields[name]; taken || slices.Contains(handwritten, name) {
			g.err = fmt.Errorf("there is a message %s already; name that of %s in names.json", name, key)
		}
		g.lock.Messages[key] = name
	}
	return name
}

// element returns the schema of a field's values, and whether the field has many. A list of lists is one value.
func element(p *jsonschema.Schema) (listed bool, of *jsonschema.Schema) {
	if kind(p) == "array" && kind(p.Items) != "array" {
		return true, p.Items
	}
	return false, p
}

// kind is the type of a schema, whether or not it may be null.
func kind(s *jsonschema.Schema) string {
	if s == nil {
		return ""
	}
	if s.Type != "" {
		return s.Type
	}
	types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	if len(types) == 1 {
		return types[0]
	}
	return ""
}

// typed reports whether a schema is of objects whose properties are known.
func typed(s *jsonschema.Schema) bool {
	return kind(s) == "object" && len(s.Properties) > 0
}

func order(s *jsonschema.Schema) []string {
	if s == nil {
		return nil
	}
	if len(s.PropertyOrder) == len(s.Properties) {
		return s.PropertyOrder
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

// snake is a name as fields of messages are called: timeoutMs is timeout_ms.
func snake(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		if unicode.IsUpper(r) {
			before := i > 0 && (unicode.IsLower(rs[i-1]) || unicode.IsDigit(rs[i-1]))
			after := i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) && unicode.IsUpper(rs[i-1])
			if before || after {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// camel returns the default JSON name of a field.
func camel(field string) string {
	parts := strings.Split(field, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// pascal is a name as messages and methods are called: web_click is WebClick.
func pascal(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// sentence is the first sentence of a description.
func sentence(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	return strings.Join(strings.Fields(phrase.FirstSentence(text)), " ")
}

const width = 110

// comment breaks a text into the lines of a comment.
func comment(text, indent string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	line := indent + "//"
	for w := range strings.FieldsSeq(text) {
		if len(line)+1+len(w) > width && line != indent+"//" {
			b.WriteString(line + "\n")
			line = indent + "//"
		}
		line += " " + w
	}
	return b.String() + line + "\n"
}
