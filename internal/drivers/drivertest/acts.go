package drivertest

import (
	"bytes"
	"context"
	"image"
	"image/color"
	_ "image/jpeg" // the formats drivers may use
	_ "image/png"
	"math"
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
	s.decode(img)
	if i := s.d.Info(); img.Width != i.Width || img.Height != i.Height {
		t.Errorf("the picture is %d x %d, the device %d x %d", img.Width, img.Height, i.Width, i.Height)
	}
	s.parts(img)
	if _, err := s.d.Screenshot(s.ctx(), driver.ScreenshotOptions{Format: "crayon"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an unknown format: %v", err)
	}
}

// decode reads a picture, which must be what it says of itself.
func (s *stage) decode(img driver.Image) image.Image {
	s.Helper()
	pic, format, err := image.Decode(bytes.NewReader(img.Data))
	if err != nil {
		s.Fatal(err)
	}
	if img.MIME != "image/"+format || pic.Bounds().Dx() != img.Width || pic.Bounds().Dy() != img.Height {
		s.Errorf("says %s %d x %d, is %s %v", img.MIME, img.Width, img.Height, format, pic.Bounds())
	}
	return pic
}

// parts takes a part of the screen and a small picture of it, both of the size that the whole picture has. Places are
// those of the snapshot.
func (s *stage) parts(whole driver.Image) {
	s.Helper()
	snap := s.snapshot()
	b := find(snap, "Save").Bounds
	for name, o := range map[string]driver.ScreenshotOptions{
		"part": {Clip: &b}, "small": {MaxSize: 100}, "small part": {Clip: &b, MaxSize: 20},
	} {
		img, err := s.d.Screenshot(s.ctx(), o)
		if err != nil {
			s.Fatalf("%s: %v", name, err)
		}
		s.decode(img)
		w, h := float64(whole.Width), float64(whole.Height)
		if o.Clip != nil {
			w, h = b.W*w/float64(snap.Width), b.H*h/float64(snap.Height)
		}
		if most := float64(o.MaxSize); most > 0 && max(w, h) > most {
			w, h = w*most/max(w, h), h*most/max(w, h)
		}
		if math.Abs(float64(img.Width)-w) > 2 || math.Abs(float64(img.Height)-h) > 2 {
			s.Errorf("%s is %d x %d, want %.0f x %.0f", name, img.Width, img.Height, w, h)
		}
	}
}

// testScaled: a picture with another number of pixels than the snapshot has is whole all the same, and a part of it
// shows what stands in that place of the snapshot.
func testScaled(t *testing.T, sub Subject) {
	if sub.Scaled == nil {
		t.Skip("the driver's pictures have the size of its snapshots")
	}
	s := sub.on(t, sub.Scaled, Form)
	img, err := s.d.Screenshot(s.ctx(), driver.ScreenshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.decode(img)
	snap := s.snapshot()
	w, h := float64(img.Width)/float64(snap.Width), float64(img.Height)/float64(snap.Height)
	if img.Width == snap.Width || math.Abs(w-h) > 0.01 {
		t.Fatalf("the picture is %d x %d, the snapshot %d x %d", img.Width, img.Height, snap.Width, snap.Height)
	}
	s.parts(img)
	s.conceals()
}

func testConceal(t *testing.T, sub Subject) { sub.stage(t, Form).conceals() }

// shown finds the texts that are a secret.
type shown string

func (s shown) Shows(text string) bool { return text == string(s) }

func (s shown) SplitSecrets(texts []string) []bool {
	out := make([]bool, len(texts))
	for i, t := range texts {
		out[i] = s.Shows(t)
	}
	return out
}

// conceals makes a label a secret: the picture shows a block of one colour in its place, and all else as before.
func (s *stage) conceals() {
	s.Helper()
	c, ok := driver.As[driver.Concealer](s.d)
	if !ok {
		s.Skip("the driver hides nothing in pictures")
	}
	take := func() image.Image {
		img, err := s.d.Screenshot(s.ctx(), driver.ScreenshotOptions{Format: "png"})
		if err != nil {
			s.Fatal(err)
		}
		return s.decode(img)
	}
	before := take()
	c.Conceal(func() driver.Secrets { return shown("Save") })
	after, snap := take(), s.snapshot()
	n := find(snap, "Save")
	scale := float64(before.Bounds().Dx()) / float64(snap.Width)
	at := func(r screen.Rect) image.Rectangle {
		right, bottom := math.Ceil((r.X+r.W)*scale), math.Ceil((r.Y+r.H)*scale)
		return image.Rect(int(r.X*scale), int(r.Y*scale), int(right), int(bottom))
	}
	x, y := at(n.Bounds).Min.X+at(n.Bounds).Dx()/2, at(n.Bounds).Min.Y+at(n.Bounds).Dy()/2
	core := image.Rect(x-2, y-2, x+3, y+3)
	if same(before, after, core) {
		s.Error("the secret is seen in the picture")
	}
	if r := at(find(snap, "Agree").Bounds); !same(before, after, r) {
		s.Errorf("what is no secret looks different at %v", r)
	}
}

// same reports whether two pictures have the same pixels in a box.
func same(a, b image.Image, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				return false
			}
		}
	}
	return true
}

// testWindows: what a window lies over is not acted on and not reported as visible; the window's own elements are, and
// when it has closed the others are the same elements again.
func testWindows(t *testing.T, sub Subject) {
	s := sub.stage(t, Windows)
	below := s.node("Below")
	s.perform(driver.Tap{Target: at(s.node("Ask"))})
	s.see("Sure?")
	snap := s.snapshot()
	in := find(snap, "Yes")
	for ; in != nil && !in.State.Has(screen.Modal); in = in.Parent {
	}
	if in == nil || in.Role != "dialog" {
		t.Errorf("the window is %+v", in)
	}
	if n := find(snap, "Below"); n != nil && n.Visibility == screen.Visible && !n.State.Has(screen.Disabled) {
		t.Errorf("what the window lies over is visible and enabled: %+v", n)
	}
	target := at(below)
	target.Wait = 100 * time.Millisecond
	_, err := s.d.Perform(s.ctx(), driver.Tap{Target: target})
	if k := fault.KindOf(err); k != fault.NotActed && k != fault.Timeout && k != fault.NotFound {
		t.Errorf("tap below the window: %v", err)
	}
	s.perform(driver.Tap{Target: at(s.node("Yes"))})
	s.see("Answer: yes, taps: 0")
	if now := s.node("Below"); now.ID != below.ID || now.Ref != below.Ref {
		t.Errorf("Below was %s and is %s", below.Ref, now.Ref)
	}
	s.perform(driver.Tap{Target: at(below)})
	s.see("Answer: yes, taps: 1")
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
	before := s.node("Row 3").Bounds.Y // stays in view: of what leaves it, a phone says on which side alone
	e := s.perform(driver.Scroll{Target: at(s.node("Row 0")), DY: 200})
	if moved := before - s.node("Row 3").Bounds.Y; moved < 100 || !e.Changes.Scroll {
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
