package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// toolCache keeps what is listed for a tool: it is the same for every seat, and the SDK compares nothing.
type toolCache struct {
	mu   sync.Mutex
	made map[*tool.Spec]*mcp.Tool
}

// sync brings what the MCP server lists into line with what the seat sees. The SDK tells clients once for changes that come
// together, and we change nothing that stays: one list_changed for one change, none for none (R194, R197).
func (h *host) sync() {
	h.mu.Lock()
	defer h.mu.Unlock()
	want := map[string]*mcp.Tool{}
	for _, spec := range h.visible() {
		want[spec.Name] = h.s.tools.listed(spec)
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

func describe(spec *tool.Spec) *mcp.Tool {
	return &mcp.Tool{Name: spec.Name, Title: spec.Title, Description: spec.Description, InputSchema: spec.Input}
}

func (h *host) visible() []*tool.Spec {
	var out []*tool.Spec
	for _, t := range h.s.o.Hub.Tools(h.seat).All() {
		out = append(out, t.Spec())
	}
	return out
}

// unlisted answers a call of a tool that exists but is not listed: a model that guessed right is told how to get it.
func (h *host) unlisted(name string) (*mcp.CallToolResult, error) {
	return nil, nil
}

func groupsOf(spec *tool.Spec) []string {
	if spec.Groups == nil {
		return []string{}
	}
	return spec.Groups
}

func (h *host) readCategories(context.Context, address) ([]*mcp.ResourceContents, error) {
	return asJSON(map[string]any{"categories": nil})
}
