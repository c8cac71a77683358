// Package form holds the tools for controls that are not text: selects, checkboxes, file inputs. Each tool is made by
// one function and described to models by the .md file of its name. internal/makers/tools lists them.
package form

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the form tools. Files to upload are read below root only; an empty root is the working directory.
func Tools(root string) []tool.Tool {
	return []tool.Tool{webSelectOption(), webSetChecked(), webUploadFile(root)}
}
