// Package page holds the tools for documents and what holds them: navigation, tabs, frames, dialogs, viewport, scripts,
// apps. Each tool is made by one function and described to models by the .md file of its name. internal/tools lists them.
package page

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

// Tools are the page tools. Names of local files are looked for below root first, then in the working directory.
func Tools(root string) []tool.Tool {
	return []tool.Tool{
		webNavigate(root), navigate(root), openURL(root), webCurrentURL(), webWaitForURL(),
		launchApp(root), stopApp(), listInstalledApps(), clearAppData(), mobileClearAppData(),
		webListTabs(), webNewTab(root), webSwitchTab(), webCloseTab(), webListFrames(),
		webHandleDialog(), webSetDialogPolicy(), webDialogs(),
		webResize(), webEmulate(), webEvaluate(), evaluateJs(),
	}
}

func shared(name, title string, kind tool.Kind, groups ...string) tool.Spec {
	return tool.Spec{
		Name: name, Title: title, Description: prose.Of(texts, name), Kind: kind, Groups: groups,
		ExposedToLLM: true, Recordable: true,
	}
}

func web(name, title string, kind tool.Kind) tool.Spec {
	s := shared(name, title, kind, "web_core")
	s.Platforms = []driver.Platform{driver.WebPlatform}
	return s
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
