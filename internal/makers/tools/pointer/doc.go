// Package pointer holds the tools that point: click, tap, hover, drag, pinch. Each tool is made by one function and
// described to models by the .md file of its name. internal/makers/tools lists them.
package pointer

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION", WebGroup: "web_core"}

var shared, web, legacy = set.Any, set.Web, set.Legacy

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

// clicking returns the sentence about a press.
func clicking(p tool.Phrase) string {
	return p.On("Click", p.Quoted("text"), p.Quoted("accessibilityText"))
}

func holding(p tool.Phrase) string { return p.On("Press and hold", p.Quoted("text")) }
