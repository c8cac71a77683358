package contract

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/phrase"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
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

// Lock keeps the number that each field of a message was given: it never changes, and is never given again.
type Lock map[string]map[string]int

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

// Proto is the text of commands.proto: each tool is a method with typed arguments. New fields get their numbers in
// lock; those that went are reserved.
func Proto(specs []*tool.Spec, lock Lock) (string, error) {
	g := &generator{lock: lock, seen: map[string]*jsonschema.Schema{}, clash: map[string]bool{}}
	specs = slices.Clone(specs)
	slices.SortFunc(specs, func(a, b *tool.Spec) int { return cmp.Compare(a.Name, b.Name) })
	g.survey(specs)
	methods := map[string][]string{}
	taken := g.methods(specs)
	for _, s := range specs {
		methods[OfService(s)] = append(methods[OfService(s)], g.method(s, taken[s.Name]))
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
	made     map[string]bool               // shared messages that are written already
	seen     map[string]*jsonschema.Schema // the first nested object under a name
	clash    map[string]bool               // names under which objects differ
	asked    bool                          // requests are being written: their rules matter
	err      error
}

// survey finds which nested objects are the same wherever they occur: those become one message.
func (g *generator) survey(specs []*tool.Spec) {
	g.made = map[string]bool{}
	var walk func(name string, s *jsonschema.Schema)
	walk = func(name string, s *jsonschema.Schema) {
		if s == nil {
			return
		}
		if kind(s) == "array" {
			walk(name, s.Items)
			return
		}
		if !typed(s) {
			return
		}
		key := pascal(name)
		if old, ok := g.seen[key]; ok && shape(old) != shape(s) {
			g.clash[key] = true
		}
		g.seen[key] = s
		for n, p := range s.Properties {
			walk(n, p)
		}
	}
	for _, s := range specs {
		for _, top := range []*jsonschema.Schema{s.Input, s.Output} {
			if top != nil {
				for n, p := range top.Properties {
					walk(n, p)
				}
			}
		}
	}
}

// methods gives each tool the name of its method. Where two of a service would have the same one, the tool with the
// service's prefix keeps its whole name.
func (g *generator) methods(specs []*tool.Spec) map[string]string {
	short := func(s *tool.Spec) string {
		for _, v := range services {
			if v.prefix != "" && v.name == OfService(s) {
				return pascal(strings.TrimPrefix(s.Name, v.prefix))
			}
		}
		return pascal(s.Name)
	}
	count := map[string]int{}
	for _, s := range specs {
		count[OfService(s)+"."+short(s)]++
	}
	out := map[string]string{}
	for _, s := range specs {
		out[s.Name] = short(s)
		if count[OfService(s)+"."+short(s)] > 1 {
			out[s.Name] = pascal(s.Name)
		}
	}
	return out
}

func (g *generator) method(s *tool.Spec, name string) string {
	in, out := pascal(s.Name)+"Request", "ActionResult"
	g.request(s, in)
	if s.Output != nil {
		out = pascal(s.Name) + "Response"
		g.response(s, out)
	}
	return fmt.Sprintf("%s  rpc %s(%s) returns (%s) {\n    option (tool) = %q;\n  }\n",
		comment(sentence(s.Description), "  "), name, in, out, s.Name)
}

func (g *generator) request(s *tool.Spec, name string) {
	g.asked = true
	lines := []string{
		"  // The device to act on. Empty: the client's own, or the only one.", "  string device_id = 1;",
		"  // The session that the call belongs to. A device that is in another session refuses the call.",
		"  string session_id = 2;", "  CallOptions options = 3;",
	}
	g.message(name, fmt.Sprintf("%s holds the arguments of %s.", name, s.Name), lines, requestFields, s.Input)
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
	g.message(name, fmt.Sprintf("%s is what %s gives.", name, s.Name), lines, fixed, s.Output)
}

// message writes a message with the properties of an object as its fields.
func (g *generator) message(name, about string, lines []string, fixed []fixedField, s *jsonschema.Schema) {
	numbers := g.lock[name]
	if numbers == nil {
		numbers = map[string]int{}
		g.lock[name] = numbers
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
	label, of := "optional ", p
	if kind(p) == "array" && kind(p.Items) != "array" {
		label, of = "repeated ", p.Items
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

// rules are what protovalidate holds a value to.
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
			out = append(out, fmt.Sprintf("(buf.validate.field).%s.lte = %v", name, *p.Maximum))
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
			return g.nested(message, prop, p)
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

// nested makes a message of an object inside of another. One that is the same everywhere is made once.
func (g *generator) nested(message, prop string, p *jsonschema.Schema) string {
	name := pascal(prop)
	if g.clash[name] || slices.Contains(handwritten, name) {
		name = message + name
	}
	if !g.made[name] {
		g.made[name] = true
		g.message(name, name+" is a part of arguments or results.", nil, nil, p)
	}
	return name
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

// typed says whether a schema is of objects whose properties are known.
func typed(s *jsonschema.Schema) bool {
	return kind(s) == "object" && len(s.Properties) > 0
}

// shape is what makes two objects the same message.
func shape(s *jsonschema.Schema) string {
	c := map[string]any{}
	for n, p := range s.Properties {
		of := p
		for kind(of) == "array" {
			of = of.Items
		}
		c[n] = kind(p) + "/" + kind(of)
		if typed(of) {
			c[n] = shape(of)
		}
	}
	text, _ := json.Marshal(c)
	return string(text)
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

// camel is the name that JSON gives to a field by itself.
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
