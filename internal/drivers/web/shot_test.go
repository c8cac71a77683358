package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

func shoot(t *testing.T, d *Device, o driver.ScreenshotOptions) (driver.Image, image.Image) {
	t.Helper()
	img, err := d.Screenshot(deadline(t), o)
	return img, decode(t, img, err)
}

func decode(t *testing.T, img driver.Image, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	pic, _, err := image.Decode(bytes.NewReader(img.Data))
	if err != nil {
		t.Fatal(err)
	}
	return pic
}

// A picture of a scrolled page that is scaled down shows what is in view, and the size is meant in
// px of the picture.
func TestSmallerScreenshot(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<body style="margin:0"><div style="height:300px;background:rgb(200,0,0)"></div>` +
		`<div style="height:3000px;background:rgb(0,0,200)">`})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	eval[bool](t, d, `(scrollTo(0, 300), true)`)
	_, pic := shoot(t, d, driver.ScreenshotOptions{MaxSize: 100, Format: "png"})
	if r, _, b, _ := pic.At(50, 20).RGBA(); pic.Bounds().Dx() != 100 || r>>8 > 40 || b>>8 < 160 {
		t.Errorf("%v, red %d, blue %d: want the blue that is in view", pic.Bounds(), r>>8, b>>8)
	}
	_, pic = shoot(t, d, driver.ScreenshotOptions{Format: "png", Clip: &screen.Rect{X: 10, Y: 10, W: 20, H: 20}})
	if r, _, b, _ := pic.At(5, 5).RGBA(); r>>8 > 40 || b>>8 < 160 {
		t.Errorf("a clip of a scrolled page: red %d, blue %d: want what is in view there", r>>8, b>>8)
	}
	if err := d.Emulate(deadline(t), "iPhone 14"); err != nil {
		t.Fatal(err)
	}
	_, full := shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	_, small := shoot(t, d, driver.ScreenshotOptions{Format: "png", MaxSize: 500})
	if h := small.Bounds().Dy(); full.Bounds().Dy() <= 500 || h < 499 || h > 501 {
		t.Errorf("%v becomes %v, want 500 px high", full.Bounds(), small.Bounds())
	}
}

// TestScreenshot proves formats, sizes and clips.
func TestScreenshot(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<body style="margin:0;background:rgb(0,128,0)"><div style="height:3000px">`})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	tests := []struct {
		name string
		o    driver.ScreenshotOptions
		mime string
		w, h int
	}{
		{"default", driver.ScreenshotOptions{}, "image/jpeg", 400, 300},
		{"png", driver.ScreenshotOptions{Format: "png"}, "image/png", 400, 300},
		{"webp", driver.ScreenshotOptions{Format: "webp", Quality: 50}, "image/webp", 400, 300},
		{"whole page", driver.ScreenshotOptions{FullPage: true}, "image/jpeg", 400, 3000},
		{"smaller", driver.ScreenshotOptions{MaxSize: 200}, "image/jpeg", 200, 150},
		{"small enough", driver.ScreenshotOptions{MaxSize: 1000}, "image/jpeg", 400, 300},
		{"whole page, smaller", driver.ScreenshotOptions{FullPage: true, MaxSize: 600}, "image/jpeg", 80, 600},
		{"clip, smaller", driver.ScreenshotOptions{Format: "png", Clip: &screen.Rect{X: 10, Y: 10, W: 50, H: 20}, MaxSize: 25}, "image/png", 25, 10},
		{"clip", driver.ScreenshotOptions{Format: "png", Clip: &screen.Rect{X: 10, Y: 10, W: 50, H: 20}}, "image/png", 50, 20},
	}
	for _, tt := range tests {
		img, pic := shoot(t, d, tt.o)
		if img.MIME != tt.mime || img.Width != tt.w || img.Height != tt.h || pic.Bounds().Dx() != tt.w || pic.Bounds().Dy() != tt.h {
			t.Errorf("%s: %s %d x %d, picture %v", tt.name, img.MIME, img.Width, img.Height, pic.Bounds())
		}
		if r, g, b, _ := pic.At(5, 5).RGBA(); r>>8 > 30 || g>>8 < 108 || g>>8 > 148 || b>>8 > 30 {
			t.Errorf("%s: colour %d %d %d", tt.name, r>>8, g>>8, b>>8)
		}
	}
	for _, o := range []driver.ScreenshotOptions{{Format: "bmp"}, {Quality: 101}, {MaxSize: -1}, {Clip: &screen.Rect{}}} {
		_, err := d.Screenshot(deadline(t), o)
		wantFault(t, err, fault.Invalid, "")
	}
}

