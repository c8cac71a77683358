package hub_test

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// What clients once asked for does not pile up: names of devices, folders, and clients of calls that stand alone. What
// is open, who is connected and what stands on disk is there as before.
func TestBounded(t *testing.T) {
	var closed atomic.Int32
	r := rig(t, hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{Root: root, Close: func() error { closed.Add(1); return nil }}, nil
	}})
	first, here := r.Client("mcp", "first"), r.Client("mcp", "here")
	defer here.Enter()()
	if err := first.Update(func(st *clients.State) error { st.Categories = []toolset.Category{"TABS"}; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Connect(t.Context(), here, devices.Spec{ID: "web/kept"}); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * devices.MaxUnused {
		if err := r.Disconnect(t.Context(), here, fmt.Sprintf("web/n%d", i)); err == nil {
			t.Fatal("disconnected what was never there")
		}
	}
	for i := range 2 * hub.MaxIdleWorkspaces {
		s, err := r.Hub.Client("", clients.Identity{Kind: "http", Name: "once", Workspace: filepath.Join(r.Workspace, fmt.Sprint(i))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Call(t.Context(), s, "", "demo_who", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * clients.MaxInMemory {
		r.Client("mcp", "once")
	}
	if _, err := r.Connect(t.Context(), here, devices.Spec{ID: "web/kept"}); err != nil {
		t.Fatal(err)
	}
	managed, spaces, known := r.Remembered()
	if managed > devices.MaxUnused+1 || spaces > hub.MaxIdleWorkspaces+1 || known > clients.MaxInMemory+1 {
		t.Errorf("there are %d managed devices, %d workspaces, %d clients", managed, spaces, known)
	}
	if closed.Load() == 0 {
		t.Error("no workspace was closed")
	}
	if st := r.Status(); len(st.Devices) != 1 || st.Devices[0].ID != "web/kept" {
		t.Errorf("open are %+v", st.Devices)
	}
	if again, ok := r.Lookup(here.ID()); !ok || again != here {
		t.Error("who is connected was forgotten")
	}
	if again, ok := r.Lookup(first.ID()); !ok || len(again.State().Categories) != 1 {
		t.Error("a client on disk was forgotten")
	}
}
