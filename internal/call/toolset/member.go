package toolset

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// ManageGroup is the group of management tools, which need no device.
const ManageGroup = "management"

// byGroup are the groups that place a tool which names no category: our categories, and those of upstream's toolsets
// that are one category here. A toolset such as "web_core" is two thirds of all tools and places none.
var byGroup = func() map[string]Category {
	out := map[string]Category{}
	for id, in := range sets {
		if len(in) == 1 {
			out[id] = in[0]
		}
	}
	for _, c := range Categories() {
		if c != All && c != Default {
			out[strings.ToLower(string(c))] = c
		}
	}
	return out
}()

// Of lists the categories of a tool in the order they are shown, DEFAULT and ALL left out. Every tool has at least one.
func Of(s *tool.Spec) []Category { return slices.Clone(of(s)) }

var placed Cache[[]Category]

// of is Of for those who do not change it.
func of(s *tool.Spec) []Category { return placed.Of(s, place) }

func place(s *tool.Spec) []Category {
	var in []Category
	for _, c := range s.Categories {
		in = append(in, Category(c))
	}
	if len(in) == 0 {
		for _, g := range s.Groups {
			if c, ok := byGroup[strings.ToLower(g)]; ok {
				in = append(in, c)
			}
		}
	}
	if len(in) == 0 {
		in = append(in, unplaced(s))
	}
	var out []Category
	for _, a := range about {
		if slices.Contains(in, a.c) {
			out = append(out, a.c)
		}
	}
	return out
}

// unplaced is the category of a tool that nothing else places: a team's own, or a new one of ours by its kind.
func unplaced(s *tool.Spec) Category {
	switch {
	case slices.Contains(s.Groups, ManageGroup):
		return Session
	case !isBuiltIn(s):
		return Custom
	case len(s.Platforms) > 0 && !slices.Contains(s.Platforms, driver.WebPlatform):
		return Mobile
	case s.Kind == tool.Assertion:
		return Verification
	case s.Kind == tool.Query:
		return Observation
	}
	return CoreInteraction
}

func reserved(name string) bool {
	return slices.ContainsFunc(tool.Reserved, func(p string) bool { return strings.HasPrefix(name, p) })
}
