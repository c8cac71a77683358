// Package phone holds the tools for what only phones have: their shell, permissions of apps, broadcasts, the home key.
// Each tool is made by one function and described to models by the .md file of its name. internal/makers/tools lists
// them.
package phone

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Action, Category: "DEVICE"}

// android is the spec of a tool that only Android has. Models are not shown it.
func android(name, title string, groups ...string) tool.Spec {
	s := set.Legacy(name, title)
	s.Groups, s.Platforms = groups, []driver.Platform{driver.AndroidPlatform}
	return s
}

// Tools are the tools of phones.
func Tools() []tool.Tool {
	return []tool.Tool{
		adbShell(), androidShell(), grantPermission(), grantPermissions(), sendBroadcast(), pressHome(),
	}
}
