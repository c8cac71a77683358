// Package values holds the tools of the session's memory that need no model: compare, calculate, remember a text of
// the screen, dump. Each tool is made by one function and described to models by the .md file of its name.
// internal/makers/tools lists them.
package values

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the memory tools.
func Tools() []tool.Tool {
	return []tool.Tool{assertEquals(), assertNotEquals(), assertMath(), remember(), dumpMemory()}
}
