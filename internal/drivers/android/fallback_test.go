package android_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
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

	instrumented bool          // Appium's server is installed
	session      string        // of that
	running      bool          // it is
	stopped      chan struct{} // closed when it is stopped
}

// shell answers as Android's programs do.
func (b *bare) shell(line string, _ io.Reader, out, problems io.Writer) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
	switch {
	case line == "pm list instrumentation" && b.instrumented:
		_, _ = io.WriteString(out, "instrumentation:io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner "+
			"(target=io.appium.uiautomator2.server)\n")
	case strings.HasPrefix(line, "am instrument -w"):
		if b.stopped == nil {
			_, _ = io.WriteString(out, "INSTRUMENTATION_FAILED: it is of another build\n")
			return 1
		}
		b.running = true
		b.mu.Unlock()
		<-b.stopped
		b.mu.Lock()
	case line == "am force-stop io.appium.uiautomator2.server" && b.stopped != nil:
		close(b.stopped)
	case strings.Contains(line, "app_process"):
		_, _ = io.WriteString(problems, "UiAutomationService already registered!\n")
		return 1
	case line == "wm size":
		_, _ = io.WriteString(out, "Physical size: 1080x2400\n")
	case line == "wm density":
		_, _ = io.WriteString(out, "Physical density: 420\n")
	case line == "getprop ro.build.version.sdk":
		_, _ = io.WriteString(out, "35\n")
	case strings.HasPrefix(line, "uiautomator dump") && b.running:
		_, _ = io.WriteString(problems, "UiAutomationService already registered!\n")
		return 1
	case strings.HasPrefix(line, "uiautomator dump"):
		_, _ = io.WriteString(out, b.screen())
	case line == "input tap 540 500":
		b.saved = "Saved " + b.typed
	case strings.HasPrefix(line, "input text "):
		b.typed += strings.Trim(strings.TrimPrefix(line, "input text "), "'")
	case line == "screencap -p":
		_ = png.Encode(out, image.NewRGBA(image.Rect(0, 0, 1080, 2400)))
	}
	return 0
}

// screen is what uiautomator dumps.
func (b *bare) screen() string {
	return fmt.Sprintf(`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node class="android.widget.FrameLayout"
package="app" enabled="true" bounds="[0,0][1080,2400]"><node class="android.widget.EditText" text="%s" resource-id="app:id/name" package="app"
enabled="true" focusable="true" focused="true" clickable="true" bounds="[0,100][1080,300]" /><node class="android.widget.Button" text="Save"
package="app" enabled="true" clickable="true" bounds="[0,400][1080,600]" /><node class="android.widget.TextView" text="%s" package="app"
enabled="true" bounds="[0,700][1080,800]" /></node></hierarchy>`, b.typed, b.saved)
}

// appium answers as appium-uiautomator2-server 10.6.6 does, whose paths and errors these are.
func (b *bare) appium(c net.Conn) {
	defer func() { _ = c.Close() }()
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	status, value := http.StatusOK, any(nil)
	switch said := req.Method + " " + req.URL.Path; {
	case said == "GET /status":
		value = map[string]any{"ready": true, "message": "UiAutomator2 Server is ready to accept commands"}
	case said == "POST /session":
		b.session = "7a3c"
	case b.session == "" || req.Method != http.MethodGet || !strings.HasSuffix(req.URL.Path, "/source"):
		status, value = http.StatusNotFound, map[string]any{"error": "invalid session id", "message": "A session is either terminated or not started"}
	default:
		value = b.screen()
	}
	data, _ := json.Marshal(map[string]any{"sessionId": b.session, "value": value})
	_ = (&http.Response{StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(bytes.NewReader(data))}).Write(c)
}

// A server of Appium's that does not start leaves the tree to uiautomator, and the capture says why.
func TestAppiumDoesNotStart(t *testing.T) {
	srv, b := adbtest.Start(t), &bare{instrumented: true}
	srv.Set(&adbtest.Phone{Serial: "p1", Shell: b.shell})
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if q := look(t, d).Quality; !slices.ContainsFunc(q.Reasons, func(r string) bool {
		return strings.Contains(r, "uiautomator gives the tree") && strings.Contains(r, "it is of another build")
	}) {
		t.Errorf("%+v", q)
	}
}

// Where Appium has a server on the phone, which keeps the helper and uiautomator out, that gives the tree: it is started when
// it does not run, and only then ended; a session that it has stays another client's.
func TestAppiumInPlaceOfHelper(t *testing.T) {
	for name, b := range map[string]*bare{
		"runs":     {instrumented: true, running: true, session: "of another client"},
		"no one's": {instrumented: true, running: true},
		"starts":   {instrumented: true, stopped: make(chan struct{})},
	} {
		t.Run(name, func(t *testing.T) {
			srv, session := adbtest.Start(t), b.session
			srv.Set(&adbtest.Phone{Serial: "p1", Shell: b.shell, Socket: func(name string) func(net.Conn) {
				b.mu.Lock()
				defer b.mu.Unlock()
				if name != "tcp:6790" || !b.running {
					return nil
				}
				return b.appium
			}})
			d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
			if err != nil {
				t.Fatal(err)
			}
			s := look(t, d)
			if s.Quality.Verdict != screen.Degraded || !slices.ContainsFunc(s.Quality.Reasons, func(r string) bool {
				return strings.Contains(r, "Appium's server gives the tree")
			}) {
				t.Errorf("%+v", s.Quality)
			}
			if _, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, s, "Save").ID}}); err != nil {
				t.Fatal(err)
			}
			if after := look(t, d); !strings.Contains(after.Root.FullText(), "Saved") {
				t.Error("the tap shows nothing")
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			if session != "" && b.session != session {
				t.Errorf("session %s in place of %s", b.session, session)
			}
			if slices.Contains(b.lines, "am force-stop io.appium.uiautomator2.server") != (b.stopped != nil) {
				t.Errorf("ended, or left running: %q", b.lines)
			}
		})
	}
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
