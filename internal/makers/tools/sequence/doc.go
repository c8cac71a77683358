// Package sequence holds the tools that make several calls in place of one: batch, and maestro for the commands of
// files that were written for Maestro, which delegate: the dispatcher makes the calls, and a recording keeps them; and
// repeat and when, which make calls as a query decides, and which a recording keeps themselves. Each tool is made by
// one function and described to models by the .md file of its name. internal/makers/tools lists them.
package sequence

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "BATCH", WebGroup: "web_core"}

// Tools are the tools of sequences. specs finds the spec of a tool that they call, nil when it is not known.
func Tools(specs func(name string) *tool.Spec) []tool.Tool {
	all := []tool.Tool{batch(specs), repeat(), when()}
	for _, name := range []string{"maestro", "mobile_maestro"} {
		all = append(all, maestro(name))
	}
	return all
}

// delegating is a tool whose calls are recorded in its place. The tokens in its arguments are for those calls.
func delegating(s tool.Spec) tool.Spec {
	s.Delegating, s.Recordable = true, false
	return s.With(tool.Facts{Effects: &tool.Effects{CallsTools: true}, Verbatim: true})
}
