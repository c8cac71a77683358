package agent

import (
	"context"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// byRole are the roles of elements that a tool may be of use for.
var byRole = map[string][]tool.Occasion{
	"combobox": {tool.AtChoice}, "listbox": {tool.AtChoice, tool.AtList},
	"list": {tool.AtList}, "table": {tool.AtList}, "grid": {tool.AtList}, "treegrid": {tool.AtList}, "tree": {tool.AtList},
}

// occasions are what a device has now that tools may be of use for. What cannot be asked is taken not to be there: the
// model can look for the tool.
func occasions(ctx context.Context, dev driver.Device, snap *screen.Snapshot) map[tool.Occasion]bool {
	now := map[tool.Occasion]bool{tool.AtDialog: snap.Dialog != nil}
	below(snap.Root, now)
	if tabs, ok := driver.As[driver.Tabs](dev); ok {
		open, err := tabs.Tabs(ctx)
		now[tool.AtTabs] = err == nil && len(open) > 1
	}
	if files, ok := driver.As[driver.Downloader](dev); ok {
		came, err := files.Downloads(ctx)
		now[tool.AtFiles] = err == nil && len(came) > 0
	}
	return now
}

// below notes what an element and those in it are occasions for.
func below(n *screen.Node, now map[tool.Occasion]bool) {
	if n == nil {
		return
	}
	for _, o := range byRole[n.Role] {
		now[o] = true
	}
	if n.State.Has(screen.Checkable) && n.Role != "option" {
		now[tool.AtBox] = true
	}
	for _, c := range n.Children {
		below(c, now)
	}
}

// occasion is when a tool is offered unasked. Another form of a tool, as phones have it, is offered when that one is.
func occasion(reg *tool.Registry, s *tool.Spec) tool.Occasion {
	if t, ok := reg.Get(s.Replaces); ok && s.Occasion == "" {
		return t.Spec().Occasion
	}
	return s.Occasion
}

// offer adds the tools whose occasion has come. They stay: a list that does not change stays in a provider's cache.
func (c *catalog) offer(reg *tool.Registry, now map[tool.Occasion]bool) {
	before := len(c.list)
	for _, s := range c.sorted() {
		if now[occasion(reg, s)] && c.place(s.Name) < 0 {
			c.list = append(c.list, brief(s))
		}
	}
	if len(c.list) > before {
		c.sent = tokensOf(c.list)
	}
}
