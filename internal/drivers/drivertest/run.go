package drivertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// Run runs the whole suite.
func Run(t *testing.T, s Subject) {
	t.Helper()
	tests := []struct {
		name string
		run  func(*testing.T, Subject)
	}{
		{"info", testInfo},
		{"snapshot says what is there", testSnapshot},
		{"ids and refs are stable and never reused", testIdentity},
		{"secrets stay on the device", testSecrets},
		{"capabilities are those that the driver says", testCapabilities},
		{"screenshot is a picture of the screen", testScreenshot},
		{"screenshot with another number of pixels", testScaled},
		{"screenshot without secrets", testConceal},
		{"tap acts once", testTap},
		{"text is read back", testText},
		{"check boxes and choices", testChoices},
		{"scroll and reveal", testScroll},
		{"a stale element is never replaced by another", testStale},
		{"windows over others", testWindows},
		{"a disabled element is not acted on", testDisabled},
		{"waiting for change", testWait},
		{"deadlines are kept", testDeadline},
		{"looking while acting", testConcurrent},
		{"close", testClose},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.run(t, s)
		})
	}
}

func testInfo(t *testing.T, s Subject) {
	i := s.stage(t, Form).d.Info()
	if i.ID == "" || i.Platform == "" || i.Driver == "" || i.Width <= 0 || i.Height <= 0 || len(i.Classifiers) == 0 {
		t.Errorf("info is incomplete: %+v", i)
	}
	if i.Classifiers[0] != string(i.Platform) {
		t.Errorf("classifiers %v do not begin with the platform %s", i.Classifiers, i.Platform)
	}
}

func testSnapshot(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	snap := s.snapshot()
	if snap.Platform == "" || snap.Width <= 0 || snap.Height <= 0 || snap.Taken.IsZero() || snap.Seq == 0 {
		t.Errorf("%+v", snap)
	}
	testIndex(t, snap)
	testStates(t, snap)
}

// testIndex: each node has an id and a role, is found by id and ref, and knows its parent.
func testIndex(t *testing.T, snap *screen.Snapshot) {
	ids, refs := map[screen.NodeID]bool{}, map[string]bool{}
	walk(snap.Root, func(n *screen.Node) {
		if n.ID == 0 || ids[n.ID] || n.Role == "" || n.Native == nil {
			t.Errorf("node %+v", n)
		}
		if n.Ref != "" && refs[n.Ref] {
			t.Errorf("ref %s twice", n.Ref)
		}
		ids[n.ID], refs[n.Ref] = true, true
		if snap.Node(n.ID) != n || n.Ref != "" && snap.ByRef(n.Ref) != n {
			t.Errorf("node %d is not in the index", n.ID)
		}
		for _, c := range n.Children {
			if c.Parent != n {
				t.Errorf("node %d does not know its parent", c.ID)
			}
		}
	})
}

// testStates: a form's elements are in the state that a person sees.
func testStates(t *testing.T, snap *screen.Snapshot) {
	for _, want := range []struct {
		name  string
		state screen.State
		not   screen.State
	}{
		{"Name", screen.Editable, screen.Disabled | screen.Password},
		{"Secret", screen.Password | screen.Masked, 0},
		{"Agree", screen.Checkable, screen.Checked},
		{"Never", screen.Disabled, 0},
		{"Save", screen.Clickable, screen.Disabled},
	} {
		n := find(snap, want.name)
		if n == nil {
			t.Errorf("nothing is called %q", want.name)
			continue
		}
		if !n.State.Has(want.state) || n.State&want.not != 0 || n.Visibility != screen.Visible || n.Bounds.Empty() {
			t.Errorf("%s: state %b, visibility %d, bounds %+v", want.name, n.State, n.Visibility, n.Bounds)
		}
	}
}

func testIdentity(t *testing.T, sub Subject) {
	s := sub.stage(t, Changing)
	before := s.snapshot()
	start, old := find(before, "Start"), find(before, "Old")
	if start == nil || old == nil {
		t.Fatal("the scene is incomplete")
	}
	again := s.snapshot()
	if again.Seq <= before.Seq {
		t.Errorf("captures %d, then %d", before.Seq, again.Seq)
	}
	s.perform(driver.Tap{Target: at(start)})
	s.see("New")
	after := s.snapshot()
	if n := after.ByRef(start.Ref); n == nil || n.ID != start.ID || n.Name != "Start" {
		t.Errorf("%s was Start and is %+v", start.Ref, n)
	}
	walk(after.Root, func(n *screen.Node) {
		if n.ID == old.ID || n.Ref == old.Ref {
			t.Errorf("what named Old names %+v", n)
		}
	})
}

func testSecrets(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	walk(s.snapshot().Root, func(n *screen.Node) {
		if n.Value == "hunter2" || n.Text == "hunter2" || n.Name == "hunter2" {
			t.Errorf("the secret is in %+v", n)
		}
	})
	e := s.perform(driver.TypeText{Target: at(s.node("Secret")), Text: "correct horse", Clear: true, Secret: true})
	if e.Value != "" {
		t.Errorf("the effect of typing a secret holds %q", e.Value)
	}
}

func testStale(t *testing.T, sub Subject) {
	s := sub.stage(t, Changing)
	old := s.node("Old")
	s.perform(driver.Tap{Target: at(s.node("Start"))})
	s.see("New")
	_, err := s.d.Perform(s.ctx(), driver.Tap{Target: at(old)})
	if k := fault.KindOf(err); k != fault.NotFound && k != fault.NotActed {
		t.Errorf("tap on an element that is gone: %v", err)
	}
	if x, ok := driver.As[driver.StaleRefs](s.d); ok && x.ExplainRef(old.Ref) == "" {
		t.Error("the stale ref is not explained")
	}
}

func testDeadline(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	save := s.node("Save")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"snapshot":   func() error { _, err := s.d.Snapshot(ctx, driver.SnapshotOptions{}); return err },
		"screenshot": func() error { _, err := s.d.Screenshot(ctx, driver.ScreenshotOptions{}); return err },
		"perform":    func() error { _, err := s.d.Perform(ctx, driver.Tap{Target: at(save)}); return err },
	} {
		began := time.Now()
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with an ended context: %v", name, err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s with an ended context took %v", name, took)
		}
	}
	if find(s.snapshot(), "Saves: 1") != nil {
		t.Error("an action whose context had ended was carried out")
	}
}

func testConcurrent(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	save := s.node("Save")
	const n = 5
	errs := make(chan error, 2*n)
	for range n {
		go func() { _, err := s.d.Perform(s.ctx(), driver.Tap{Target: at(save)}); errs <- err }()
		go func() { _, err := s.d.Snapshot(s.ctx(), driver.SnapshotOptions{}); errs <- err }()
	}
	for range 2 * n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	s.see("Saves: 5")
}

func testClose(t *testing.T, sub Subject) {
	d := sub.Open(t)
	sub.Show(t, d, Form)
	for range 2 {
		if err := d.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if _, err := d.Snapshot(t.Context(), driver.SnapshotOptions{}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("snapshot of a closed device: %v", err)
	}
}
