package mcpserver

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// toolCache keeps how tools are listed: it is the same for every seat.
type toolCache struct {
	mu   sync.Mutex
	made map[*tool.Spec]*mcp.Tool
}

func (c *toolCache) listed(spec *tool.Spec) *mcp.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.made[spec]; t != nil {
		return t
	}
	if c.made == nil || len(c.made) >= maxDescribed {
		c.made = map[*tool.Spec]*mcp.Tool{}
	}
	t := describe(spec)
	c.made[spec] = t
	return t
}

// maxDescribed bounds the tools that are kept, of all workspaces there were.
const maxDescribed = 8192

// describe is a tool as MCP lists it.
func describe(spec *tool.Spec) *mcp.Tool {
	hints := toolset.HintsOf(spec)
	t := &mcp.Tool{
		Name: spec.Name, Title: hints.Title, Description: spec.Description, InputSchema: toolset.Trim(spec),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: hints.ReadOnly, IdempotentHint: hints.Idempotent, DestructiveHint: &hints.Destructive, OpenWorldHint: &hints.OpenWorld,
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

// flagsOf are the flags that differ from what is taken for granted (R99), under upstream's names.
func flagsOf(spec *tool.Spec) mcp.Meta {
	m := mcp.Meta{}
	if !spec.Recordable {
		m["trailblaze/isRecordable"] = false
	}
	if spec.Delegating {
		m["trailblaze/isDelegating"] = true
	}
	if len(spec.Platforms) > 0 && !(len(spec.Platforms) == 1 && strings.HasPrefix(spec.Name, string(spec.Platforms[0])+"_")) {
		m["trailblaze/supportedPlatforms"] = spec.Platforms
	}
	if len(spec.Drivers) > 0 {
		m["trailblaze/supportedDrivers"] = spec.Drivers
	}
	return m
}

// outputSchema is what a tool's structured content looks like, nil when none is listed. Nothing is required of it: a call that
// became a job has only that to tell, and clients check what they get.
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
