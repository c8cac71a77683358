package config

import (
	"maps"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// FileSchema describes trailblaze.yaml, of a project and of its user, for editors.
func FileSchema() *jsonschema.Schema {
	defaults := map[string]*jsonschema.Schema{}
	for _, k := range Keys() {
		defaults[k.Name] = k.schema()
	}
	settings := keysOf("settings", defaults)
	names := func(about string) *jsonschema.Schema {
		items := &jsonschema.Schema{Types: []string{"string", "object"}}
		return &jsonschema.Schema{Description: about,
			AnyOf: []*jsonschema.Schema{text(""), {Type: "array", Items: items}}}
	}
	providers := &jsonschema.Schema{
		Description: "servers of language models: by name, or a list of them and of files of one",
		AnyOf:       []*jsonschema.Schema{{Type: "object", AdditionalProperties: anyOf(providerKeys)}, {Type: "array"}}}
	models := anyOf(modelKeys)
	models.Description, models.Properties["providers"] = "language models", providers
	servers := &jsonschema.Schema{Description: "external MCP servers: a list, or a mapping of names to servers",
		AnyOf: []*jsonschema.Schema{{Type: "array", Items: serverSchema("name")},
			{Type: "object", AdditionalProperties: serverSchema()}}}
	root := keysOf("", map[string]*jsonschema.Schema{
		"defaults": settings, "llm": models, "providers": providers, "mcpServers": servers, "mcp_servers": servers,
		"targets":  names("ids of the targets to load; default: all that are found"),
		"toolsets": names("listed for every target: ids, files, or mappings with id and tools"),
		"tools":    names("tools that are listed whatever categories are on, and folders of tools"),
	})
	for top, name := range topSettings {
		root.Properties[top] = defaults[name]
	}
	root.Schema, root.Title = "http://json-schema.org/draft-07/schema#", "Trailblaze settings"
	return root
}

// schema describes the value of a setting.
func (k Key) schema() *jsonschema.Schema {
	s := text(k.Help + " (" + string(k.Owner) + ")")
	switch k.Kind {
	case "int":
		s.Types, s.Type = nil, "integer"
	case "bool":
		s.Types, s.Type = nil, "boolean"
	case "string":
		for _, c := range choices[k.Name] {
			s.Types, s.Type, s.Enum = nil, "string", append(s.Enum, c)
		}
	}
	return s
}

func text(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Description: strings.TrimSpace(about), Types: []string{"string", "number", "boolean"}}
}

// serverSchema describes a server, which must have these keys.
func serverSchema(required ...string) *jsonschema.Schema {
	s := anyOf(serverKeys)
	s.Required = required
	texts := &jsonschema.Schema{Type: "array", Items: text("")}
	pairs := &jsonschema.Schema{Type: "object", AdditionalProperties: text("")}
	maps.Copy(s.Properties, map[string]*jsonschema.Schema{
		"name": text("what it is called"), "command": text("the program to start; not for http"), "args": texts, "env": pairs,
		"url": text("of a server that runs already"), "headers": pairs, "secrets": texts,
		"transport": {Type: "string", Enum: []any{"stdio", "http"},
			Description: "stdio starts a program, http connects to a url"},
		"listed": {Type: "string", Enum: []any{"always", "demand"}}, "sampling": {Type: "boolean"},
		"timeout": text("of a call, such as 30s"), "workingDir": text("folder below the workspace"),
		"tools": anyOf(toolsKeys), "prefix": text("what its tools begin with here"),
	})
	return s
}

// anyOf describes a mapping that has these keys, with any values.
func anyOf(names []string) *jsonschema.Schema {
	of := map[string]*jsonschema.Schema{}
	for _, name := range names {
		of[name] = &jsonschema.Schema{}
	}
	return keysOf("", of)
}

func keysOf(about string, of map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{Description: about, Types: []string{"object", "null"}, Properties: of,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}
