// Package prose finds the description of a tool: the .md file beside its Go file, which is what a model reads. The
// built-in tools call it while they are put together; it keeps no state.
package prose

import (
	"io/fs"
	"strings"
)

// Of is the text of <name>.md. A missing file gives "", which the test over all built-in tools refuses.
func Of(files fs.FS, name string) string {
	text, err := fs.ReadFile(files, name+".md")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
