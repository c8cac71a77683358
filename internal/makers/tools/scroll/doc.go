// Package scroll holds the tools that move the view: scroll and swipe. Each tool is made by one function and described
// to models by the .md file of its name. internal/makers/tools lists them.
package scroll

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the scrolling tools.
func Tools() []tool.Tool {
	return []tool.Tool{webScroll(), scroll(), swipe(), swipeWithRelativeCoordinates(), scrollUntilTextIsVisible()}
}
