// Package traffic holds the tools for what goes in and out of a page: requests, the console, downloads, cookies and
// storage. Each tool is made by one function and described to models by the .md file of its name. internal/tools lists them.
package traffic

import (
	"embed"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/tools/perform"
	"github.com/trailblaze-dev/trailblaze/internal/tools/prose"
	"github.com/trailblaze-dev/trailblaze/tool"
)

//go:embed *.md
var texts embed.FS

// Tools are the traffic tools.
func Tools() []tool.Tool {
	return []tool.Tool{
		webRequests(), webMockRoute(), webClearRoutes(), webAssertNetworkEvent(), webConsole(),
		webDownloads(), webWaitForDownload(),
		webApplyCookies(), webGetStorageState(), webSetStorageState(),
	}
}

func web(name, title string, kind tool.Kind) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: kind, Groups: []string{"web_core"},
		Platforms: []driver.Platform{driver.WebPlatform}, ExposedToLLM: true, Recordable: true,
	}
}

// devtools is the spec of a tool for whoever looks behind the page; it is in a toolset of its own, so that a model that
// only uses the page is not shown it.
func devtools(name, title string, kind tool.Kind) tool.Spec {
	s := web(name, title, kind)
	s.Groups = []string{"web_devtools"}
	return s
}

// capability is what the device can do beyond the common, or why it cannot.
func capability[T any](env tool.Env, what string) (T, error) {
	var zero T
	dev, err := perform.Device(env)
	if err != nil {
		return zero, err
	}
	c, ok := driver.As[T](dev)
	if !ok {
		return zero, fault.New(fault.Unsupported, what, "device %s (%s) cannot do this", dev.Info().ID, dev.Info().Platform)
	}
	return c, nil
}

// none is the result of an action that by its nature leaves nothing to be seen, and why.
func none(why, format string, args ...any) *tool.Result {
	r := tool.TextResult(format, args...)
	r.Evidence = &tool.Evidence{None: why}
	return r
}

type noIn struct{ perform.Note }
