// Package scroll holds the tools that move the view: scroll and swipe. Each tool is made by one function and described
// to models by the .md file of its name. internal/makers/tools lists them.
package scroll

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION"}

var shared = set.Any

// Tools are the scrolling tools.
func Tools() []tool.Tool {
	return []tool.Tool{webScroll(), scroll(), swipe(), swipeWithRelativeCoordinates(), scrollUntilTextIsVisible()}
}
