package hub

import (
	"context"
	"slices"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// View returns the facts that decide which tools a client sees now. A client whose program samples has a model.
func (h *Hub) View(c *clients.Client, samples bool) toolset.View {
	st := c.State()
	v := toolset.View{
		Mode: st.Mode, Categories: st.Categories, Prefix: st.Prefix,
		HasModel: samples || h.Model(context.Background(), c) != nil,
	}
	v.Target, v.App = h.Target(c)
	v.Also = h.Listed(c)
	if st.Device == "" {
		return v
	}
	for _, d := range h.Status().Devices {
		if d.ID == st.Device {
			v.Platform, v.Driver = driver.Platform(d.Platform), d.Driver
		}
	}
	return v
}

// WatchView calls fn after every change that can change which tools a client sees, until stop.
func (h *Hub) WatchView(c *clients.Client, fn func()) (stop func()) {
	state := c.Watch(func(before, after clients.State) {
		if listsDiffer(before, after) {
			fn()
		}
	})
	tools := h.WatchTools(func(root string) {
		if c.State().Workspace == root {
			fn()
		}
	})
	return func() {
		state()
		tools()
	}
}

func listsDiffer(before, after clients.State) bool {
	return before.Mode != after.Mode || before.Prefix != after.Prefix || before.Device != after.Device ||
		before.Target != after.Target || before.Workspace != after.Workspace ||
		!slices.Equal(before.Categories, after.Categories) || !slices.Equal(before.Toolsets, after.Toolsets)
}
