package script

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed lib/scripting.d.ts
var scriptingTypes string

// TSConfig is the base of a project's tsconfig.json, so that an editor knows the types. It is beside Declarations.
const TSConfig = `{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
    "lib": ["es2023"], "types": [], "strict": true, "noEmit": true
  },
  "include": ["./*.d.ts", "../**/tools/**/*.ts"]
}
`

// Declarations returns the types that scripts are checked against: the modules that they import, and each of these
// tools as a method of ctx.tools.
func Declarations(tools []tool.Tool) string {
	var b strings.Builder
	b.WriteString(scriptingTypes)
	b.WriteString("\ndeclare module \"@trailblaze/scripting\" {\n  export interface Tools {\n")
	for _, t := range tools {
		s := t.Spec()
		w := &typeWriter{root: s.Input.Get()}
		comment(&b, s.Description, "    ")
		args := "args"
		if s.Input == nil || len(s.Input.Get().Required) == 0 {
			args = "args?"
		}
		fmt.Fprintf(&b, "    %s(%s: %s): Promise<", s.Name, args, w.of(s.Input.Get(), "    "))
		w = &typeWriter{root: s.Output.Get()}
		if s.Output == nil {
			b.WriteString("any")
		} else {
			b.WriteString(w.of(s.Output.Get(), "    "))
		}
		b.WriteString(">;\n")
	}
	b.WriteString("  }\n}\n")
	return b.String()
}

func comment(b *strings.Builder, text, indent string) {
	if text = strings.TrimSpace(strings.ReplaceAll(text, "*/", "* /")); text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	if len(lines) == 1 {
		fmt.Fprintf(b, "%s/** %s */\n", indent, text)
		return
	}
	fmt.Fprintf(b, "%s/**\n", indent)
	for _, l := range lines {
		fmt.Fprintf(b, "%s\n", strings.TrimRight(indent+" * "+l, " "))
	}
	fmt.Fprintf(b, "%s */\n", indent)
}

// maxTypeDepth bounds how deep a schema is written out.
const maxTypeDepth = 12

// typeWriter writes schemas as types.
type typeWriter struct {
	root  *jsonschema.Schema
	depth int
}

func (w *typeWriter) of(s *jsonschema.Schema, indent string) string {
	if w.depth++; w.depth > maxTypeDepth || s == nil {
		w.depth--
		return "any"
	}
	defer func() { w.depth-- }()
	switch {
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		if d := w.root.Defs[name]; d != nil {
			return w.of(d, indent)
		}
		return "any"
	case s.Const != nil:
		return literal(*s.Const)
	case len(s.Enum) > 0:
		return w.either(s.Enum, literal)
	case len(s.AnyOf) > 0:
		return w.union(s.AnyOf, indent)
	case len(s.OneOf) > 0:
		return w.union(s.OneOf, indent)
	case len(s.Types) > 0:
		var parts []*jsonschema.Schema
		for _, t := range s.Types {
			one := *s
			one.Types, one.Type = nil, t
			parts = append(parts, &one)
		}
		return w.union(parts, indent)
	}
	return w.plain(s, indent)
}

func (w *typeWriter) plain(s *jsonschema.Schema, indent string) string {
	switch s.Type {
	case "string", "boolean", "null":
		return s.Type
	case "number", "integer":
		return "number"
	case "array":
		if len(s.PrefixItems) > 0 {
			var parts []string
			for _, p := range s.PrefixItems {
				parts = append(parts, w.of(p, indent))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		return "Array<" + w.of(s.Items, indent) + ">"
	case "object":
		return w.object(s, indent)
	}
	if len(s.Properties) > 0 {
		return w.object(s, indent)
	}
	return "any"
}

func (w *typeWriter) union(list []*jsonschema.Schema, indent string) string {
	var parts []string
	for _, s := range list {
		if t := w.of(s, indent); !slices.Contains(parts, t) {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " | ")
}

func (w *typeWriter) either(values []any, write func(any) string) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, write(v))
	}
	return strings.Join(parts, " | ")
}

func literal(v any) string {
	raw, err := json.Marshal(v)
	if err != nil || len(raw) == 0 || raw[0] == '{' || raw[0] == '[' {
		return "any"
	}
	return string(raw)
}

var plainKey = regex.Lazy(`^[A-Za-z_$][\w$]*$`)

func (w *typeWriter) object(s *jsonschema.Schema, indent string) string {
	open := s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil
	if len(s.Properties) == 0 {
		if open {
			return "Record<string, " + w.of(s.AdditionalProperties, indent) + ">"
		}
		if s.AdditionalProperties != nil {
			return "{}"
		}
		return "Record<string, any>"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		comment(&b, p.Description, indent+"  ")
		key, optional := name, "?"
		if !plainKey().MatchString(name) {
			key = literal(name)
		}
		if slices.Contains(s.Required, name) {
			optional = ""
		}
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, key, optional, w.of(p, indent+"  "))
	}
	if open {
		fmt.Fprintf(&b, "%s  [name: string]: any;\n", indent)
	}
	b.WriteString(indent + "}")
	return b.String()
}
