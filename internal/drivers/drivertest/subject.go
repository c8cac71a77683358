package drivertest

import (
	"context"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Scene is a screen the suite works on.
type Scene string

// The scenes. Labels are accessible names, and a driver's snapshot must show exactly these texts.
const (
	// Form has a text field "Name" (empty), a password field "Secret" holding "hunter2", a check box "Agree" (off), a
	// choice "Colour" of Red, Green and Blue (Red), a disabled button "Never", and a button "Save" that shows the text
	// "Saved " and the name, and counts: "Saves: 1".
	Form Scene = "form"
	// List has the buttons "Row 0" to "Row 99" in a column that scrolls; tapping one shows the text "Chosen: 7".
	List Scene = "list"
	// Changing has a button "Start" that removes the button "Old" and shows the text "New" a moment later.
	Changing Scene = "changing"
	// Windows has a button "Ask" that opens a window over the button "Below" with the text "Sure?" and a button "Yes",
	// which closes it and shows "Answer: yes, taps: 0"; that text counts the taps on Below.
	Windows Scene = "windows"
)

// Subject is a driver under test.
type Subject struct {
	// Open opens a device; the suite closes it.
	Open func(t testing.TB) driver.Device
	// Scaled opens a device whose pictures have another number of pixels than its snapshots; nil: there is none.
	Scaled func(t testing.TB) driver.Device
	// Has names the capabilities of a device.
	Has []string
	// Show brings the scene up on the device and returns when it can be used.
	Show func(t testing.TB, d driver.Device, s Scene)
}

const timeout = 30 * time.Second

// stage is one device with one scene on it.
type stage struct {
	testing.TB
	d driver.Device
}

func (s Subject) stage(t testing.TB, scene Scene) *stage {
	t.Helper()
	return s.on(t, s.Open, scene)
}

func (s Subject) on(t testing.TB, open func(testing.TB) driver.Device, scene Scene) *stage {
	t.Helper()
	d := open(t)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	s.Show(t, d, scene)
	return &stage{t, d}
}

func (s *stage) ctx() context.Context {
	ctx, cancel := context.WithTimeout(s.Context(), timeout)
	s.Cleanup(cancel)
	return ctx
}

func (s *stage) snapshot() *screen.Snapshot {
	s.Helper()
	snap, err := s.d.Snapshot(s.ctx(), driver.SnapshotOptions{})
	if err != nil {
		s.Fatalf("snapshot: %v", err)
	}
	if snap.Quality.Verdict != screen.Complete {
		s.Fatalf("snapshot is %+v", snap.Quality)
	}
	return snap
}

// node finds the one node that is called name: by its accessible name, or its text.
func (s *stage) node(name string) *screen.Node {
	s.Helper()
	snap := s.snapshot()
	n := find(snap, name)
	if n == nil {
		s.Fatalf("nothing is called %q", name)
	}
	return n
}

func find(snap *screen.Snapshot, name string) *screen.Node {
	var found *screen.Node
	walk(snap.Root, func(n *screen.Node) {
		if found == nil && (n.Name == name || n.Name == "" && n.Text == name) && (n.Ref != "" || n.Text == name) {
			found = n
		}
	})
	return found
}

func walk(n *screen.Node, fn func(*screen.Node)) {
	fn(n)
	for _, c := range n.Children {
		walk(c, fn)
	}
}

// perform carries out an action that must work and must leave evidence.
func (s *stage) perform(a driver.Action) *driver.Effect {
	s.Helper()
	e, err := s.d.Perform(s.ctx(), a)
	if err != nil {
		s.Fatalf("perform %+v: %v", a, err)
	}
	if e == nil || e.Settle.Reason == "" {
		s.Errorf("perform %+v: no evidence of how it settled: %+v", a, e)
	}
	return e
}

// see waits until a text shows.
func (s *stage) see(text string) {
	s.Helper()
	ctx := s.ctx()
	for {
		snap, err := s.d.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			s.Fatalf("wait for %q: %v", text, err)
		}
		seen := false
		walk(snap.Root, func(n *screen.Node) {
			seen = seen || n.Visibility == screen.Visible && (n.Text == text || n.Name == text)
		})
		if seen {
			return
		}
		if w, ok := driver.As[driver.Waiter](s.d); ok {
			if err := w.WaitChange(ctx, snap); err != nil {
				s.Fatalf("wait for %q: %v", text, err)
			}
		}
	}
}

func at(n *screen.Node) driver.Target { return driver.Target{Node: n.ID} }
