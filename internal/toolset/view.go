package toolset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// View is what decides which tools a seat sees (R197).
type View struct {
	Mode       Mode
	Categories []Category // none: DEFAULT
	Platform   driver.Platform
	Driver     string
	Prefix     string // only tools of this namespace, beside the house's own
	HasModel   bool   // runPrompt and its kind work
}

func presets() map[string][]Category {
	return map[string][]Category{
		"default":  {Default},
		"minimal":  {CoreInteraction},
		"standard": {CoreInteraction, Navigation, Observation},
		"testing":  {CoreInteraction, Navigation, Observation, Verification, Memory, Trail, Tabs, Files, Network, Storage},
		"all":      {All},
	}
}

// Preset finds a preset by name: default, minimal, standard, testing, all.
func Preset(name string) ([]Category, bool) {
	c, ok := presets()[strings.ToLower(name)]
	return c, ok
}

// DefaultCategories are those of a new seat.
func DefaultCategories() []Category { return []Category{Default} }

// desk tools that are listed whatever categories are on: without them a client could not get at the rest.
var always = []string{"device", "session", "addToolCategory"}

// defaults are the default profile on the web and elsewhere: at most ten tools, in the order of a session's life.
var (
	webDefaults    = []string{"device", "session", "addToolCategory", "web_navigate", "web_snapshot", "web_click", "web_type", "web_pressKey", "web_selectOption", "web_verifyTextVisible"}
	mobileDefaults = []string{"device", "session", "addToolCategory", "launchApp", "viewHierarchy", "tap", "inputText", "swipe", "pressBack", "assertVisible"}
)

// The tools of the modes in which Trailblaze thinks: the task, the settings (or there would be no way back), no primitive.
var (
	agentTools    = []string{"runPrompt", "device", "session", "setMode", "getSessionConfig", "configureSession", "setLlmCallStrategy", "trail", "job"}
	samplingTools = append([]string{"switchToolSet"}, agentTools...)
)

// Specs lists what a seat sees, in a fixed order: the default profile first, then by name.
func (v View) Specs(reg *tool.Registry) []*tool.Spec {
	var out []*tool.Spec
	for _, t := range reg.All() {
		if s := t.Spec(); v.shows(s) {
			out = append(out, s)
		}
	}
	order := v.first()
	rank := func(s *tool.Spec) int {
		if i := slices.Index(order, s.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(out, func(a, b *tool.Spec) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// first is the default profile for the seat's platform.
func (v View) first() []string {
	if v.Platform == "" || v.Platform == driver.WebPlatform {
		return webDefaults
	}
	return mobileDefaults
}

func (v View) shows(s *tool.Spec) bool { return v.hides(s) == "" }

// hides says why a tool is not listed, "" when it is.
func (v View) hides(s *tool.Spec) string {
	switch {
	case !s.ExposedToLLM && s.Name != "web_evaluate" && !slices.Contains(v.first(), s.Name):
		return fmt.Sprintf("%s is not offered to models; it works in trails and from the command line", s.Name)
	case !s.RunsOn(v.Platform, v.Driver):
		return fmt.Sprintf("%s does not run on %s", s.Name, v.Platform)
	}
	switch v.Mode.Canonical() {
	case AgentWhileLoop, AgentRecursiveMCP:
		return v.outsideMode(s, agentTools)
	case ClientWithSampling:
		return v.outsideMode(s, samplingTools)
	}
	if s.NeedsModel && !v.HasModel {
		return s.Name + " needs a language model, and none is configured"
	}
	if slices.Contains(always, s.Name) {
		return ""
	}
	cats := Of(s)
	if v.Prefix != "" && !slices.Contains(s.Groups, DeskGroup) && !strings.HasPrefix(s.Name, v.Prefix) {
		return fmt.Sprintf("only tools named %s… are listed now; setTargetApp or configureSession changes that", v.Prefix)
	}
	on := v.Categories
	if len(on) == 0 {
		on = DefaultCategories()
	}
	for _, c := range on {
		switch c = c.Canonical(); {
		case c == All, slices.Contains(cats, c):
			return ""
		case c == Default && (slices.Contains(v.first(), s.Name) || slices.Contains(cats, Custom)):
			return ""
		}
	}
	return fmt.Sprintf("%s is in category %s: call addToolCategory {\"category\": %q} to get it", s.Name, join(cats), cats[0])
}

func (v View) outsideMode(s *tool.Spec, listed []string) string {
	if slices.Contains(listed, s.Name) {
		return ""
	}
	return fmt.Sprintf("%s is not offered in mode %s, where Trailblaze acts: call runPrompt with the task, or setMode {\"mode\": %q} to act yourself",
		s.Name, v.Mode.Canonical(), ClientAsAgent)
}

// Explain says why a tool of this name is not listed and what brings it, "" when it is listed or does not exist.
func (v View) Explain(reg *tool.Registry, name string) string {
	t, ok := reg.Get(name)
	if !ok {
		return ""
	}
	return v.hides(t.Spec())
}

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
	return slices.DeleteFunc(slices.Clone(on), func(have Category) bool { return have == c.Canonical() })
}

// DeskGroup is the group of tools that manage the house and need no device.
const DeskGroup = "desk"

func join(list []Category) string {
	var out []string
	for _, c := range list {
		out = append(out, string(c))
	}
	return strings.Join(out, " and ")
}
