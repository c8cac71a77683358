// Package beside holds the tools that work beside the device: files of the workspace, and requests over HTTP. Only the
// agent that plans is offered them (see agent.Outer); trails that it has recorded call them again. Policy decides
// about each file and host before a call; the answer is text from outside. The tools keep no state.
package beside

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// The bounds of texts that are read and sent.
const (
	maxText = 64 << 10 // of a text that is given back
	maxSent = 1 << 20  // of a text that is written or sent
)

var set = descriptions.Set{Files: texts}

func spec(name, title, category string, kind tool.Kind, touches *tool.Effects) tool.Spec {
	s := set.Of(kind).Any(name, title)
	s.ExposedToLLM = false
	return s.With(tool.Facts{Categories: []string{category}, Device: tool.NoDevice, Effects: touches})
}

// Tools are the tools beside the device. Files lie below root; an empty root is the working directory.
func Tools(root string) []tool.Tool {
	return []tool.Tool{readFile(root), writeFile(root), httpGet(), httpSend()}
}

// done is the result of an action beside the device, whose own answer is its evidence.
func done(text string) *tool.Result {
	r := tool.TextResult("%s", text)
	r.Evidence = &tool.Evidence{None: "beside the device: " + text}
	return r
}
