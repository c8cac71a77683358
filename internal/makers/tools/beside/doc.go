// Package beside holds the tools that work beside the device: files of the workspace, and requests over HTTP. Only the
// agent that plans is offered them (see agent.Outer); trails that it has recorded call them again. Policy decides
// about each file and host before a call; the answer is text from outside. The tools keep no state.
package beside

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

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
