package action_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/action"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// recalling remembers a capture, and acts on it only while it shows no other.
type recalling struct {
	*tooltest.Device
	seen *screen.Snapshot
}

func (d *recalling) Recall() *screen.Snapshot { return d.seen }

// What is found in the last capture is acted on without another one; the device says whether that still stands.
func TestDoActsOnWhatWasSeen(t *testing.T) {
	page := tooltest.Page(save("e1"))
	page.Seq = 7
	dev := &recalling{tooltest.NewDevice(page), page}
	dev.OnCapture(func(int) { t.Error("a screen that was seen is captured again") })
	if _, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]driver.Action{driver.Tap{Target: driver.Target{Node: 2, Seen: 7}}}, dev.Actions()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// When the device says that its screen has changed, the element is looked for there, and the evidence is of that screen.
func TestDoLooksAgainWhenTheScreenChanged(t *testing.T) {
	before, now := tooltest.Page(save("e1")), tooltest.Page(&screen.Node{Role: "heading", Name: "Late"}, save("e1"))
	before.Seq = 7
	dev := &recalling{tooltest.NewDevice(now), before}
	dev.Act = func(a driver.Action) (*driver.Effect, error) {
		if a.(driver.Tap).Target.Seen != 0 {
			return nil, fault.New(fault.NotFound, "click element", "the page has changed since it was looked at")
		}
		return &driver.Effect{Changes: driver.Changes{Tree: 1, Received: true}}, nil
	}
	r, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]driver.Action{driver.Tap{Target: driver.Target{Node: 3}}}, dev.Actions()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if r.Evidence.Screen != now {
		t.Error("the evidence is of the screen before")
	}
}

// An element that was not there when the screen was seen last is looked for now.
func TestDoLooksForWhatWasNotSeen(t *testing.T) {
	before := tooltest.Page(&screen.Node{Role: "heading", Name: "Empty"})
	dev := &recalling{tooltest.NewDevice(tooltest.Page(save("e1"))), before}
	if _, err := action.Do(t.Context(), tooltest.Env{Dev: dev}, click("e1")); err != nil {
		t.Fatal(err)
	}
	if len(dev.Actions()) != 1 {
		t.Errorf("%d actions, want the one", len(dev.Actions()))
	}
}
