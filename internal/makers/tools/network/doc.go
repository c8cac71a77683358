// Package network holds the tools for the traffic of a page: requests, the console, downloads, cookies and storage.
// Each tool is made by one function and described to models by the .md file of its name. internal/makers/tools lists
// them.
package network

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/descriptions"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

var set = descriptions.Set{Files: texts, Kind: tool.Query, Category: "NETWORK", WebGroup: "web_core"}

func web(name, title string, kind tool.Kind) tool.Spec { return set.Of(kind).Web(name, title) }

func devtools(name, title string, kind tool.Kind) tool.Spec {
	return set.Of(kind).Devtools(name, title)
}

// Tools are the network tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webRequests(), webMockRoute(), webClearRoutes(), webAssertNetworkEvent(), webConsole(),
		webDownloads(), webWaitForDownload(),
		webApplyCookies(), webGetStorageState(), webSetStorageState(),
	}
}
