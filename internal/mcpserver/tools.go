package mcpserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// view is what the seat sees now (R197).
func (h *host) view(st hub.SeatState) toolset.View {
	v := toolset.View{
		Mode: st.Mode, Categories: st.Categories, Prefix: st.Prefix, Target: st.Target, HasModel: h.s.o.Hub.Thinker() != nil,
	}
	if st.Device == "" {
		return v
	}
	for _, d := range h.s.o.Hub.Status().Devices {
		if d.ID == st.Device {
			v.Platform, v.Driver = driver.Platform(d.Platform), d.Driver
		}
	}
	return v
}

// changed says whether a change of the seat can change what is listed.
func changed(before, after hub.SeatState) bool {
	return before.Mode != after.Mode || before.Prefix != after.Prefix || before.Device != after.Device ||
		before.Target != after.Target || before.Workspace != after.Workspace || !slices.Equal(before.Categories, after.Categories)
}

// sync brings what the MCP server lists into line with what the seat sees. The SDK tells clients once for changes that come
// together, and we change nothing that stays: one list_changed for one change, none for none (R194, R197).
func (h *host) sync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.seat.State() // read under the lock: of two syncs the later one must not go by an older state
	want := map[string]*mcp.Tool{}
	for _, spec := range h.view(st).Specs(h.s.o.Hub.Tools(h.seat)) {
		want[spec.Name] = h.s.tools.listed(spec)
	}
	if h.jobs {
		if spec := h.spec(jobTool); spec != nil {
			want[jobTool] = h.s.tools.listed(spec)
		}
	}
	var gone []string
	for name := range h.listed {
		if want[name] == nil {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		h.mcp.RemoveTools(gone...)
	}
	for name, t := range want {
		if h.listed[name] != t {
			h.mcp.AddTool(t, h.call)
		}
	}
	h.listed = want
}

// jobTool is how a client gets at the result of a call that became a job.
const jobTool = "job"

// offerJobs lists the job tool from the first job on, whatever else is listed: a client was just told to call it.
func (h *host) offerJobs() {
	h.mu.Lock()
	h.jobs = true
	h.mu.Unlock()
	h.sync()
}

// unlisted answers a call of a tool that exists but is not listed: a model that guessed right is told how to get it.
func (h *host) unlisted(name string) *mcp.CallToolResult {
	h.mu.Lock()
	_, listed := h.listed[name]
	h.mu.Unlock()
	if listed {
		return nil
	}
	why := h.view(h.seat.State()).Explain(h.s.o.Hub.Tools(h.seat), name)
	if why == "" {
		return nil // there is none of that name, or it is being listed this moment
	}
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: why}},
		Meta:    mcp.Meta{metaKey: map[string]any{"trailblazeSessionId": h.seat.Handle()}},
	}
}

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
	if c.made == nil {
		c.made = map[*tool.Spec]*mcp.Tool{}
	}
	t := describe(spec)
	c.made[spec] = t
	return t
}

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
	if len(spec.Platforms) > 0 {
		m["trailblaze/supportedPlatforms"] = spec.Platforms
	}
	if len(spec.Drivers) > 0 {
		m["trailblaze/supportedDrivers"] = spec.Drivers
	}
	return m
}

// maxOutputSchema bounds the output schemas that are listed, in bytes: what a model reads with every list.
const maxOutputSchema = 700

func size(s *jsonschema.Schema) int {
	body, err := json.Marshal(s)
	if err != nil {
		return maxOutputSchema + 1
	}
	return len(body)
}

// outputSchema is what a tool's structured content looks like, nil when it has none, or a large one. Nothing is required of it: a call that
// became a job has only that to tell, and clients check what they get.
func outputSchema(full *jsonschema.Schema) *jsonschema.Schema {
	if full == nil || full.Type != "object" || size(full) > maxOutputSchema {
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

// category is shown with what is in it and whether it is on.
type category struct {
	ID          toolset.Category `json:"id"`
	Description string           `json:"description"`
	On          bool             `json:"on"`
	Tools       []string         `json:"tools"`
}

func (h *host) readCategories(context.Context, address) ([]*mcp.ResourceContents, error) {
	on := h.seat.State().Categories
	tools := map[toolset.Category][]string{}
	for _, t := range h.s.o.Hub.Tools(h.seat).All() {
		for _, c := range toolset.Of(t.Spec()) {
			tools[c] = append(tools[c], t.Spec().Name)
		}
	}
	var out []category
	for _, c := range toolset.Categories() {
		out = append(out, category{c, c.Describe(), slices.Contains(on, c), tools[c]})
	}
	return asJSON(map[string]any{"categories": out, "defaultProfile": len(on) == 0})
}
