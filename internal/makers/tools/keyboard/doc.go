// Package keyboard holds the tools that enter text and press keys, clipboard included. Each tool is made by one
// function and described to models by the .md file of its name. internal/makers/tools lists them.
package keyboard

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the keyboard tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webType(), fill(), webClear(), webFillSecret(), webPressKey(),
		inputText(), inputTextRandom(), clearText(), eraseText(), hideKeyboard(), pressKey(), pressBack(),
		setClipboard(), pasteClipboard(),
	}
}
