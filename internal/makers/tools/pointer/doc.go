// Package pointer holds the tools that point: click, tap, hover, drag, pinch. Each tool is made by one function and
// described to models by the .md file of its name. internal/makers/tools lists them.
package pointer

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the pointing tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webClick(), click(), webHover(), webDrag(),
		tap(), longPress(), tapOnPoint(), dragTo(), dragByPoints(), pinch(),
		tapOnElementBySelector(), tapOn(),
		byText("tapOnElementWithText", "Tap by text", clicking, false),
		byText("longPressOnElementWithText", "Long press by text", holding, true),
		byName("tapOnElementWithAccessibilityText", "Tap by name", clicking, false),
		byName("longPressElementWithAccessibilityText", "Long press by name", nil, true),
	}
}
