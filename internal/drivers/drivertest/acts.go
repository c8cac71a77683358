package drivertest

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg" // the formats drivers may use
	_ "image/png"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

func testScreenshot(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	img, err := s.d.Screenshot(s.ctx(), driver.ScreenshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pic, format, err := image.Decode(bytes.NewReader(img.Data))
	if err != nil {
		t.Fatal(err)
	}
	if img.MIME != "image/"+format || pic.Bounds().Dx() != img.Width || pic.Bounds().Dy() != img.Height {
		t.Errorf("says %s %d x %d, is %s %v", img.MIME, img.Width, img.Height, format, pic.Bounds())
	}
	if i := s.d.Info(); img.Width != i.Width || img.Height != i.Height {
		t.Errorf("the picture is %d x %d, the device %d x %d", img.Width, img.Height, i.Width, i.Height)
	}
	if _, err := s.d.Screenshot(s.ctx(), driver.ScreenshotOptions{Format: "crayon"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an unknown format: %v", err)
	}
}

func testTap(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	e := s.perform(driver.Tap{Target: at(s.node("Save"))})
	if !e.Changes.Any() {
		t.Errorf("a tap with an effect reports none: %+v", e.Changes)
	}
	if e.Point == nil || e.Bounds == nil || !e.Bounds.Contains(*e.Point) {
		t.Errorf("the evidence does not say where it went: %+v %+v", e.Point, e.Bounds)
	}
	s.see("Saves: 1")
}

func testText(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	value := func() string { return s.node("Name").Value }
	for _, tt := range []struct {
		name string
		a    func(driver.Target) driver.Action
		want string
	}{
		{"type", func(g driver.Target) driver.Action { return driver.TypeText{Target: g, Text: "Ann Lee"} }, "Ann Lee"},
		{"append", func(g driver.Target) driver.Action { return driver.TypeText{Target: g, Text: "ß 漢"} }, "Ann Leeß 漢"},
		{"erase some", func(g driver.Target) driver.Action { return driver.EraseText{Target: g, Count: 3} }, "Ann Lee"},
		{"replace", func(g driver.Target) driver.Action {
			return driver.TypeText{Target: g, Text: "Bob", Clear: true, Keys: true}
		}, "Bob"},
		{"press a key", func(g driver.Target) driver.Action { return driver.PressKey{Target: g, Key: "Backspace"} }, "Bo"},
		{"erase all", func(g driver.Target) driver.Action { return driver.EraseText{Target: g} }, ""},
	} {
		e := s.perform(tt.a(at(s.node("Name"))))
		if got := value(); got != tt.want {
			t.Fatalf("%s: field holds %q, want %q; effect %+v", tt.name, got, tt.want, e)
		}
	}
	s.perform(driver.TypeText{Target: at(s.node("Name")), Text: "Cy"})
	s.perform(driver.Tap{Target: at(s.node("Save"))})
	s.see("Saved Cy")
}

func testChoices(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	for _, on := range []bool{true, true, false} {
		s.perform(driver.SetChecked{Target: at(s.node("Agree")), Checked: on})
		if got := s.node("Agree").State.Has(screen.Checked); got != on {
			t.Errorf("check box is %v, want %v", got, on)
		}
	}
	s.perform(driver.SelectOption{Target: at(s.node("Colour")), Options: []string{"Blue"}})
	if got := s.node("Colour").Value; got != "Blue" {
		t.Errorf("choice holds %q", got)
	}
	if _, err := s.d.Perform(s.ctx(),
		driver.SelectOption{Target: at(s.node("Colour")), Options: []string{"Pink"}}); err == nil {
		t.Error("an option that is not there was chosen")
	}
}

func testScroll(t *testing.T, sub Subject) {
	s := sub.stage(t, List)
	if v := s.node("Row 90").Visibility; v != screen.Offscreen {
		t.Errorf("row 90 has visibility %d before scrolling", v)
	}
	before := s.node("Row 0").Bounds.Y
	e := s.perform(driver.Scroll{Target: at(s.node("Row 0")), DY: 200})
	if moved := before - s.node("Row 0").Bounds.Y; moved < 100 || !e.Changes.Scroll {
		t.Errorf("scrolling by 200 moved the content up by %v; %+v", moved, e.Changes)
	}
	s.perform(driver.ScrollIntoView{Target: at(s.node("Row 90"))})
	if v := s.node("Row 90").Visibility; v != screen.Visible {
		t.Errorf("row 90 has visibility %d after scrolling to it", v)
	}
	s.perform(driver.Tap{Target: at(s.node("Row 7"))}) // scrolls by itself
	s.see("Chosen: 7")
}

func testDisabled(t *testing.T, sub Subject) {
	s := sub.stage(t, Form)
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	_, err := s.d.Perform(ctx, driver.Tap{Target: at(s.node("Never"))})
	if k := fault.KindOf(err); k != fault.NotActed && k != fault.Timeout {
		t.Errorf("tap on a disabled button: %v", err)
	}
}

func testWait(t *testing.T, sub Subject) {
	s := sub.stage(t, Changing)
	w, ok := driver.As[driver.Waiter](s.d)
	if !ok {
		t.Skip("the driver cannot wait for changes")
	}
	snap := s.snapshot()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := w.WaitChange(ctx, snap); fault.KindOf(err) != fault.Timeout {
		t.Errorf("nothing changed, but waiting ended with %v", err)
	}
	s.perform(driver.Tap{Target: at(find(snap, "Start"))})
	if err := w.WaitChange(s.ctx(), snap); err != nil {
		t.Errorf("a change before the wait was missed: %v", err)
	}
	s.see("New")
}

// Bench measures what callers do most.
func Bench(b *testing.B, sub Subject) {
	b.Helper()
	b.Run("snapshot", func(b *testing.B) {
		s := sub.stage(b, List)
		for b.Loop() {
			if _, err := s.d.Snapshot(b.Context(), driver.SnapshotOptions{Full: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tap", func(b *testing.B) {
		s := sub.stage(b, Form)
		save := s.node("Save")
		for b.Loop() {
			if _, err := s.d.Perform(b.Context(), driver.Tap{Target: at(save)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("type", func(b *testing.B) {
		s := sub.stage(b, Form)
		name := s.node("Name")
		for b.Loop() {
			if _, err := s.d.Perform(b.Context(), driver.TypeText{Target: at(name), Text: "Ann", Clear: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("screenshot", func(b *testing.B) {
		s := sub.stage(b, List)
		for b.Loop() {
			if _, err := s.d.Screenshot(b.Context(), driver.ScreenshotOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
