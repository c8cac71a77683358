package toolset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// View is who asks for a list of tools (R197).
type View struct {
	Mode       Mode
	Categories []Category // none: DefaultCategories
	Platform   driver.Platform
	Driver     string
	Target     string // the app under test: its own tools are listed, too
	Prefix     string // only tools whose name begins so, besides the house's own
	HasModel   bool   // tools that need a model can work
}

// agentTools are what a client sees that gives tasks instead of acting: no primitives (R191–R193).
var agentTools = map[Mode][]string{
	AgentWhileLoop: {"runPrompt"},
	AgentRecursive: {"runPrompt"},
	ClientSampling: {"runPrompt", "switchToolSet"},
}

// agentHouse stays listed in the modes that think: without it a client could not find back.
var agentHouse = []string{
	"device", "session", "setMode", "getSessionConfig", "configureSession", "setScreenshotFormat", "setAutoIncludeScreenshot",
	"setViewHierarchyVerbosity", "setLlmCallStrategy", "setTargetApp", "job", "cancel", "status",
}

// List are the tools of a registry that the view shows: the house's first, then the everyday ones, then by name.
func (v View) List(r *tool.Registry) []*tool.Spec {
	var out []*tool.Spec
	for _, t := range r.All() {
		if s := t.Spec(); v.Shows(s) {
			out = append(out, s)
		}
	}
	first := everyday(v.Platform)
	rank := func(s *tool.Spec) int {
		if i := slices.Index(first, s.Name); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(out, func(a, b *tool.Spec) int { return rank(a) - rank(b) })
	return out
}

// Shows says whether a tool is listed.
func (v View) Shows(s *tool.Spec) bool { return v.hides(s) == shown }

// reason says why a tool is not listed.
type reason int

const (
	shown reason = iota
	internal
	otherDevice
	otherMode
	needsModel
	otherPrefix
	otherCategory
)

func (v View) hides(s *tool.Spec) reason {
	mode := v.Mode.Canonical()
	agents := isAgents(s.Name)
	switch {
	case !s.ExposedToLLM:
		return internal
	case v.Platform != "" && !s.RunsOn(v.Platform, v.Driver):
		return otherDevice
	case v.Platform == "" && !s.RunsOn(driver.WebPlatform, v.Driver) && !v.on(Mobile) && !v.on(All):
		return otherDevice
	case mode.Thinks() && !slices.Contains(agentTools[mode], s.Name) && !slices.Contains(agentHouse, s.Name):
		return otherMode
	case mode.Thinks():
		return shown
	case agents:
		return otherMode
	case s.NeedsModel && !v.HasModel:
		return needsModel
	case slices.Contains(house, s.Name):
		return shown
	case v.Prefix != "" && !strings.HasPrefix(s.Name, v.Prefix):
		return otherPrefix
	case v.isTargets(s):
		return shown
	case !v.chosen(s):
		return otherCategory
	}
	return shown
}

// chosen says whether one of the view's categories has the tool.
func (v View) chosen(s *tool.Spec) bool {
	if v.on(All) {
		return true
	}
	if v.Prefix != "" && len(v.Categories) == 0 {
		return true // a prefix alone is a choice
	}
	_, twin := phone[s.Name]
	for _, c := range CategoriesOf(s) {
		switch {
		case !v.on(c):
		case c == Everyday:
			if slices.Contains(everyday(v.Platform), s.Name) {
				return true
			}
		case twin && onWeb(v.Platform) && c != Mobile:
		default:
			return true
		}
	}
	return false
}

func (v View) on(c Category) bool {
	have := v.Categories
	if len(have) == 0 {
		have = DefaultCategories()
	}
	return slices.ContainsFunc(have, func(h Category) bool { return h.Canonical() == c })
}

// isTargets says whether the tool belongs to the app under test: by a group or by its namespace.
func (v View) isTargets(s *tool.Spec) bool {
	if v.Target == "" {
		return false
	}
	return slices.ContainsFunc(s.Groups, func(g string) bool { return strings.EqualFold(g, v.Target) }) ||
		strings.HasPrefix(strings.ToLower(s.Name), strings.ToLower(v.Target)+"_")
}

func isAgents(name string) bool { return name == "runPrompt" }

// Explain says why a tool is not listed and how to get it, or "" when it is.
func (v View) Explain(s *tool.Spec) string {
	switch v.hides(s) {
	case shown:
		return ""
	case internal:
		return fmt.Sprintf("%s is for recordings and scripts and is not offered to models. %s", s.Name, instead(s.Name))
	case otherDevice:
		return fmt.Sprintf("%s is for %s, and the device is %s.", s.Name, platforms(s), shownPlatform(v.Platform))
	case otherMode:
		if isAgents(s.Name) {
			return fmt.Sprintf("%s belongs to the modes that think; call setMode {mode: %s} for it.", s.Name, AgentWhileLoop)
		}
		return fmt.Sprintf("%s is not offered in mode %s, which takes tasks (runPrompt); call setMode {mode: %s} to act yourself.",
			s.Name, v.Mode.Canonical(), ClientAsAgent)
	case needsModel:
		return fmt.Sprintf("%s needs a language model, and none is configured.", s.Name)
	case otherPrefix:
		return fmt.Sprintf("%s does not begin with %q, which is all that this session lists; call config {action: SET, key: toolPrefix, value: \"\"} to end that.", s.Name, v.Prefix)
	}
	c := v.bringer(s)
	return fmt.Sprintf("%s is in %s; call addToolCategory {category: %s} to have it listed.", s.Name, c, c)
}

// bringer is the smallest choice that brings the tool.
func (v View) bringer(s *tool.Spec) Category {
	for _, c := range CategoriesOf(s) {
		if (View{Mode: v.Mode, Categories: []Category{c}, Platform: v.Platform, Driver: v.Driver}).chosen(s) && c != Everyday {
			return c
		}
	}
	return All
}

func instead(name string) string {
	if twin := phone[name]; twin != "" {
		return "Use " + twin + "."
	}
	return "The toolbox tool finds what is."
}

func platforms(s *tool.Spec) string {
	var names []string
	for _, p := range s.Platforms {
		names = append(names, string(p))
	}
	if len(names) == 0 {
		return strings.Join(s.Drivers, ", ")
	}
	return strings.Join(names, ", ")
}

func shownPlatform(p driver.Platform) string {
	if p == "" {
		return string(driver.WebPlatform)
	}
	return string(p)
}
