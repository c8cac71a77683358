// Package recall holds the tools of the session's memory that need no model: compare, calculate, remember what is on the
// screen, dump. Each tool is made by one function and described to models by the .md file of its name. internal/tools
// lists them.
package recall

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the memory tools.
func Tools() []tool.Tool {
	return []tool.Tool{assertEquals(), assertNotEquals(), assertMath(), remember(), dumpMemory()}
}

func spec(name, title string, kind tool.Kind) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: kind, Groups: []string{"memory"},
		ExposedToLLM: true, Recordable: true,
	}
}
