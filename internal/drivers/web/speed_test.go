package web

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

func BenchmarkNavigate(b *testing.B) {
	srv := serve(b, map[string]string{"/": list(200)})
	d := newDevice(b, DeviceOptions{})
	for b.Loop() {
		if _, err := d.Navigate(b.Context(), driver.Navigation{URL: srv.URL + "/"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen is a page opened and seen for the first time, as every client does that opens one.
func BenchmarkOpen(b *testing.B) {
	srv := serve(b, map[string]string{"/": list(2000)})
	d := newDevice(b, DeviceOptions{})
	for b.Loop() {
		if _, err := d.Navigate(b.Context(), driver.Navigation{URL: srv.URL + "/"}); err != nil {
			b.Fatal(err)
		}
		if _, err := d.Snapshot(b.Context(), driver.SnapshotOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStep is a click as a client over MCP makes it: the target is looked for, acted on, and the outcome shown.
func BenchmarkStep(b *testing.B) {
	d := actPage(b, benchPage)
	button := node(b, d, "#b")
	for b.Loop() {
		for _, do := range []func() error{
			func() error { _, err := d.Snapshot(b.Context(), driver.SnapshotOptions{}); return err },
			func() error { _, err := d.Perform(b.Context(), driver.Tap{Target: at(button)}); return err },
			func() error { _, err := d.Snapshot(b.Context(), driver.SnapshotOptions{}); return err },
		} {
			if err := do(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	d := newDevice(b, DeviceOptions{})
	for b.Loop() {
		if _, err := d.Evaluate(b.Context(), "1+1", 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScreenshot(b *testing.B) {
	srv := serve(b, map[string]string{"/": list(200)})
	d := newDevice(b, DeviceOptions{})
	open(b, d, srv.URL+"/")
	for b.Loop() {
		if _, err := d.Screenshot(b.Context(), driver.ScreenshotOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
