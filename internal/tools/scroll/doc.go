// Package scroll holds the tools that move what is seen: scroll and swipe. Each tool is made by one function and
// described to models by the .md file of its name. internal/tools lists them.
package scroll

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the scrolling tools.
func Tools() []tool.Tool {
	return []tool.Tool{webScroll(), scroll(), swipe(), swipeWithRelativeCoordinates(), scrollUntilTextIsVisible()}
}

func shared(name, title string, groups ...string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: tool.Action, Groups: groups,
		ExposedToLLM: true, Recordable: true,
	}
}
