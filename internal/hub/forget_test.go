package hub_test

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/hub"
	"github.com/trailblaze-dev/trailblaze/internal/toolset"
)

// What clients once asked for does not pile up: names of devices, folders, and seats of calls that stand alone. What is open,
// who is connected and what stands on disk is there as before.
func TestBounded(t *testing.T) {
	var closed atomic.Int32
	r := rig(t, hub.Options{Workspace: func(root string) (*hub.Workspace, error) {
		return &hub.Workspace{Root: root, Close: func() error { closed.Add(1); return nil }}, nil
	}})
	first, here := r.Seat("mcp", "first"), r.Seat("mcp", "here")
	defer here.Enter()()
	if err := first.Update(func(st *hub.SeatState) error { st.Categories = []toolset.Category{"TABS"}; return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Connect(t.Context(), here, hub.DeviceSpec{ID: "web/kept"}); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * hub.MaxSlots {
		if err := r.Disconnect(t.Context(), here, fmt.Sprintf("web/n%d", i)); err == nil {
			t.Fatal("disconnected what was never there")
		}
	}
	for i := range 2 * hub.MaxSpaces {
		s, err := r.Hub.Seat("", hub.NewSeat{Client: "http", Name: "once", Workspace: filepath.Join(r.Workspace, fmt.Sprint(i))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Call(t.Context(), s, "", "demo_who", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * hub.MaxSeats {
		r.Seat("mcp", "once")
	}
	if _, err := r.Connect(t.Context(), here, hub.DeviceSpec{ID: "web/kept"}); err != nil {
		t.Fatal(err)
	}
	slots, spaces, seats := r.Remembered()
	if slots > hub.MaxSlots+1 || spaces > hub.MaxSpaces+1 || seats > hub.MaxSeats+1 {
		t.Errorf("there are %d slots, %d workspaces, %d seats", slots, spaces, seats)
	}
	if closed.Load() == 0 {
		t.Error("no workspace was closed")
	}
	if st := r.Status(); len(st.Devices) != 1 || st.Devices[0].ID != "web/kept" {
		t.Errorf("open are %+v", st.Devices)
	}
	if again, ok := r.Lookup(here.Handle()); !ok || again != here {
		t.Error("who is connected was forgotten")
	}
	if again, ok := r.Lookup(first.Handle()); !ok || len(again.State().Categories) != 1 {
		t.Error("a seat on disk was forgotten")
	}
}
