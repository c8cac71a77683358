// Package form holds the tools for controls that are not text: selects, checkboxes, file inputs. Each tool is made by
// one function and described to models by the .md file of its name. internal/tools lists them.
package form

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the form tools. Files to upload are read below root only; an empty root is the working directory.
func Tools(root string) []tool.Tool {
	return []tool.Tool{webSelectOption(), webSetChecked(), webUploadFile(root)}
}

func web(name, title string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: tool.Action, Groups: []string{"web_core"},
		Platforms: []driver.Platform{driver.WebPlatform}, ExposedToLLM: true, Recordable: true,
	}
}
