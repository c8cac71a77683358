package toolset

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/tool"
)

// Explain returns the reason why a tool of this name is not listed and how to have it listed, "" when it is listed or
// does not exist.
func (v View) Explain(reg *tool.Registry, name string) string {
	t, ok := reg.Get(name)
	if !ok {
		return ""
	}
	s := t.Spec()
	switch v.hides(s) {
	case unexposed:
		return fmt.Sprintf("%s is not offered to models; it works in trails and from the command line. %s", s.Name,
			alternative(reg, s))
	case otherDevice:
		return fmt.Sprintf("%s does not run on %s, only on %s", s.Name, v.platform(), where(s))
	case otherMode:
		return fmt.Sprintf("%s is not offered in mode %s, where Trailblaze acts: call %s with the task, or "+
			"%s {\"mode\": %q} to act yourself",
			s.Name, v.Mode.Canonical(), reg.Call(tool.RunTask, ""), reg.Call(tool.ChooseMode, ""), ClientAsAgent)
	case needsModel:
		return s.Name + " needs a language model, and none is configured"
	case otherPrefix:
		return fmt.Sprintf("only tools named %s… are listed now; %s {\"action\": \"SET\", \"key\": \"toolPrefix\", "+
			"\"value\": \"\"} ends that",
			v.Prefix, reg.Call(tool.ChangeSetting, ""))
	case otherTarget:
		if s.Target == "" || strings.EqualFold(s.Target, v.Target) {
			return fmt.Sprintf("the target %s goes without %s", v.Target, s.Name)
		}
		return fmt.Sprintf("%s belongs to the target %s: call %s {\"appTargetId\": %q} to get it", s.Name, s.Target,
			reg.Call(tool.ChooseTarget, ""), s.Target)
	case offGroup:
		return fmt.Sprintf("%s is in the toolset %s, which is off: %s {\"action\": \"SET\", \"key\": \"toolsets\", "+
			"\"value\": %q} lists it for you, toolsets in trailblaze.yaml for everybody",
			s.Name, strings.Join(s.Groups, ", "), reg.Call(tool.ChangeSetting, ""), s.Groups[0])
	case otherCategory:
		c := v.bringer(s)
		return fmt.Sprintf("%s is in %s: call %s {\"category\": %q} to get it", s.Name, c, reg.Call(tool.AddTools, ""), c)
	}
	return ""
}

// bringer is a category that has the tool listed when it is added: not always the first it is in, see replaced.
func (v View) bringer(s *tool.Spec) Category {
	for _, c := range of(s) {
		w := v
		w.Categories = []Category{c}
		if w.hides(s) == listed {
			return c
		}
	}
	return All
}

func alternative(reg *tool.Registry, s *tool.Spec) string {
	if s.Replaces != "" {
		return "Use " + s.Replaces + "."
	}
	return reg.Call(tool.FindTools, "") + " {\"search\": …} finds what is."
}

func where(s *tool.Spec) string {
	var names []string
	for _, p := range s.Platforms {
		names = append(names, string(p))
	}
	if len(names) == 0 {
		names = s.Drivers
	}
	return strings.Join(names, ", ")
}

// Hints are the facts of a tool that a client may know before it calls it; MCP calls them annotations. Every one is
// decided.
type Hints struct {
	Title       string
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// HintsOf derives the hints from a spec. A tool that touches a device touches the open world: the effect of a click on
// a page is not ours to say. A tool without a device stays in the house, unless it works by other calls, as a trail
// that runs.
func HintsOf(s *tool.Spec) Hints {
	e := s.Effects
	if e == nil {
		e = &tool.Effects{} // a hint is a guess; policy assumes the worst
	}
	reads := s.Kind != tool.Action && e.Remembers == ""
	return Hints{
		Title:       s.Title,
		ReadOnly:    reads,
		Destructive: s.Destructive && !reads,
		Idempotent:  reads || s.Idempotent,
		OpenWorld:   s.Device != tool.NoDevice || e.CallsTools,
	}
}
