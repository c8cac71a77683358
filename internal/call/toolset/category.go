package toolset

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Category is a set of tools that serve one purpose.
type Category string

// The categories: upstream's, and those for tools that upstream lacks.
const (
	Default         Category = "DEFAULT" // the few tools that most flows need
	CoreInteraction Category = "CORE_INTERACTION"
	Navigation      Category = "NAVIGATION"
	Observation     Category = "OBSERVATION"
	Verification    Category = "VERIFICATION"
	Memory          Category = "MEMORY"
	Session         Category = "SESSION"
	Trail           Category = "TRAIL"
	Device          Category = "DEVICE"
	Tabs            Category = "TABS"
	Files           Category = "FILES"
	Network         Category = "NETWORK"
	Storage         Category = "STORAGE"
	Script          Category = "SCRIPT"
	Mobile          Category = "MOBILE"
	Primitives      Category = "PRIMITIVES"
	Batch           Category = "BATCH"
	Authoring       Category = "AUTHORING"
	Custom          Category = "CUSTOM"
	Servers         Category = "SERVERS"
	All             Category = "ALL"
)

var about = []struct {
	c    Category
	text string
}{
	{Default, "the few tools that most flows need, of several categories"},
	{CoreInteraction, "click, hover, drag, type, clear, keys, choose, tick, scroll, wait"},
	{Navigation, "open URLs, go back, reload, where the page is, launch apps"},
	{Observation, "look at the screen: snapshots as text, pictures, details, waiting for changes"},
	{Verification, "assert what a person can see: texts, elements, values, lists, URLs, requests"},
	{Memory, "remember what the screen shows, compare it and compute with it"},
	{Session, "this session's mode, settings, tool categories, recording, jobs, metrics"},
	{Trail, "run, edit, check and list stored trails"},
	{Device, "connect and create devices, viewport, emulation, apps"},
	{Tabs, "tabs, popups, frames, dialogs"},
	{Files, "uploads and downloads"},
	{Network, "requests, mocked answers, console"},
	{Storage, "cookies, local storage, login states, app data"},
	{Script, "run JavaScript in the page"},
	{Mobile, "the cross-platform and phone forms of the tools: tap, swipe, input, clipboard"},
	{Primitives, "look and act by five tools that have one name on every platform"},
	{Batch, "several calls in one request, such as all fields of a form"},
	{Authoring, "write tools into the workspace and check them"},
	{Custom, "tools that teams added"},
	{Servers, "tools of the project's MCP servers that are listed on demand"},
	{All, "every tool for this device"},
}

// Categories lists every category, in the order they are shown.
func Categories() []Category {
	out := make([]Category, len(about))
	for i, a := range about {
		out[i] = a.c
	}
	return out
}

// Enum implements tool.Enumerated.
func (Category) Enum() []any { return values(Categories()) }

// Describe returns the purpose of a category.
func (c Category) Describe() string {
	for _, a := range about {
		if a.c == c.Canonical() {
			return a.text
		}
	}
	return ""
}

// Canonical is the category in its listed spelling.
func (c Category) Canonical() Category {
	return Category(strings.ToUpper(strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(string(c)))))
}

// presets are named choices of categories.
var presets = map[string][]Category{
	"default":  {Default},
	"minimal":  {CoreInteraction},
	"standard": {CoreInteraction, Navigation, Observation},
	"testing":  {CoreInteraction, Navigation, Observation, Verification, Memory},
	"all":      {All},
}

// Preset finds a preset by name: default, minimal, standard, testing, all.
func Preset(name string) ([]Category, bool) {
	c, ok := presets[strings.ToLower(name)]
	return slices.Clone(c), ok
}

// DefaultCategories are those of a new client.
func DefaultCategories() []Category { return []Category{Default} }

// With adds a category to a list.
func With(on []Category, c Category) []Category {
	if len(on) == 0 {
		on = DefaultCategories()
	}
	if slices.Contains(on, c.Canonical()) {
		return slices.Clone(on)
	}
	return append(slices.Clone(on), c.Canonical())
}

// Without removes a category from a list. The last one leaves the tools that are always there.
func Without(on []Category, c Category) []Category {
	if len(on) == 0 {
		on = DefaultCategories()
	}
	return slices.DeleteFunc(slices.Clone(on), func(have Category) bool { return have.Canonical() == c.Canonical() })
}

func values[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}

// Summary describes the tools of a category, and their cost in a client's context.
type Summary struct {
	Category Category `json:"category"`
	About    string   `json:"about"`
	On       bool     `json:"on"`
	Tools    []string `json:"tools"`
	Bytes    int      `json:"bytes"` // of a tools/list
}

// ListSize is about how many bytes a tools/list of these tools has.
func ListSize(specs []*tool.Spec) int {
	n := len(`{"tools":[]}`)
	for _, s := range specs {
		n += Size(s) + 1
	}
	return n
}
