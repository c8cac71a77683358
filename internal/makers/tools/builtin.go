package tools

import (
	"slices"
	"sync"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/assert"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/beside"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/form"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/inspect"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/keyboard"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/network"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/page"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/phone"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/pointer"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/scroll"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/sequence"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/values"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Builtin are the tools that ship with the product, by noun. Files to upload are read below the working directory.
func Builtin() []tool.Tool { return BuiltinIn("", nil) }

// BuiltinIn is Builtin with another workspace: files are read and written below root and nowhere else, and pages that
// are local files are looked for there first. apps knows the apps that the workspace declares; nil: there are none.
func BuiltinIn(root string, apps page.Apps) []tool.Tool {
	if apps == nil {
		apps = func(*memory.Store, driver.Platform, string) []string { return nil }
	}
	var built []tool.Tool
	find := func(name string) *tool.Spec {
		for _, t := range built {
			if s := t.Spec(); s.Name == name {
				return s
			}
		}
		return nil
	}
	makers := []func() []tool.Tool{
		func() []tool.Tool { return page.Tools(root, apps) },
		pointer.Tools,
		keyboard.Tools,
		func() []tool.Tool { return form.Tools(root) },
		scroll.Tools,
		inspect.Tools,
		assert.Tools,
		network.Tools,
		phone.Tools,
		values.Tools,
		func() []tool.Tool { return beside.Tools(root) },
		func() []tool.Tool { return sequence.Tools(find) },
	}
	// Their schemas are made from Go types, which every start of a daemon waits for: side by side.
	made := make([][]tool.Tool, len(makers))
	var all sync.WaitGroup
	for i, m := range makers {
		all.Go(func() { made[i] = m() })
	}
	all.Wait()
	built = slices.Concat(made...)
	return slices.Clone(built)
}

// needsModel are the tools that only a language model can carry out. A registry without the agent's tools does not
// have them; a trail that records one is refused with that reason before any device is touched.
var needsModel = []string{"assertWithAi", "rememberNumber", "rememberText", "rememberWithAi"}

// NeedsModel lists the names of the tools that need a language model at replay.
func NeedsModel() []string { return slices.Clone(needsModel) }

// The tools that commands of the shell call by name: the tools are in the daemon, so that the commands have no
// registry.
const (
	Click    = "web_click"
	Snapshot = "viewHierarchy" // which every platform has
)
