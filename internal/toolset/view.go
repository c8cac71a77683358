package toolset

import (
	"cmp"
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
	Target     string // the app under test; its own tools are listed whatever categories are on
	Prefix     string // only tools of this namespace, beside the house's own
	HasModel   bool   // runPrompt and its kind work
}

// always are the desk tools that are listed whatever categories are on: without them a client could not get at the rest.
var always = []string{"device", "session", "addToolCategory"}

// The default profile on the web and elsewhere: at most ten tools, in the order of a session's life.
var (
	webDefaults = []string{
		"device", "session", "addToolCategory", "web_navigate", "web_snapshot", "web_click", "web_type", "web_pressKey",
		"web_selectOption", "web_verifyTextVisible",
	}
	mobileDefaults = []string{
		"device", "session", "addToolCategory", "launchApp", "viewHierarchy", "tap", "inputText", "swipe", "pressBack", "assertVisible",
	}
)

// The tools of the modes in which Trailblaze thinks: the task, the settings (or there would be no way back), no primitive
// (R191–R193).
var (
	agentTools = []string{
		"runPrompt", "device", "session", "setMode", "getSessionConfig", "configureSession", "setLlmCallStrategy", "setTargetApp",
		"trail", "job", "cancel",
	}
	samplingTools = append([]string{"switchToolSet"}, agentTools...)
)

// optIn are the tools that are not offered to models unless somebody turned their category on by name.
var optIn = map[string]Category{"web_evaluate": Script}

// Specs lists what a seat sees, in a fixed order: the default profile first, then by name.
func (v View) Specs(reg *tool.Registry) []*tool.Spec {
	var out []*tool.Spec
	for _, t := range reg.All() {
		if s := t.Spec(); v.hides(s) == shown {
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

// platform is where the seat's calls go. One that has no device yet will act on the web: that is what opens by itself.
func (v View) platform() driver.Platform {
	if v.Platform == "" {
		return driver.WebPlatform
	}
	return driver.Platform(strings.ToLower(string(v.Platform)))
}

// first is the default profile for the seat's platform.
func (v View) first() []string {
	if v.platform() == driver.WebPlatform {
		return webDefaults
	}
	return mobileDefaults
}

// cause says why a tool is not listed.
type cause int

const (
	shown cause = iota
	unexposed
	otherDevice
	otherMode
	needsModel
	otherPrefix
	otherCategory
)

func (v View) hides(s *tool.Spec) cause {
	mode := v.Mode.Canonical()
	house := slices.Contains(s.Groups, DeskGroup)
	switch by, opt := optIn[s.Name]; {
	case !s.ExposedToLLM && !opt:
		return unexposed
	case !s.RunsOn(v.platform(), v.Driver):
		return otherDevice
	case opt && !v.on(by):
		return otherCategory
	case mode == ClientWithSampling:
		return outside(s, samplingTools)
	case mode.Thinks():
		return outside(s, agentTools)
	case s.NeedsModel && !v.HasModel:
		return needsModel
	case slices.Contains(always, s.Name):
		return shown
	case v.Prefix != "" && !house && !strings.HasPrefix(s.Name, v.Prefix):
		return otherPrefix
	case v.targets(s), v.chosen(s):
		return shown
	}
	return otherCategory
}

func outside(s *tool.Spec, listed []string) cause {
	if slices.Contains(listed, s.Name) {
		return shown
	}
	return otherMode
}

// chosen says whether one of the view's categories has the tool.
func (v View) chosen(s *tool.Spec) bool {
	if v.on(All) {
		return true
	}
	in := of(s)
	if v.on(Default) && (slices.Contains(v.first(), s.Name) || slices.Contains(in, Custom)) {
		return true
	}
	_, twin := twins[s.Name]
	for _, c := range in {
		if v.on(c) && (!twin || c == Mobile || v.platform() != driver.WebPlatform) {
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

// targets says whether the tool belongs to the app under test: by a group, or by its namespace.
func (v View) targets(s *tool.Spec) bool {
	if v.Target == "" {
		return false
	}
	return slices.ContainsFunc(s.Groups, func(g string) bool { return strings.EqualFold(g, v.Target) }) ||
		strings.HasPrefix(strings.ToLower(s.Name), strings.ToLower(v.Target)+"_")
}
