// Package page holds the tools for documents and their containers: navigation, tabs, frames, dialogs, viewport,
// scripts, apps. Each tool is made by one function and described to models by the .md file of its name.
// internal/makers/tools lists them.
package page

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the page tools. Names of local files are looked for below root first, then in the working directory.
func Tools(root string, apps Apps) []tool.Tool {
	return []tool.Tool{
		webNavigate(root), navigate(root), openURL(root), webCurrentURL(), webWaitForURL(),
		launchApp(root, apps), stopApp(apps), listInstalledApps(), clearAppData(apps), mobileClearAppData(apps),
		webListTabs(), webNewTab(root), webSwitchTab(), webCloseTab(), webListFrames(),
		webHandleDialog(), webSetDialogPolicy(), webDialogs(),
		webResize(), webEmulate(), webEvaluate(), evaluateJs(),
	}
}
