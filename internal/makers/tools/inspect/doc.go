// Package inspect holds the tools that look without acting or judging: snapshots and queries. A query never fails
// because something is not there. Each tool is made by one function and described to models by the .md file of its
// name. internal/makers/tools lists them.
package inspect

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

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
