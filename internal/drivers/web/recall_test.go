package web

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// idle lets the capture that came along with the last answer grow old, as it does while an agent thinks.
func idle(d *Device) { d.frames.Active.Main.Document.Sight.Age() }

// An action on what was seen last asks nothing before its first question, and that finds out whether the page still looks so.
func TestQuestionsOfWhatWasSeen(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	press, name, size := byName(t, s, "button", "Press").ID, byName(t, s, "textbox", "Name").ID, byName(t, s, "combobox", "Size").ID
	seen := func() uint64 {
		t.Helper()
		idle(d)
		last := d.Recall()
		if last == nil {
			t.Fatal("nothing is recalled of a page that was left alone")
		}
		return last.Seq
	}
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
		{"a click: aim, three events, finish", 5, func() { do(driver.Tap{Target: driver.Target{Node: press, Seen: seen()}}) }},
		{"text: prepare, insert, finish", 3, func() { do(driver.TypeText{Target: driver.Target{Node: name, Seen: seen()}, Text: "x"}) }},
		{"a choice: choose", 1, func() {
			do(driver.SelectOption{Target: driver.Target{Node: size, Seen: seen()}, Options: sizes[1:]})
			sizes[0], sizes[1] = sizes[1], sizes[0]
		}},
		{"a text: look closely", 1, func() {
			seen()
			read := func() {
				if _, err := d.Illegible(deadline(t), press, "Pressed"); err != nil {
					t.Fatal(err)
				}
			}
			read() // ahead
			snapshot(t, d)
			read() // and when the capture is there
		}},
	}
	for _, tt := range tests {
		if got := fewest(t, d, tt.do); got > tt.most {
			t.Errorf("%s: cost %d questions, want %d", tt.what, got, tt.most)
		}
	}
}

// Whatever differs from what was seen, nothing is sent to an element that was found there, and the next capture shows it.
func TestNothingIsSentToWhatChanged(t *testing.T) {
	srv := serve(t, map[string]string{"/": counterPage + `<p style="height:3000px">tall</p>`})
	d := newDevice(t, DeviceOptions{})
	open(t, d, srv.URL+"/")
	s := snapshot(t, d)
	press, name := byName(t, s, "button", "Press").ID, byName(t, s, "textbox", "Name").ID
	tests := []struct{ what, change string }{
		{"a text elsewhere", "p.textContent = 'loud'"},
		{"the element's name", "document.querySelector('button').textContent = 'Delete'"},
		{"a value", "document.querySelector('input').value = 'other'"},
		{"a choice", "document.querySelector('select').selectedIndex = 1"},
		{"the focus", "document.querySelector('input').focus()"},
		{"the place", "scrollTo(0, 900)"},
		{"the title", "document.title = 'Another'"},
		{"something on top", "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0;background:#fff\">')"},
	}
	for _, tt := range tests {
		idle(d)
		seen := d.Recall()
		if seen == nil {
			t.Fatal("nothing is recalled")
		}
		eval[any](t, d, tt.change+", 0")
		for _, act := range []driver.Action{
			driver.Tap{Target: driver.Target{Node: press, Seen: seen.Seq}},
			driver.TypeText{Target: driver.Target{Node: name, Seen: seen.Seq}, Text: "x"},
		} {
			if _, err := d.Perform(deadline(t), act); fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s changed: %T ended with %v, want not found", tt.what, act, err)
			}
		}
		if n, v := eval[int](t, d, "n"), eval[string](t, d, "document.querySelector('input').value"); n != 0 || len(v) == 1 {
			t.Errorf("%s changed: the button was pressed %d times and the field holds %q", tt.what, n, v)
		}
		snapshot(t, d)
	}
	idle(d)
	key := driver.PressKey{Target: driver.Target{Node: name, Seen: d.Recall().Seq}, Key: "a"}
	if _, err := d.Perform(deadline(t), key); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a key, which does not ask whether the page changed, ended with %v, want not found", err)
	}
}
