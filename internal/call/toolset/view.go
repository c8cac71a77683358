package toolset

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// View holds the facts that decide which tools a client sees.
type View struct {
	Mode       Mode
	Categories []Category // none: DEFAULT
	Platform   driver.Platform
	Driver     string
	Target     string      // the app under test; its own tools are listed whatever categories are on
	App        *Target     // what the project declares of the target; nil: nothing
	Also       TargetTools // what the project has listed whatever the target is
	Prefix     string      // only tools of this namespace, beside the house's own
	HasModel   bool        // runPrompt and its kind work
}

// Tools of these categories are listed in the modes in which Trailblaze itself is the agent: the task, the settings
// (or there would be no way back), no primitive. Nobody turns them on.
const (
	agentMode    Category = "AGENT"
	samplingMode Category = "SAMPLING" // besides those of agentMode, where the client's model thinks
)

// Specs lists what a client sees, in a fixed order: the default profile first, then by name.
func (v View) Specs(reg *tool.Registry) []*tool.Spec {
	var out []*tool.Spec
	for _, t := range reg.All() {
		if s := t.Spec(); v.hides(s) == listed {
			out = append(out, s)
		}
	}
	rank := func(s *tool.Spec) int { return cmp.Or(v.place(s), math.MaxInt) }
	slices.SortStableFunc(out, func(a, b *tool.Spec) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// platform returns the platform of the client's calls. A client that has no device yet will act on the web, which is
// opened by default.
func (v View) platform() driver.Platform {
	if v.Platform == "" {
		return driver.WebPlatform
	}
	return driver.Platform(strings.ToLower(string(v.Platform)))
}

// place returns the position of a tool in the list of a client that chose nothing, 0 when it is not in it. Where
// another tool replaces it, that one is.
func (v View) place(s *tool.Spec) int {
	if v.replaced(s) {
		return 0
	}
	return s.Default
}

// Lists reports whether a client sees a tool.
func (v View) Lists(s *tool.Spec) bool { return v.hides(s) == listed }

// replaced reports whether a tool is another form of one that the client's platform has under a name of its own and
// better suited: phone forms, on the web. They are listed in MOBILE, PRIMITIVES and ALL only, so that a model is not
// given two tools for one thing; called, they work everywhere.
func (v View) replaced(s *tool.Spec) bool {
	return s.Replaces != "" && v.platform() == driver.WebPlatform
}

// cause is the reason why a tool is not listed.
type cause int

const (
	listed cause = iota
	unexposed
	otherDevice
	otherMode
	needsModel
	otherPrefix
	otherTarget
	otherCategory
	offGroup
)

func (v View) hides(s *tool.Spec) cause {
	if c := v.withholds(s); c != listed {
		return c
	}
	house := slices.Contains(s.Groups, ManageGroup)
	switch mode := v.Mode.Canonical(); {
	case mode == ClientWithSampling && names(s, samplingMode):
		return listed
	case mode.Thinks() && !names(s, agentMode):
		return otherMode
	case mode.Thinks():
		return listed
	case s.NeedsModel && !v.HasModel:
		return needsModel
	case house && s.Default > 0: // without these a client could not get at the rest
		return listed
	case v.Prefix != "" && !house && !strings.HasPrefix(s.Name, v.Prefix):
		return otherPrefix
	case v.targets(s), v.also(s), v.chosen(s):
		return listed
	}
	return otherCategory
}

// withholds returns the reason why a tool is listed in no mode.
func (v View) withholds(s *tool.Spec) cause {
	switch opt := optIn(s); {
	case !s.ExposedToLLM && !opt:
		return unexposed
	case !s.RunsOn(v.platform(), v.Driver):
		return otherDevice
	case v.ofOther(s):
		return otherTarget
	case v.off(s):
		return offGroup
	case opt && !v.on(Script):
		return otherCategory
	}
	return listed
}

// optIn reports whether a tool runs scripts: it is not offered to models unless its category was turned on by name.
func optIn(s *tool.Spec) bool {
	return s.Effects != nil && s.Effects.RunsCode && s.Replaces == "" && names(s, Script)
}

// names reports whether a spec itself names a category.
func names(s *tool.Spec, c Category) bool { return slices.Contains(s.Categories, string(c)) }

// chosen reports whether one of the view's categories has the tool.
func (v View) chosen(s *tool.Spec) bool {
	if v.on(All) {
		return true
	}
	in := of(s)
	if v.on(Default) && (v.place(s) > 0 || slices.Contains(in, Custom)) {
		return true
	}
	for _, c := range in {
		if v.on(c) && (c == Mobile || c == Primitives || !v.replaced(s)) {
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

// Summaries describes every category as this client would see it: its device counts, the categories that are on do
// not.
func (v View) Summaries(reg *tool.Registry) []Summary {
	out := make([]Summary, 0, len(about))
	for _, a := range about {
		one := v
		one.Mode, one.Categories, one.Prefix, one.Target = ClientAsAgent, []Category{a.c}, "", ""
		sum := Summary{Category: a.c, About: a.text, On: v.on(a.c), Tools: []string{}}
		for _, t := range reg.All() {
			if s := t.Spec(); one.hides(s) == listed && one.chosen(s) {
				sum.Tools = append(sum.Tools, s.Name)
				sum.Bytes += Size(s)
			}
		}
		out = append(out, sum)
	}
	return out
}
