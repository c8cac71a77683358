// Package tooltest is a device and an environment for tests of tools: a screen that the test sets and changes, and a
// log of the actions on it. Browsers are tested on a real browser; this is for the work of a tool with their answers.
//
// A Device is safe for concurrent use.
//
//	dev := tooltest.NewDevice(tooltest.Page(&screen.Node{Role: "button", Name: "Save", Ref: "e1"}))
//	result, err := someTool.Run(ctx, tooltest.Env{Dev: dev}, args)
package tooltest

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// Page is a capture of a page with these nodes, ids given in reading order where there are none.
func Page(nodes ...*screen.Node) *screen.Snapshot {
	s := &screen.Snapshot{
		Platform: string(driver.WebPlatform), URL: "https://shop.test/", Title: "Shop", Width: 1280, Height: 800,
		Taken:   time.Now(),
		Quality: screen.Quality{Verdict: screen.Complete},
		Root:    &screen.Node{ID: 1, Role: "document", Native: &screen.Web{Tag: "html"}, Children: nodes},
	}
	next := screen.NodeID(2)
	var number func(*screen.Node)
	number = func(n *screen.Node) {
		if n.ID == 0 {
			n.ID = next
		}
		next = max(next, n.ID) + 1
		if n.Native == nil {
			n.Native = &screen.Web{}
		}
		for _, c := range n.Children {
			number(c)
		}
	}
	for _, n := range nodes {
		number(n)
	}
	s.Index()
	return s
}

// Device shows the screen that it is given.
type Device struct {
	// Act, when set, answers actions; otherwise every action is said to have changed something.
	Act func(driver.Action) (*driver.Effect, error)

	mu        sync.Mutex
	snap      *screen.Snapshot
	changed   chan struct{}
	actions   []driver.Action
	looks     int
	onCapture func(n int)
}

var (
	_ driver.Device    = (*Device)(nil)
	_ driver.Waiter    = (*Device)(nil)
	_ driver.StaleRefs = (*Device)(nil)
)

// NewDevice is a device that shows snap.
func NewDevice(snap *screen.Snapshot) *Device {
	return &Device{snap: snap, changed: make(chan struct{})}
}

// Show changes the screen and wakes the calls that wait for that.
func (d *Device) Show(snap *screen.Snapshot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	snap.Seq = d.snap.Seq + 1
	d.snap = snap
	close(d.changed)
	d.changed = make(chan struct{})
}

// OnCapture calls f with the number of each capture, from 1, before it is taken.
func (d *Device) OnCapture(f func(n int)) { d.onCapture = f }

// Actions returns the actions so far.
func (d *Device) Actions() []driver.Action {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]driver.Action(nil), d.actions...)
}

// Info implements driver.Device.
func (d *Device) Info() driver.Info {
	return driver.Info{ID: "fake", Platform: driver.WebPlatform, Driver: "PLAYWRIGHT_NATIVE", Width: 1280, Height: 800,
		Classifiers: []string{string(driver.WebPlatform)}}
}

// Snapshot implements driver.Device.
func (d *Device) Snapshot(ctx context.Context, _ driver.SnapshotOptions) (*screen.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.looks++
	n, f := d.looks, d.onCapture
	d.mu.Unlock()
	if f != nil {
		f(n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.snap, nil
}

// Screenshot implements driver.Device.
func (d *Device) Screenshot(context.Context, driver.ScreenshotOptions) (driver.Image, error) {
	return driver.Image{Data: []byte("picture"), MIME: "image/jpeg", Width: 1280, Height: 800}, nil
}

// Perform implements driver.Device.
func (d *Device) Perform(_ context.Context, a driver.Action) (*driver.Effect, error) {
	if d.Act != nil {
		e, err := d.Act(a)
		if err != nil {
			return e, err
		}
		d.note(a)
		return e, nil
	}
	d.note(a)
	return &driver.Effect{Changes: driver.Changes{Tree: 1, Received: true}, Settle: driver.Settle{Reason: "quiet"}}, nil
}

func (d *Device) note(a driver.Action) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.actions = append(d.actions, a)
}

// WaitChange implements driver.Waiter.
func (d *Device) WaitChange(ctx context.Context, since *screen.Snapshot) error {
	d.mu.Lock()
	changed, now := d.changed, d.snap
	d.mu.Unlock()
	if since != nil && since != now {
		return nil
	}
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ExplainRef implements driver.StaleRefs.
func (d *Device) ExplainRef(ref string) string { return ref + " was button \"Old\"; it was removed" }

// Close implements driver.Device.
func (d *Device) Close() error { return nil }

// Env is the world of a tool under test. A nil Dev is a session without a device.
type Env struct {
	Dev driver.Device
	Mem *memory.Store
}

var _ tool.Env = Env{}

// Device implements tool.Env.
func (e Env) Device() driver.Device { return e.Dev }

// Memory implements tool.Env.
func (e Env) Memory() *memory.Store { return e.Mem }

// Call implements tool.Env: nothing can be called from here.
func (e Env) Call(context.Context, tool.Call) (*tool.Result, error) {
	return nil, fault.New(fault.Unsupported, "call tool", "no nested calls in this test")
}

// Args encodes arguments.
func Args(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
