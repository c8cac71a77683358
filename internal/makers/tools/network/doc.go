// Package network holds the tools for the traffic of a page: requests, the console, downloads, cookies and storage.
// Each tool is made by one function and described to models by the .md file of its name. internal/makers/tools lists
// them.
package network

import (
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Tools are the network tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webRequests(), webMockRoute(), webClearRoutes(), webAssertNetworkEvent(), webConsole(),
		webDownloads(), webWaitForDownload(),
		webApplyCookies(), webGetStorageState(), webSetStorageState(),
	}
}
