package mcpserver

import (
	"context"
	_ "embed"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed about.md
var about string

func (h *host) readAbout(context.Context, address) ([]*mcp.ResourceContents, error) {
	return asText(about), nil
}

func (h *host) readConfig(context.Context, address) ([]*mcp.ResourceContents, error) {
	return asJSON(h.seat.State())
}

func (h *host) readDevices(ctx context.Context, _ address) ([]*mcp.ResourceContents, error) {
	return asJSON(map[string]any{"devices": list(h.s.o.Hub.Devices(ctx)), "bound": h.seat.State().Device})
}

// registry is the form in which tool servers tell about their tools (R94). tools/list has the rest; nothing is said twice
// (R96).
type registry struct {
	Tools      map[string]registryTool  `json:"tools"`
	Groups     map[string]registryGroup `json:"groups"`
	ServerInfo serverInfo               `json:"serverInfo"`
}

type registryTool struct {
	Platforms    []driver.Platform `json:"platforms"` // none: all
	Groups       []string          `json:"groups"`
	ExposedToLLM bool              `json:"exposedToLlm"`
	Recordable   bool              `json:"isRecordable"`
	Delegating   bool              `json:"isDelegating"`
}

type registryGroup struct {
	Description    string `json:"description"`
	DefaultEnabled bool   `json:"defaultEnabled"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// startsWith are the categories of which a new seat sees something.
var startsWith = []toolset.Category{
	toolset.CoreInteraction, toolset.Navigation, toolset.Observation, toolset.Verification, toolset.Session, toolset.Device, toolset.Custom,
}

// groupsOf are the categories of a tool, and the groups it names itself.
func groupsOf(spec *tool.Spec) []string {
	var out []string
	for _, c := range toolset.Of(spec) {
		out = append(out, string(c))
	}
	for _, g := range spec.Groups {
		if !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// readRegistry is the registry of everything the seat's workspace has, listed now or not (R93, R101).
func (h *host) readRegistry(context.Context, address) ([]*mcp.ResourceContents, error) {
	out := registry{
		Tools: map[string]registryTool{}, Groups: map[string]registryGroup{},
		ServerInfo: serverInfo{Name: "trailblaze", Version: h.s.version()},
	}
	for _, c := range toolset.Categories() {
		out.Groups[string(c)] = registryGroup{Description: c.Describe(), DefaultEnabled: slices.Contains(startsWith, c)}
	}
	for _, t := range h.s.o.Hub.Tools(h.seat).All() {
		spec := t.Spec()
		rt := registryTool{
			Platforms: spec.Platforms, Groups: groupsOf(spec), ExposedToLLM: spec.ExposedToLLM,
			Recordable: spec.Recordable, Delegating: spec.Delegating,
		}
		if rt.Platforms == nil {
			rt.Platforms = []driver.Platform{}
		}
		for _, g := range rt.Groups {
			if _, ok := out.Groups[g]; !ok {
				out.Groups[g] = registryGroup{}
			}
		}
		out.Tools[spec.Name] = rt
	}
	return asJSON(out)
}

// category is shown with what is in it and whether it is on.
type category struct {
	ID          toolset.Category `json:"id"`
	Description string           `json:"description"`
	On          bool             `json:"on"`
	Tools       []string         `json:"tools"`
}

func (h *host) readCategories(context.Context, address) ([]*mcp.ResourceContents, error) {
	st := h.seat.State()
	reg := h.s.o.Hub.Tools(h.seat)
	tools := map[toolset.Category][]string{}
	for _, t := range reg.All() {
		for _, c := range toolset.Of(t.Spec()) {
			tools[c] = append(tools[c], t.Spec().Name)
		}
	}
	first := h.view(st)
	first.Categories = toolset.DefaultCategories()
	for _, spec := range first.Specs(reg) {
		tools[toolset.Default] = append(tools[toolset.Default], spec.Name)
	}
	tools[toolset.All] = reg.Names()
	on := st.Categories
	if len(on) == 0 {
		on = toolset.DefaultCategories()
	}
	var out []category
	for _, c := range toolset.Categories() {
		out = append(out, category{c, c.Describe(), slices.Contains(on, c), list(tools[c])})
	}
	return asJSON(map[string]any{"categories": out})
}
