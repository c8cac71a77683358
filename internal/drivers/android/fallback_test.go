package android_test

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// bare is a phone on which the helper does not start: its own programs are all that it has.
type bare struct {
	mu    sync.Mutex
	saved string
	typed string
	lines []string
}

// shell answers as Android's programs do.
func (b *bare) shell(line string, _ io.Reader, out, problems io.Writer) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
	switch {
	case strings.Contains(line, "app_process"):
		_, _ = io.WriteString(problems, "UiAutomationService already registered!\n")
		return 1
	case line == "wm size":
		_, _ = io.WriteString(out, "Physical size: 1080x2400\n")
	case line == "wm density":
		_, _ = io.WriteString(out, "Physical density: 420\n")
	case line == "getprop ro.build.version.sdk":
		_, _ = io.WriteString(out, "35\n")
	case strings.HasPrefix(line, "uiautomator dump"):
		_, _ = fmt.Fprintf(out, `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node class="android.widget.FrameLayout"
package="app" enabled="true" bounds="[0,0][1080,2400]"><node class="android.widget.EditText" text="%s" resource-id="app:id/name" package="app"
enabled="true" focusable="true" focused="true" clickable="true" bounds="[0,100][1080,300]" /><node class="android.widget.Button" text="Save"
package="app" enabled="true" clickable="true" bounds="[0,400][1080,600]" /><node class="android.widget.TextView" text="%s" package="app"
enabled="true" bounds="[0,700][1080,800]" /></node></hierarchy>`, b.typed, b.saved)
	case line == "input tap 540 500":
		b.saved = "Saved " + b.typed
	case strings.HasPrefix(line, "input text "):
		b.typed += strings.Trim(strings.TrimPrefix(line, "input text "), "'")
	case line == "screencap -p":
		_ = png.Encode(out, image.NewRGBA(image.Rect(0, 0, 1080, 2400)))
	}
	return 0
}

// Without the helper the phone's own programs see and act, every capture says so, and its checks prove nothing.
func TestWithoutHelper(t *testing.T) {
	srv, b := adbtest.Start(t), &bare{}
	srv.Set(&adbtest.Phone{Serial: "p1", Shell: b.shell})
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	s := look(t, d)
	if s.Quality.Verdict != screen.Degraded || !slices.ContainsFunc(s.Quality.Reasons, func(r string) bool {
		return strings.Contains(r, "uiautomator gives the tree") && strings.Contains(r, "already registered")
	}) {
		t.Errorf("%+v", s.Quality)
	}
	effect, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, s, "Save").ID}})
	if err != nil || effect.Method != "uiautomator" {
		t.Fatalf("%+v %v", effect, err)
	}
	if after := look(t, d); after.Seq == s.Seq || !strings.Contains(after.Root.FullText(), "Saved") {
		t.Error("the tap shows nothing")
	}
	if pic, err := d.Screenshot(t.Context(), driver.ScreenshotOptions{Format: "png"}); err != nil || len(pic.Data) == 0 {
		t.Errorf("%v", err)
	}
	if _, err := d.Perform(t.Context(), driver.Pinch{
		Target: driver.Target{Node: named(t, look(t, d), "Save").ID}, Scale: 2}); fault.KindOf(err) != fault.Unsupported {
		t.Errorf("two fingers: %v", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.lines, "input tap 540 500") {
		t.Errorf("%q", b.lines)
	}
}

// A window that its app has marked as secure gives no picture, and the error says why; its elements are seen.
func TestSecureWindow(t *testing.T) {
	d, p := standIn(t)
	p.Show(androidtest.Button("Pay", nil))
	if _, err := d.Screenshot(t.Context(), driver.ScreenshotOptions{}); err != nil {
		t.Fatal(err)
	}
	p.Do(func() { p.Secure = true })
	if _, err := d.Screenshot(t.Context(), driver.ScreenshotOptions{}); fault.KindOf(err) != fault.Unavailable ||
		!strings.Contains(fault.HintOf(err), "secure") {
		t.Errorf("%v", err)
	}
	named(t, look(t, d), "Pay")
	p.Do(func() { p.Secure, p.Black = false, true })
	pic, err := d.Screenshot(t.Context(), driver.ScreenshotOptions{})
	if err != nil || !strings.Contains(pic.Gap(), "Black in the picture: windows of apps (1)") {
		t.Errorf("a black picture: %q, %v", pic.Gap(), err)
	}
	p.Do(func() { p.Black = false })
	if pic, err = d.Screenshot(t.Context(), driver.ScreenshotOptions{}); err != nil || pic.Gap() != "" {
		t.Errorf("a white picture: %q, %v", pic.Gap(), err)
	}
}
