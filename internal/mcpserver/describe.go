package mcpserver

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// listed is a tool as MCP lists it, the same for every client.
func (s *Server) listed(spec *tool.Spec) *mcp.Tool { return s.tools.Of(spec, describe) }

// describe is a tool as MCP lists it.
func describe(spec *tool.Spec) *mcp.Tool {
	hints := toolset.HintsOf(spec)
	t := &mcp.Tool{
		Name: spec.Name, Title: hints.Title, Description: spec.Description, InputSchema: toolset.Trim(spec),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: hints.ReadOnly, IdempotentHint: hints.Idempotent, DestructiveHint: &hints.Destructive,
			OpenWorldHint: &hints.OpenWorld,
		},
	}
	if out := outputSchema(toolset.Output(spec)); out != nil {
		t.OutputSchema = out
	}
	if flags := flagsOf(spec); len(flags) > 0 {
		t.Meta = flags
	}
	return t
}

// flagsOf are the flags that differ from their defaults, under upstream's names.
func flagsOf(spec *tool.Spec) mcp.Meta {
	m := mcp.Meta{}
	if !spec.Recordable {
		m["trailblaze/isRecordable"] = false
	}
	if spec.Delegating {
		m["trailblaze/isDelegating"] = true
	}
	if len(spec.Platforms) > 0 && !(len(spec.Platforms) == 1 &&
		strings.HasPrefix(spec.Name, string(spec.Platforms[0])+"_")) {
		m["trailblaze/supportedPlatforms"] = spec.Platforms
	}
	if len(spec.Drivers) > 0 {
		m["trailblaze/supportedDrivers"] = spec.Drivers
	}
	return m
}

// outputSchema describes a tool's structured content, nil when none is listed. It requires nothing:
// a call that became a job returns only the job's id, and clients validate results.
func outputSchema(full *jsonschema.Schema) *jsonschema.Schema {
	if full == nil || full.Type != "object" {
		return nil
	}
	out := *full
	out.Required = nil
	out.Properties = maps.Clone(out.Properties)
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	out.Properties["job"] = &jsonschema.Schema{Type: "string"}
	if len(out.PropertyOrder) > 0 {
		out.PropertyOrder = append(slices.Clone(out.PropertyOrder), "job")
	}
	return &out
}
