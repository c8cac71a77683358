package resource

import (
	"context"
	_ "embed"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed about.md
var about string

func (r *Reader) readAbout(context.Context, address) (*Content, error) {
	return asText(about), nil
}

func (r *Reader) readConfig(context.Context, address) (*Content, error) {
	return asJSON(r.Client.State())
}

func (r *Reader) readDevices(ctx context.Context, _ address) (*Content, error) {
	return asJSON(map[string]any{"devices": list(r.Hub.Devices(ctx)), "bound": r.Client.State().Device})
}

// registry is the form in which tool servers describe their tools. It leaves out what tools/list
// has.
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

// startsWith are the categories of which a new client sees something.
var startsWith = []toolset.Category{
	toolset.CoreInteraction, toolset.Navigation, toolset.Observation, toolset.Verification, toolset.Session,
	toolset.Device, toolset.Custom,
}

// groupsOf are the categories of a tool and the groups in its spec.
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

// readRegistry is the registry of all tools of the client's workspace, listed now or not.
func (r *Reader) readRegistry(context.Context, address) (*Content, error) {
	out := registry{
		Tools: map[string]registryTool{}, Groups: map[string]registryGroup{},
		ServerInfo: serverInfo{Name: "trailblaze", Version: r.Version},
	}
	for _, c := range toolset.Categories() {
		out.Groups[string(c)] = registryGroup{Description: c.Describe(), DefaultEnabled: slices.Contains(startsWith, c)}
	}
	for _, t := range r.Hub.Tools(r.Client).All() {
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

// category is a category with its tools and whether it is on.
type category struct {
	ID          toolset.Category `json:"id"`
	Description string           `json:"description"`
	On          bool             `json:"on"`
	Tools       []string         `json:"tools"`
}

func (r *Reader) readCategories(context.Context, address) (*Content, error) {
	st := r.Client.State()
	reg := r.Hub.Tools(r.Client)
	tools := map[toolset.Category][]string{}
	for _, t := range reg.All() {
		for _, c := range toolset.Of(t.Spec()) {
			tools[c] = append(tools[c], t.Spec().Name)
		}
	}
	first := r.Hub.View(r.Client, false)
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

// Kinds lists what can be read.
func Kinds() []Kind {
	return []Kind{
		{"registry", "registry", "Tool registry", "Every tool with its platforms, groups and flags.", mimeJSON,
			(*Reader).readRegistry},
		{"about", "about", "About", "What Trailblaze is, how to use it, what is known not to work.", "text/markdown",
			(*Reader).readAbout},
		{"config", "config", "Your settings", "Mode, categories, screenshot and verbosity settings of your session.",
			mimeJSON, (*Reader).readConfig},
		{"devices", "devices", "Devices", "Connected devices and those that could be connected.", mimeJSON,
			(*Reader).readDevices},
		{"tools/categories", "tool-categories", "Tool categories", "What each category holds and which are on.", mimeJSON,
			(*Reader).readCategories},
		{"sessions", "sessions", "Sessions", "Recorded sessions, newest first, running ones marked.", mimeJSON,
			(*Reader).readSessions},
		{"sessions/{id}", "session", "A session", "What one session did, in short.", mimeJSON, (*Reader).readSession},
		{"sessions/{id}/events{?after,limit}", "session-events", "Events of a session", "The event log, in pages.",
			mimeJSON, (*Reader).readEvents},
		{"sessions/{id}/recording", "session-recording", "Recording of a session",
			"The trail that saving the session would write.", mimeYAML, (*Reader).readRecording},
		{"sessions/{id}/screenshot", "session-screenshot", "Last screenshot of a session", "", "image/png",
			(*Reader).readScreenshot},
		{"sessions/{id}/blobs/{hash}", "session-blob", "A file of a session",
			"Large outputs, snapshots and screenshots, by hash.", "", (*Reader).readBlob},
		{"snapshot/{+device}", "snapshot", "Screen of a device", "What the device shows now.", "text/plain",
			(*Reader).readSnapshot},
		{"trails", "trails", "Trails", "The trail files of your workspace.", mimeJSON, (*Reader).readTrails},
		{"trails/{+path}", "trail", "A trail", "The text of a trail file.", mimeYAML, (*Reader).readTrail},
	}
}
