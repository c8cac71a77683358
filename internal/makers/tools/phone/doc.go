// Package phone holds the tools for what only phones have: their shell, permissions of apps, broadcasts, the home key.
// Each tool is made by one function and described to models by the .md file of its name. internal/makers/tools lists
// them.
package phone

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the tools of phones.
func Tools() []tool.Tool {
	return []tool.Tool{
		adbShell(), androidShell(), grantPermission(), grantPermissions(), grantAppOpsPermission(), sendBroadcast(),
		listInstalledAppsDetailed(), systemUIDemoMode(), writeFileToDownloads(), writeBytesToFile(), networkConnection(),
		pressHome(),
	}
}
