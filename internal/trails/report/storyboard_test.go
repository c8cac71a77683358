package report_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/trails/report"
)

// sheets draws a report and returns how many sheets that takes, and how many pixels of each color the first one has.
func sheets(t *testing.T, r *report.Report) (n int, colors map[color.RGBA]int) {
	t.Helper()
	var pix *uint8
	colors = map[color.RGBA]int{}
	if err := report.Sheets(r, func(img *image.RGBA) error {
		if pix == nil {
			pix = &img.Pix[0]
			for y := range img.Rect.Dy() {
				for x := range img.Rect.Dx() {
					colors[img.RGBAAt(x, y)]++
				}
			}
		}
		if size := img.Rect.Size(); &img.Pix[0] != pix || size.X != 1360 || size.Y > 8000 || size.Y < 30 {
			t.Errorf("sheet %d is of %v, want 1360 x at most 8000 in the memory of the first one", n+1, size)
		}
		if dir := os.Getenv("STORYBOARD"); dir != "" { // for looking at it by eye
			f, err := os.Create(filepath.Join(dir, string(rune('a'+n))+".png"))
			if err := errors.Join(err, png.Encode(f, img), f.Close()); err != nil {
				t.Fatal(err)
			}
		}
		n++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return n, colors
}

// TestSheets: each step has its picture with the target framed, or says that none was kept, and what failed is in red.
func TestSheets(t *testing.T) {
	t.Parallel()
	r := buildRun(t)
	n, got := sheets(t, r)
	if n != 1 {
		t.Fatalf("%d sheets, want 1", n)
	}
	for step := range 7 { // the button on the picture of each step has a color of its own
		if n := got[color.RGBA{44, 95, byte(74 + step), 255}]; n < 50 {
			t.Errorf("%d pixels are of the picture of step %d, want 50 and more", n, step+1)
		}
	}
	for name, c := range map[string]color.RGBA{"red of a failure": {192, 28, 40, 255}, "frame of a target": {140, 30, 200, 255}} {
		if got[c] < 100 {
			t.Errorf("%d pixels have the %s", got[c], name)
		}
	}
}

// TestSheetsOfLongRun: 5,000 steps take several sheets and the memory of one. Pictures that are gone, damaged or too large are left out.
func TestSheetsOfLongRun(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.add(playing{path: "a.trail.yaml", title: "Long", attempt: 1, steps: 5000, failAt: -1, outcome: event.Passed})
	s.add(playing{path: "b.trail.yaml", title: "Gone", attempt: 1, steps: 2, failAt: -1, outcome: event.Passed, pictures: true})
	if err := os.RemoveAll(filepath.Join(s.dirs[1], event.BlobDir)); err != nil {
		t.Fatal(err)
	}
	log, err := event.Create(filepath.Join(s.root, "large"))
	if err != nil {
		t.Fatal(err)
	}
	large := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x00\x00\x00\x01\x00\x00\x08\x06\x00\x00\x00\x6c\x84\x30\xe3")
	if head, err := png.DecodeConfig(bytes.NewReader(large)); err != nil || head.Width != 65536 {
		t.Fatalf("%+v %v", head, err)
	}
	name, err := log.PutBlob(large, "image/png")
	if err == nil {
		_, err = log.Append(event.Event{Type: event.Screenshot, Screen: &event.Screen{Blob: name, MIME: "image/png", Step: 0}})
	}
	if err := errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := report.Build(report.Input{ID: "x", Sessions: append(s.dirs, filepath.Join(s.root, "large")),
		Extra: []report.Trail{{Title: "Never begun", Outcome: event.Broken, Failure: &fault.Failure{Message: "no such file"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := sheets(t, r); n < 10 || n > 20 {
		t.Errorf("%d sheets, want 10 to 20", n)
	}
	stop := errors.New("disk full")
	if err := report.Sheets(r, func(*image.RGBA) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("writing fails: %v", err)
	}
}
