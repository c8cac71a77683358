// Package values holds the tools of the session's memory that need no model: compare, calculate, remember a text of
// the screen, dump. Each tool is made by one function and described to models by the .md file of its name.
// internal/makers/tools lists them.
package values

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Query, Category: "MEMORY"}

func spec(name, title string, kind tool.Kind) tool.Spec {
	return set.Of(kind).Any(name, title, "memory")
}

// Tools are the memory tools.
func Tools() []tool.Tool {
	return []tool.Tool{assertEquals(), assertNotEquals(), assertMath(), remember(), dumpMemory()}
}
