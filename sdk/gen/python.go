package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// reserved are the words of Python that nothing can be called.
var reserved = []string{
	"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
	"elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
	"nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
}

func pythonName(name string) string {
	if slices.Contains(reserved, name) {
		return name + "_"
	}
	return name
}

// pythonKind is the type of a single value of a field.
func pythonKind(d protoreflect.FieldDescriptor) string {
	switch d.Kind() {
	case protoreflect.BoolKind:
		return "bool"
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.EnumKind,
		protoreflect.Int64Kind, protoreflect.Uint64Kind: // as JSON writes them
		return "str"
	case protoreflect.DoubleKind, protoreflect.FloatKind:
		return "float"
	case protoreflect.MessageKind:
		switch d.Message().FullName() {
		case "google.protobuf.Struct":
			return "dict[str, Any]"
		case "google.protobuf.Value":
			return "Any"
		case "google.protobuf.ListValue":
			return "list[Any]"
		case "google.protobuf.Timestamp":
			return "str"
		}
		return fmt.Sprintf("%q", d.Message().Name())
	default:
		return "int"
	}
}

func pythonType(d protoreflect.FieldDescriptor, choices []string) string {
	switch {
	case d.IsMap():
		return "dict[str, " + pythonKind(d.MapValue()) + "]"
	case d.IsList():
		return "list[" + pythonKind(d) + "]"
	case len(choices) > 0:
		return `Literal["` + strings.Join(choices, `", "`) + `"]`
	}
	return pythonKind(d)
}

func writePython(g *protogen.GeneratedFile, c contract) {
	g.P("# Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.")
	g.P(`"""The commands of Trailblaze, typed. Responses are dictionaries with the keys of their JSON."""`)
	g.P()
	g.P("from __future__ import annotations")
	g.P()
	g.P("from abc import abstractmethod")
	g.P("from collections.abc import AsyncIterator, Awaitable, Callable, Iterator")
	g.P("from typing import Any, Literal, NoReturn, TypedDict, TypeVar, cast")
	g.P()
	g.P("__tracebackhide__ = True  # of pytest")
	g.P()
	g.P(`Self = TypeVar("Self")`)
	g.P("# What carries out a procedure with its arguments, and gives its response, or all of them.")
	g.P("Caller = Callable[[str, dict[str, Any]], dict[str, Any]]")
	g.P("Streamer = Callable[[str, dict[str, Any]], Iterator[dict[str, Any]]]")
	g.P("AsyncCaller = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]")
	g.P("AsyncStreamer = Callable[[str, dict[str, Any]], AsyncIterator[dict[str, Any]]]")
	g.P()
	g.P()
	g.P("def given(**args: Any) -> dict[str, Any]:")
	g.P("    return {name.rstrip('_'): value for name, value in args.items() if value is not None}")
	g.P("\n\ndef by_name(method: str, params: str, unnamed: tuple[object, ...]) -> None:")
	g.P("    if unnamed:")
	g.P(`        raise TypeError(f"{method} takes its arguments by their names: {method}({params})")`)
	for _, m := range c.messages {
		pythonMessage(g, m)
	}
	for _, s := range c.services {
		pythonService(g, s, "", "")
		pythonService(g, s, "Async", "async ")
	}
	pythonDevice(g, c, "")
	pythonDevice(g, c, "Async")
	g.P("\n\n__all__ = [")
	for _, m := range c.messages {
		g.P(`    "`, m.GoIdent.GoName, `",`)
	}
	g.P("]")
}

// pythonDevice writes the class of the commands for every device, with the backends of one.
func pythonDevice(g *protogen.GeneratedFile, c contract, prefix string) {
	g.P("\n\nclass ", prefix, "Device(", prefix, "TrailblazeCommands):")
	g.P(`    """A device. A backend is None when the device is of another platform."""`)
	g.P("\n    platform: str")
	pythonInit(g, prefix)
	g.P("        super().__init__(call, stream)")
	for _, s := range c.services {
		if name := s.attribute(); name != "" && s.platforms() == nil {
			g.P("        self.", name, " = ", prefix, s.name, "(call, stream)")
		}
	}
	async, a := "", ""
	if prefix != "" {
		async, a = "async ", "a"
	}
	g.P("\n    ", async, "def __", a, "enter__(self: Self) -> Self:")
	g.P("        return self")
	g.P("\n    ", async, "def __", a, "exit__(self, *_: object) -> None:")
	g.P("        ", strings.Replace(async, "async", "await", 1), "self.close()")
	g.P("\n    @abstractmethod")
	g.P("    ", async, `def close(self) -> None:`)
	g.P(`        """Ends the connections that it has."""`)
	for _, s := range c.services {
		if on := s.platforms(); on != nil {
			g.P("\n    @property")
			g.P("    def ", s.attribute(), "(self) -> ", prefix, s.name, " | None:")
			has := `if self.platform in ["` + strings.Join(on, `", "`) + `"] else None`
			g.P("        return ", prefix, s.name, "(self._call, self._stream) ", has)
		}
	}
}

