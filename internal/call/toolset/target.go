package toolset

import (
	"maps"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Target is an app under test, with its changes to the list of tools.
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

// Is reports whether name means the target.
func (t Target) Is(name string) bool {
	same := func(s string) bool {
		return strings.EqualFold(strings.TrimSuffix(s, "/"), strings.TrimSuffix(name, "/"))
	}
	return same(t.ID) || slices.ContainsFunc(t.Names, same)
}

// ofOther reports whether a tool belongs to another app than the one under test, or is one that this app goes without.
func (v View) ofOther(s *tool.Spec) bool {
	if s.Target != "" && !strings.EqualFold(s.Target, v.Target) {
		return true
	}
	return v.App != nil && slices.Contains(v.App.On[v.platform()].Excluded, s.Name)
}

// targets reports whether a tool belongs to the app under test: by its declaration, by a group, or by its namespace.
func (v View) targets(s *tool.Spec) bool {
	if v.Target == "" {
		return false
	}
	if v.App != nil {
		on := v.App.On[v.platform()]
		if slices.Contains(on.Tools, s.Name) || inSets(s, on.Groups) {
			return true
		}
	}
	return s.BelongsTo(v.Target) || s.Target != "" ||
		slices.ContainsFunc(s.Groups, func(g string) bool { return strings.EqualFold(g, v.Target) })
}

// sets maps the ids of upstream's toolsets that are not the names of our categories to ours.
var sets = map[string][]Category{
	"web_core": {CoreInteraction, Navigation}, "web_verification": {Verification}, "mobile_primitives": {Mobile},
	"web_framework": {Script}, "meta": nil, "android_framework": nil, "android_primitives": nil,
	"compose_core": nil, "compose_verification": nil, "revyl_core": nil, "revyl_verification": nil,
}

// Sets are the ids of toolsets that a project may name without declaring them.
func Sets() []string {
	out := slices.Sorted(maps.Keys(sets))
	for _, c := range Categories() {
		out = append(out, strings.ToLower(string(c)))
	}
	return out
}

// inSets reports whether a tool is in one of these toolsets: by a group of its own, or by a category.
func inSets(s *tool.Spec, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		if slices.Contains(s.Groups, id) {
			return true
		}
		in, known := sets[id]
		if !known {
			in = []Category{Category(id).Canonical()}
		}
		return slices.ContainsFunc(in, func(c Category) bool { return slices.Contains(of(s), c) })
	})
}

// also reports whether the project has a tool listed whatever the target is.
func (v View) also(s *tool.Spec) bool {
	return slices.Contains(v.Also.Tools, s.Name) || inSets(s, v.Also.Groups)
}

// off reports whether all groups of a tool are off, and neither one of them nor the tool is named.
func (v View) off(s *tool.Spec) bool {
	if !s.Off || v.also(s) {
		return false
	}
	if v.App != nil {
		on := v.App.On[v.platform()]
		return !slices.Contains(on.Tools, s.Name) && !inSets(s, on.Groups)
	}
	return true
}
