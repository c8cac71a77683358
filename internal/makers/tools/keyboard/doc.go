// Package keyboard holds the tools that enter text and press keys, clipboard included. Each tool is made by one
// function and described to models by the .md file of its name. internal/makers/tools lists them.
package keyboard

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "CORE_INTERACTION", WebGroup: "web_core"}

var shared, web = set.Any, set.Web

// Tools are the keyboard tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webType(), fill(), webClear(), webFillSecret(), webPressKey(),
		inputText(), inputTextRandom(), clearText(), eraseText(), hideKeyboard(), pressKey(), pressBack(),
		setClipboard(), pasteClipboard(),
	}
}

// keys returns a tool whose input goes to the element with the focus when the call names no element.
func keys(s tool.Spec) tool.Spec {
	s.Keyboard = true
	return s
}