// TestScreenshotMasks proves that a secret cannot be read off a picture, and that the page does not
// notice.
func TestScreenshotMasks(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<body style="margin:0"><input type=password value="hunter2"
style="all:unset;display:block;width:200px;height:40px;background:rgb(255,0,0);font-size:30px">
<script>window.seen=0; new MutationObserver(l=>seen+=l.length).observe(document,{subtree:true,childList:true,attributes:true})</script>`})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	_, pic := shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	grey := color.RGBAModel.Convert(pic.At(5, 20))
	for x := range 200 {
		if got := color.RGBAModel.Convert(pic.At(x, 20)); got != grey {
			t.Fatalf("pixel %d is %v, not %v", x, got, grey)
		}
	}
	if r, _, _, _ := grey.RGBA(); r>>8 > 200 {
		t.Errorf("the field was not painted over: %v", grey)
	}
	if n := eval[float64](t, d, "seen"); n != 0 {
		t.Errorf("the page noticed %v mutations", n)
	}
	if got := eval[string](t, d, "getComputedStyle(document.querySelector('input')).backgroundColor"); got != "rgb(255, 0, 0)" {
		t.Errorf("the paint stayed: %s", got)
	}
}

// TestTypedSecretIsMasked proves rule 10: a secret typed into an ordinary field shows neither in
// captures nor in pictures.
func TestTypedSecretIsMasked(t *testing.T) {
	t.Parallel()
	srv := serve(t, map[string]string{"/": `<body style="margin:0"><input aria-label=Plain style="all:unset;display:block;` +
		`width:200px;height:40px;background:rgb(255,0,0);font-size:30px">`})
	d := newDevice(t, DeviceOptions{Width: 400, Height: 300})
	open(t, d, srv.URL+"/")
	field := byName(t, snapshot(t, d), "textbox", "Plain")
	if _, err := d.Perform(deadline(t), driver.TypeText{Target: driver.Target{Node: field.ID}, Text: "hunter2", Secret: true}); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, d)
	if strings.Contains(outline(s.Root, 0), "hunter2") {
		t.Error("the capture holds the secret")
	}
	if n := byName(t, s, "textbox", "Plain"); n.Value != "" || !n.State.Has(screen.Masked) {
		t.Errorf("%+v", n)
	}
	_, pic := shoot(t, d, driver.ScreenshotOptions{Format: "png"})
	grey := color.RGBAModel.Convert(pic.At(5, 20))
	for x := range 200 {
		if got := color.RGBAModel.Convert(pic.At(x, 20)); got != grey {
			t.Fatalf("pixel %d is %v, not %v", x, got, grey)
		}
	}
	if got := eval[string](t, d, "document.querySelector('input').value"); got != "hunter2" {
		t.Errorf("the field holds %q", got)
	}
}

// TestOriginAgrees proves that our notion of an origin is the browser's.
func TestOriginAgrees(t *testing.T) {
	t.Parallel()
	d := newDevice(t, DeviceOptions{})
	for _, url := range []string{
		"http://a.test:80/x?y#z", "https://a.test:0443/", "http://a.test:443/", "HTTPS://Shop.Example:443/login", "https://user:pass@a.test/",
		"https://a.test@b.test/", "https://a.test./",
		"http://[::1]:3000/x", "http://[0:0:0:0:0:0:0:1]/", "http://[::FFFF:127.0.0.1]:80/", "http://[::ffff:10.0.0.1]/", "http://[::ffff:0:0]/",
		"blob:https://a.test/0b1c", "blob:null/0b1c", "about:blank", "data:text/html,http://a.test",
		"file:///etc/passwd", "javascript://a.test/%0aalert(1)",
	} {
		want := eval[string](t, d, fmt.Sprintf("new URL(%q).origin", url))
		if got := driver.Origin(url); got != want && (want != "null" || got != "") && !strings.HasPrefix(want, "file:") {
			t.Errorf("Origin(%q) = %q, the browser says %q", url, got, want)
		}
	}
}
