package main

import (
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scriptKind is the type of a single value of a field.
func scriptKind(d protoreflect.FieldDescriptor) string {
	switch d.Kind() {
	case protoreflect.BoolKind:
		return "boolean"
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.EnumKind,
		protoreflect.Int64Kind, protoreflect.Uint64Kind: // as JSON writes them
		return "string"
	case protoreflect.MessageKind:
		switch d.Message().FullName() {
		case "google.protobuf.Struct":
			return "Record<string, unknown>"
		case "google.protobuf.Value":
			return "unknown"
		case "google.protobuf.ListValue":
			return "unknown[]"
		case "google.protobuf.Timestamp":
			return "string"
		}
		return string(d.Message().Name())
	default:
		return "number"
	}
}

func scriptType(d protoreflect.FieldDescriptor, choices []string) string {
	switch {
	case d.IsMap():
		return "Record<string, " + scriptKind(d.MapValue()) + ">"
	case d.IsList():
		return scriptKind(d) + "[]"
	case len(choices) > 0:
		return "'" + strings.Join(choices, "' | '") + "'"
	}
	return scriptKind(d)
}

func writeTypeScript(g *protogen.GeneratedFile, c contract) {
	g.P("// Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.")
	g.P()
	g.P("/** Carries out a call, and gives its response. */")
	g.P("export type Caller = (procedure: string, args: object) => Promise<any>;")
	g.P("/** The same for a procedure that gives any number of responses. */")
	g.P("export type Streamer = (procedure: string, args: object) => AsyncGenerator<any>;")
	g.P()
	g.P("const named = (args: unknown, name: string): object =>")
	g.P("  typeof args === 'object' && args !== null ? args : { [name]: args };")
	g.P("const byName = <T>(args: T, method: string, param: string): T & object => {")
	g.P("  if (typeof args === 'object' && args !== null) return args;")
	g.P("  throw new TypeError(`${method} takes one object with its arguments: ${method}({ ${param}: … })`);")
	g.P("};")
	for _, m := range c.messages {
		scriptInterface(g, m.GoIdent.GoName, m.Fields)
	}
	for _, s := range c.services {
		for _, m := range s.methods {
			if m.inner == "" { // else another method has the request, too
				scriptRequest(g, m)
			}
		}
		scriptService(g, s)
	}
	scriptDevice(g, c)
}

// scriptDevice writes the class of the commands for every device, with the backends of one.
func scriptDevice(g *protogen.GeneratedFile, c contract) {
	g.P("\n/** A device. A backend is null when the device is of another platform. */")
	g.P("export abstract class Device extends TrailblazeCommands {")
	g.P("  abstract readonly platform: string;")
	for _, s := range c.services {
		if name := s.attribute(); name != "" && s.platforms() == nil {
			g.P("  readonly ", name, " = new ", s.name, "(this.call, this.stream);")
		}
	}
	for _, s := range c.services {
		if on := s.platforms(); on != nil {
			g.P("\n  get ", s.attribute(), "(): ", s.name, " | null {")
			has := "['" + strings.Join(on, "', '") + "'].includes(this.platform)"
			g.P("    return ", has, " ? new ", s.name, "(this.call, this.stream) : null;")
			g.P("  }")
		}
	}
	g.P("}")
}

func scriptInterface(g *protogen.GeneratedFile, name string, fields []*protogen.Field) {
	g.P()
	g.P("export interface ", name, " {")
	for _, f := range fields {
		scriptDoc(g, text(f.Comments.Leading))
		g.P("  ", f.Desc.JSONName(), "?: ", scriptType(f.Desc, nil), ";")
	}
	g.P("}")
}

func scriptRequest(g *protogen.GeneratedFile, m method) {
	g.P()
	g.P("export interface ", m.request.GoIdent.GoName, " {")
	for _, p := range m.params {
		scriptDoc(g, text(p.Comments.Leading))
		optional := "?"
		if p.required {
			optional = ""
		}
		g.P("  ", p.Desc.JSONName(), optional, ": ", scriptType(p.Desc, p.choices), ";")
	}
	g.P("}")
}

func scriptService(g *protogen.GeneratedFile, s service) {
	g.P()
	g.P("/** ", commented(s.doc), " */")
	g.P("export class ", s.name, " {")
	g.P("  constructor(protected readonly call: Caller, protected readonly stream: Streamer) {}")
	for _, m := range s.methods {
		g.P()
		scriptDoc(g, m.doc)
		name, request := strings.ToLower(m.name[:1])+m.name[1:], m.request.GoIdent.GoName
		optional, args, pass := " = {}", request, "args"
		if len(m.params) > 0 && m.params[0].positional {
			// one parameter by its place, or all by their names
			alone := len(m.params) == 1 || !m.params[1].positional
			if t := scriptType(m.params[0].Desc, m.params[0].choices); alone && (t == "string" || t == "number") {
				args, pass = t+" | "+request, "named(args, '"+m.params[0].Desc.JSONName()+"')"
			}
			if m.params[0].required {
				optional = ""
			}
		}
		result, take := m.result.GoIdent.GoName, ""
		if m.value != nil {
			result, take = scriptResult(m)
		}
		if pass == "args" && len(m.params) > 0 {
			pass = "byName(args, '" + name + "', '" + m.params[0].Desc.JSONName() + "')"
		}
		if m.inner != "" {
			pass = "{ " + m.inner + ": " + pass + " }"
		}
		if m.streams {
			g.P("  ", name, "(args: ", args, optional, "): AsyncGenerator<", result, "> {")
			g.P("    return this.stream('", m.procedure, "', ", pass, ");")
			g.P("  }")
			continue
		}
		g.P("  async ", name, "(args: ", args, optional, "): Promise<", result, "> {")
		if take == "" {
			g.P("    return this.call('", m.procedure, "', ", pass, ");")
		} else {
			g.P("    return (await this.call('", m.procedure, "', ", pass, "))", take, ";")
		}
		g.P("  }")
	}
	g.P("}")
}

// scriptResult is the type of what a query gives, and how to take it out of the response.
func scriptResult(m method) (result, take string) {
	take = "." + m.value.Desc.JSONName()
	switch t := scriptType(m.value.Desc, nil); t {
	case "boolean":
		return t, take + " ?? false"
	case "number":
		return t, take + " ?? 0"
	case "string":
		return t + " | null", take + " ?? null"
	default:
		return t, take
	}
}

func scriptDoc(g *protogen.GeneratedFile, doc string) {
	if doc != "" {
		g.P("  /** ", commented(doc), " */")
	}
}

func commented(s string) string { return strings.ReplaceAll(s, "*/", "*\\/") }
