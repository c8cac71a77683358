package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const counterPage = `<button onclick="this.textContent = 'Pressed ' + ++n">Press</button><input aria-label="Name"><select
aria-label="Size"><option>S<option>L</select>
	<p id="p">quiet</p><script>n = 0</script>`

// fewest counts what the driver asks of the browser, the fewest of several tries: on a slow machine
// a frame may pass between an action and the capture after it, which then has to ask.
func fewest(t *testing.T, d *Device, fn func()) int64 {
	t.Helper()
	least := int64(1 << 60)
	for range 5 {
		before := d.frames.Active.Session.CommandsSent()
		fn()
		least = min(least, d.frames.Active.Session.CommandsSent()-before)
	}
	return least
}

// The questions of a step are what a replay's time goes into: each costs a round trip through two
// processes.
func TestQuestionsOfAStep(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	press, name, size := byName(t, s, "button", "Press").ID, byName(t, s, "textbox", "Name").ID, byName(t, s, "combobox", "Size").ID
	do := func(a driver.Action) {
		t.Helper()
		if _, err := d.Perform(deadline(t), a); err != nil {
			t.Fatal(err)
		}
		snapshot(t, d)
	}
	sizes := []string{"S", "L"}
	tests := []struct {
		what string
		most int64
		do   func()
	}{
		{"a click: aim, three events, finish", 5, func() { do(driver.Tap{Target: driver.Target{Node: press}}) }},
		{"text: prepare, insert, finish", 3, func() { do(driver.TypeText{Target: driver.Target{Node: name}, Text: "x"}) }},
		{"a choice: choose", 1, func() {
			do(driver.SelectOption{Target: driver.Target{Node: size}, Options: sizes[1:]})
			sizes[0], sizes[1] = sizes[1], sizes[0]
		}},
		{"a text: look closely", 1, func() {
			if _, err := d.Illegible(deadline(t), press, "Pressed"); err != nil {
				t.Fatal(err)
			}
			snapshot(t, d)
		}},
		{"a capture of a page that was left alone: one question", 1, func() { snapshot(t, d) }},
		{"a page that is opened: navigate, rest", 2, func() { open(t, d, srv.URL+"/"); snapshot(t, d) }},
	}
	for _, tt := range tests {
		if got := fewest(t, d, tt.do); got > tt.most {
			t.Errorf("%s; and the capture after it nothing: cost %d questions, want %d", tt.what, got, tt.most)
		}
	}
}

// The capture that comes with an action is the one that a question of its own would have brought.
func TestCaptureAfterAnAction(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	press := byName(t, snapshot(t, d), "button", "Press").ID
	for range 5 {
		if _, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: press}}); err != nil {
			t.Fatal(err)
		}
		got := outline(snapshot(t, d).Root, 0)
		full, err := d.Snapshot(deadline(t), driver.SnapshotOptions{Full: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(outline(full.Root, 0), got); diff != "" {
			t.Fatalf("the capture after a click differs from a full one (-full +got):\n%s", diff)
		}
	}
}

// What changes after an action is seen, whoever changes it: the capture that came with the action
// is not used then.
func TestChangesAfterAnActionAreSeen(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage, "/frame": `<p>inside</p>`})
	tests := []struct {
		what   string
		change func(t *testing.T, d *Device)
	}{
		{"a script", func(t *testing.T, d *Device) { eval[any](t, d, "document.querySelector('#p').textContent = 'loud'") }},
		{"the page, heard of by an event", func(t *testing.T, d *Device) {
			heard := d.frames.Active.Session.Heard()
			changed := d.frames.Changes.Wait()
			d.frames.Active.Session.Tell("Runtime.evaluate",
				map[string]any{"expression": "document.querySelector('#p').textContent = 'loud'; history.pushState(0, '', '#' + Math.random())"})
			for d.frames.Active.Session.Heard() == heard {
				waittest.Await(t, changed, "the change is heard of")
				changed = d.frames.Changes.Wait()
			}
		}},
		{"the page, by itself, when a frame has passed", func(t *testing.T, d *Device) {
			doc := d.frames.Active.Main.Document
			d.frames.Active.Session.Tell("Runtime.evaluate", map[string]any{"expression": "document.querySelector('#p').textContent = 'loud'"})
			doc.Sight.Age()
		}},
		{"a frame that is there now", func(t *testing.T, d *Device) {
			eval[any](t, d, "document.querySelector('#p').textContent = 'loud', document.body.appendChild(document.createElement('iframe')).src = '/frame'")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			d := newDevice(t, DeviceOptions{})
			open(t, d, srv.URL+"/")
			press := byName(t, snapshot(t, d), "button", "Press").ID
			for range 3 {
				eval[any](t, d, "document.querySelector('#p').textContent = 'quiet'")
				if _, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: press}}); err != nil {
					t.Fatal(err)
				}
				tt.change(t, d)
				if !says(snapshot(t, d), "loud") {
					t.Fatal("the change is not in the capture after it")
				}
			}
		})
	}
}

// A closed shadow root that only the capture of an action named is still found by the next one.
func TestShadowRootsAfterAnAction(t *testing.T) {
	srv := serve(t, map[string]string{"/": `<button onclick="document.body.append(document.createElement('x-late'))">Press</button>
		<script>customElements.define('x-late', class extends HTMLElement {
			constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<p>Inside</p>'; }
		})</script>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	press := byName(t, snapshot(t, d), "button", "Press").ID
	if _, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: press}}); err != nil {
		t.Fatal(err)
	}
	eval[any](t, d, "1") // the capture that came with the action is not used
	if !says(snapshot(t, d), "Inside") {
		t.Error("what is in the closed shadow root is not in the capture")
	}
}

// A selector is never answered from a capture that nobody asked about it.
func TestSelectorsAfterAnAction(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	press := byName(t, snapshot(t, d), "button", "Press").ID
	if _, err := d.Perform(deadline(t), driver.Tap{Target: driver.Target{Node: press}}); err != nil {
		t.Fatal(err)
	}
	s, err := d.Snapshot(deadline(t), driver.SnapshotOptions{CSS: []string{"button"}})
	if err != nil || len(s.CSS["button"]) != 1 {
		t.Errorf("the selector matched %v, %v, want the one button", s.CSS["button"], err)
	}
}

// A capture that came to nothing takes no news from the next.
func TestCaptureAfterABadSelector(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	snapshot(t, d)
	eval[any](t, d, "document.querySelector('#p').textContent = 'loud'")
	if _, err := d.Snapshot(deadline(t), driver.SnapshotOptions{CSS: []string{"["}}); err == nil {
		t.Fatal("a selector that is none was taken")
	}
	if !says(snapshot(t, d), "loud") {
		t.Error("the change is not in the capture after the one that failed")
	}
}

func says(s *screen.Snapshot, text string) bool { return len(s.FindText(text)) > 0 }
