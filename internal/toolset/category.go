package toolset

import (
	"slices"
	"strings"
)

// Category is a set of tools that a seat can have listed (R203, R204).
type Category string

// The categories. The first seven and All are upstream's names.
const (
	CoreInteraction Category = "CORE_INTERACTION"
	Navigation      Category = "NAVIGATION"
	Observation     Category = "OBSERVATION"
	Verification    Category = "VERIFICATION"
	Memory          Category = "MEMORY"
	Session         Category = "SESSION"
	Everyday        Category = "DEFAULT"
	Tabs            Category = "TABS"
	Network         Category = "NETWORK"
	Files           Category = "FILES"
	Storage         Category = "STORAGE"
	Script          Category = "SCRIPT"
	Device          Category = "DEVICE"
	Mobile          Category = "MOBILE"
	Trail           Category = "TRAIL"
	Custom          Category = "CUSTOM"
	All             Category = "ALL"
)

// CategoryInfo is what a client reads about a category before it has it listed.
type CategoryInfo struct {
	ID          Category `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
}

var categories = []CategoryInfo{
	{Everyday, "Default", "the few tools that most work needs: go to a page, look, click, type, choose, check a text"},
	{CoreInteraction, "Act", "click, hover, drag, type, clear, press keys, choose, tick, scroll, wait"},
	{Navigation, "Go places", "open a URL, history, where the page is, dialogs, scrolling to a text"},
	{Observation, "Look", "snapshots as text, pictures, details, what a search finds"},
	{Verification, "Check", "assertions on texts, elements, values, lists, URLs and requests"},
	{Memory, "Remember", "keep what the screen shows under a name, compare, calculate"},
	{Session, "Session", "the session's mode, settings, tool categories, jobs and metrics"},
	{Tabs, "Tabs", "list, open, switch and close tabs and frames"},
	{Network, "Network", "requests, mocked answers, console"},
	{Files, "Files", "upload, downloads"},
	{Storage, "Storage", "cookies and login state"},
	{Script, "Script", "run script in the page"},
	{Device, "Device", "choose, size and emulate devices, start and stop apps"},
	{Mobile, "Mobile", "the tools for phones: tap, swipe, inputText, keyboard, apps, clipboard"},
	{Trail, "Trails", "write, save, check and run trails"},
	{Custom, "Custom", "this project's own tools"},
	{All, "All", "every tool for this device"},
}

// Categories lists all categories, in the order they are shown.
func Categories() []CategoryInfo { return slices.Clone(categories) }

// Enum implements tool.Enumerated.
func (Category) Enum() []any {
	out := make([]any, len(categories))
	for i, c := range categories {
		out[i] = c.ID
	}
	return out
}

// Canonical is the category in the case and with the separators that it is listed in.
func (c Category) Canonical() Category {
	return Category(strings.ToUpper(strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(string(c)))))
}

// Info is what a client reads about the category; the zero value when there is no such category.
func (c Category) Info() CategoryInfo {
	for _, info := range categories {
		if info.ID == c.Canonical() {
			return info
		}
	}
	return CategoryInfo{}
}

// Preset is a named choice of categories.
type Preset string

// The presets.
const (
	Default    Preset = "DEFAULT"
	Minimal    Preset = "MINIMAL"
	Standard   Preset = "STANDARD"
	Testing    Preset = "TESTING"
	Everything Preset = "ALL"
)

// Presets lists all presets.
func Presets() []Preset { return []Preset{Default, Minimal, Standard, Testing, Everything} }

// Enum implements tool.Enumerated.
func (Preset) Enum() []any { return values(Presets()) }

// Categories are the categories that the preset turns on; none when there is no such preset.
func (p Preset) Categories() []Category {
	switch Preset(strings.ToUpper(string(p))) {
	case Default:
		return []Category{Everyday}
	case Minimal:
		return []Category{CoreInteraction}
	case Standard:
		return []Category{CoreInteraction, Navigation, Observation}
	case Testing:
		return []Category{CoreInteraction, Navigation, Observation, Verification, Memory}
	case Everything:
		return []Category{All}
	}
	return nil
}

// DefaultCategories is what a new seat has on.
func DefaultCategories() []Category { return Default.Categories() }