func pythonInit(g *protogen.GeneratedFile, prefix string) {
	g.P("\n    def __init__(self, call: ", prefix, "Caller, stream: ", prefix, "Streamer) -> None:")
}

// pythonMessage writes the functional form, because a key may be a word of the language.
func pythonMessage(g *protogen.GeneratedFile, m *protogen.Message) {
	g.P()
	g.P(m.GoIdent.GoName, ` = TypedDict("`, m.GoIdent.GoName, `", {`)
	for _, f := range m.Fields {
		g.P(`    "`, f.Desc.JSONName(), `": `, pythonType(f.Desc, nil), ",")
	}
	g.P("}, total=False)")
}

func pythonService(g *protogen.GeneratedFile, s service, prefix, async string) {
	g.P()
	g.P()
	g.P("class ", prefix, s.name, ":")
	g.P(`    """`, quoted(s.doc), `"""`)
	pythonInit(g, prefix)
	g.P("        self._call, self._stream = call, stream")
	for _, m := range s.methods {
		g.P()
		params := strings.Join(pythonParams(m), ", ")
		result := pythonResult(m)
		async := async
		if m.streams {
			async, result = "", prefix+"Iterator["+result+"]"
		}
		g.P("    ", async, "def ", pythonName(snake(m.name)), "(", params, ") -> ", result, ":")
		g.P(`        """`, quoted(m.doc), `"""`)
		wait := ""
		if async != "" {
			wait = "await "
		}
		var args []string
		for _, p := range m.params {
			name := pythonName(string(p.Desc.Name()))
			value := name
			if p.alias != "" {
				value = name + " if " + name + " is not None else " + p.alias
			}
			args = append(args, name+"="+value)
		}
		if len(m.params) > 0 && !m.params[0].positional {
			g.P("        by_name(", fmt.Sprintf("%q, %q", snake(m.name), strings.Join(names(args), "=…, ")+"=…"), ", unnamed)")
		}
		pass := "given(" + strings.Join(args, ", ") + ")"
		if m.inner != "" {
			pass = `{"` + m.inner + `": ` + pass + "}"
		}
		if m.streams {
			g.P("        return cast(", result, `, self._stream("`, m.procedure, `", `, pass, "))")
			continue
		}
		g.P("        response = ", wait, `self._call("`, m.procedure, `", `, pass, ")")
		g.P("        return ", pythonReturn(m))
	}
}

// names are those of arguments that are passed on.
func names(args []string) (out []string) {
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		out = append(out, name)
	}
	return out
}

func pythonParams(m method) []string {
	out := []string{"self"}
	star := false
	for i, p := range m.params {
		if !p.positional && !star {
			out, star = append(out, "*"+map[bool]string{true: "unnamed: NoReturn"}[i == 0]), true
		}
		t := pythonType(p.Desc, p.choices)
		name := pythonName(string(p.Desc.Name()))
		if p.required && p.alias == "" {
			out = append(out, name+": "+t)
			continue
		}
		out = append(out, name+": "+t+" | None = None")
		if p.alias != "" {
			if !star {
				out, star = append(out, "*"), true
			}
			out = append(out, p.alias+": "+t+" | None = None")
		}
	}
	return out
}

func pythonResult(m method) string {
	switch {
	case m.value == nil:
		return m.result.GoIdent.GoName
	case m.value.Desc.Name() == "text":
		return "str | None"
	}
	return pythonType(m.value.Desc, nil)
}

func pythonReturn(m method) string {
	if m.value == nil {
		return "cast(" + m.result.GoIdent.GoName + ", response)"
	}
	get := `response.get("` + m.value.Desc.JSONName() + `")`
	switch pythonResult(m) {
	case "bool", "int":
		return pythonResult(m) + "(" + get + " or 0)"
	}
	return get
}

// awaiting is what the client with `await` writes otherwise than the one without.
var awaiting = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`^"""[^"]*"""`), "# Code generated from _client.py by sdk/gen. DO NOT EDIT.\n" +
		`"""The client without ` + "`await`" + `: generated commands over Connect's JSON."""`},
	{regexp.MustCompile(`        self.sampling = .*\n`), ""}, // MCP's sessions are for those that await
	{regexp.MustCompile(`\bSampling, `), ""},
	{regexp.MustCompile(`\b(async|await) `), ""},
	{regexp.MustCompile(`\bAsync|\ba(close|read|iter_raw)\b`), "$1"},
	{regexp.MustCompile(`\bTrailblazeClient\b`), "SyncTrailblazeClient"},
}

// writeSync writes the client of Python without `await`, which is made of the one with it.
func writeSync(g *protogen.GeneratedFile) error {
	const from = "../sdk/python/src/trailblaze/_client.py" // buf runs in the folder of the contract
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(string(data))
	for _, a := range awaiting {
		text = a.pattern.ReplaceAllString(text, a.text)
	}
	g.P(text)
	return nil
}

// quoted is a text that can stand between three quotes.
func quoted(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"""`, `'''`)
	if strings.HasSuffix(s, `"`) {
		s += " "
	}
	return s
}
