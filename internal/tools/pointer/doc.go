// Package pointer holds the tools that point: click, tap, hover, drag, pinch. Each tool is made by one function and
// described to models by the .md file of its name. internal/tools lists them.
package pointer

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the pointing tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webClick(), click(), webHover(), webDrag(),
		tap(), longPress(), tapOnPoint(), dragTo(), dragByPoints(), pinch(),
		tapOnElementBySelector(), tapOn(),
		tapOnElementWithText(), tapOnElementWithAccessibilityText(),
		longPressOnElementWithText(), longPressElementWithAccessibilityText(),
	}
}

// web is the spec of a tool that only browsers have.
func web(name, title string) tool.Spec {
	s := shared(name, title, "web_core")
	s.Platforms = []driver.Platform{driver.WebPlatform}
	return s
}

// shared is the spec of a tool that every platform has.
func shared(name, title string, groups ...string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: tool.Action, Groups: groups,
		ExposedToLLM: true, Recordable: true,
	}
}

// legacy is the spec of a tool that recordings and scripts use and models are not shown.
func legacy(name, title string) tool.Spec {
	s := shared(name, title)
	s.ExposedToLLM = false
	return s
}
