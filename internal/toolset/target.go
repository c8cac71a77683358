package toolset

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Target is an app under test: what it adds to the list of tools and takes from it.
type Target struct {
	ID    string
	Names []string // it is also known by: ids of the app, base URLs
	On    map[driver.Platform]TargetTools
}

// TargetTools are the tools of a target on one platform.
type TargetTools struct {
	Tools    []string // listed
	Groups   []string // whose tools are listed
	Excluded []string // not listed
}

// Is says whether somebody who writes name means the target.
func (t Target) Is(name string) bool {
	same := func(s string) bool {
		return strings.EqualFold(strings.TrimSuffix(s, "/"), strings.TrimSuffix(name, "/"))
	}
	return same(t.ID) || slices.ContainsFunc(t.Names, same)
}

// ofOther says whether a tool belongs to another app than the one under test, or is one that this app goes without.
func (v View) ofOther(s *tool.Spec) bool {
	if s.Target != "" && !strings.EqualFold(s.Target, v.Target) {
		return true
	}
	return v.App != nil && slices.Contains(v.App.On[v.platform()].Excluded, s.Name)
}

// targets says whether a tool belongs to the app under test: by its declaration, by a group, or by its namespace.
func (v View) targets(s *tool.Spec) bool {
	if v.Target == "" {
		return false
	}
	if v.App != nil {
		on := v.App.On[v.platform()]
		if slices.Contains(on.Tools, s.Name) ||
			slices.ContainsFunc(s.Groups, func(g string) bool { return slices.Contains(on.Groups, g) }) {
			return true
		}
	}
	return s.Target != "" ||
		slices.ContainsFunc(s.Groups, func(g string) bool { return strings.EqualFold(g, v.Target) }) ||
		strings.HasPrefix(strings.ToLower(s.Name), strings.ToLower(v.Target)+"_")
}
