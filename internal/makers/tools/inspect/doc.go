// Package inspect holds the tools that look without acting or judging: snapshots and queries. A query never fails
// because something is not there. Each tool is made by one function and described to models by the .md file of its
// name. internal/makers/tools lists them.
package inspect

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Query, Category: "OBSERVATION"}

var spec = set.Any

// Tools are the observing tools.
func Tools() []tool.Tool {
	seen := &last{}
	return []tool.Tool{
		webSnapshot(seen), webRequestDetails(seen), takeSnapshot(seen), requestDetailedViewHierarchy(seen),
		captureScreen(seen),
		viewHierarchy(seen), getScreenshot(),
		isVisible(), hasText(), getElementText(), getElementCount(), findMatches(),
	}
}

// unrecorded is the spec of a query that scripts and servers call and recordings do not keep.
func unrecorded(name, title string) tool.Spec {
	s := spec(name, title)
	s.ExposedToLLM, s.Recordable = false, false
	return s
}

// asking is one whose answer says whether what its arguments name is there.
func asking(name, title string, arguments ...string) tool.Spec {
	return unrecorded(name, title).With(tool.Facts{Asks: arguments})
}
