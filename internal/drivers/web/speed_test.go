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
