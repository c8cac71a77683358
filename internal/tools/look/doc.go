// Package look holds the tools that look without acting or judging: snapshots and queries. A query never fails because
// something is not there. Each tool is made by one function and described to models by the .md file of its name.
// internal/tools lists them.
package look

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the observing tools.
func Tools() []tool.Tool {
	seen := &last{}
	return []tool.Tool{
		webSnapshot(seen), webRequestDetails(seen), takeSnapshot(seen), requestDetailedViewHierarchy(seen), captureScreen(seen),
		viewHierarchy(seen), getScreenshot(),
		isVisible(), hasText(), getElementText(), getElementCount(), findMatches(),
	}
}

func spec(name, title string, groups ...string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: tool.Query, Groups: groups,
		ExposedToLLM: true, Recordable: true,
	}
}

// quiet is the spec of a query that scripts and servers call and recordings do not keep.
func quiet(name, title string) tool.Spec {
	s := spec(name, title)
	s.ExposedToLLM, s.Recordable = false, false
	return s
}
