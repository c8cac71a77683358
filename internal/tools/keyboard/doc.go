// Package keyboard holds the tools that enter text and press keys, clipboard included. Each tool is made by one function
// and described to models by the .md file of its name. internal/tools lists them.
package keyboard

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the keyboard tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webType(), fill(), webClear(), webFillSecret(), webPressKey(),
		inputText(), inputTextRandom(), clearText(), eraseText(), hideKeyboard(), pressKey(), pressBack(),
		setClipboard(), pasteClipboard(),
	}
}

func web(name, title string) tool.Spec {
	s := shared(name, title, "web_core")
	s.Platforms = []driver.Platform{driver.WebPlatform}
	return s
}

// keys is a tool whose input goes to what has the focus when the call names no element.
func keys(s tool.Spec) tool.Spec {
	s.Keyboard = true
	return s
}

func shared(name, title string, groups ...string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: tool.Action, Groups: groups,
		ExposedToLLM: true, Recordable: true,
	}
}
