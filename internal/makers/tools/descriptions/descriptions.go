// Package descriptions makes the specs of built-in tools: the facts that the tools of a folder share, and the .md file
// beside each tool's Go file, which a model reads. The folders of tools use it while they are put together; it keeps
// no state.
//
//	var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION", WebGroup: "web_core"}
//	spec := set.Web("web_click", "Click")
package descriptions

import (
	"io/fs"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Set holds the common properties of the tools of a folder.
type Set struct {
	Files    fs.FS
	Kind     tool.Kind
	Category string
	WebGroup string // of tools that only browsers have
}

// Of returns a copy of the set for tools of another kind.
func (s Set) Of(kind tool.Kind) Set {
	s.Kind = kind
	return s
}

// Any is the spec of a tool that every platform has. A tool without its .md file has no description, which the test
// over all built-in tools refuses.
func (s Set) Any(name, title string, groups ...string) tool.Spec {
	text, err := fs.ReadFile(s.Files, name+".md")
	if err != nil {
		text = nil
	}
	return tool.Spec{
		Name: name, Title: title, Description: strings.TrimSpace(string(text)), Kind: s.Kind, Groups: groups,
		ExposedToLLM: true, Recordable: true,
		Facts: tool.Facts{Categories: []string{s.Category}, Effects: &tool.Effects{}},
	}
}

// Web is the spec of a tool that only browsers have.
func (s Set) Web(name, title string) tool.Spec {
	spec := s.Any(name, title, s.WebGroup)
	spec.Platforms = []driver.Platform{driver.WebPlatform}
	return spec
}

// Devtools is the spec of a browser tool that looks behind the page. It has a toolset of its own, so that a model
// that only uses the page is not shown it.
func (s Set) Devtools(name, title string) tool.Spec {
	s.WebGroup = "web_devtools"
	return s.Web(name, title)
}

// Legacy is the spec of a tool that recordings and scripts use and models are not shown.
func (s Set) Legacy(name, title string) tool.Spec {
	spec := s.Any(name, title)
	spec.ExposedToLLM = false
	return spec
}
