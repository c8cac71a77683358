package phone

import (
	"bytes"
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

var (
	python = flag.String("python", "", "a Python with adbutils")
	mobile = flag.String("mobile-mcp", "", "the program `file` of @mobilenext/mobile-mcp")
	long   = flag.Bool("long", false, "also what starts processes and proves little more")
)

var apk = flag.String("phone", "",
	"the `file` of ApiDemos-debug.apk: test on a phone, which needs a JDK and adb (make phone)")

// node is an element of a dump of uiautomator.
type node struct {
	Text    string `xml:"text,attr"`
	ID      string `xml:"resource-id,attr"`
	Class   string `xml:"class,attr"`
	Package string `xml:"package,attr"`
	Desc    string `xml:"content-desc,attr"`
	Checked bool   `xml:"checked,attr"`
	Focused bool   `xml:"focused,attr"`
	Bounds  string `xml:"bounds,attr"`
	Nodes   []node `xml:"node"`
}

func (n node) rect() (left, top, right, bottom int) {
	_, _ = fmt.Sscanf(n.Bounds, "[%d,%d][%d,%d]", &left, &top, &right, &bottom)
	return left, top, right, bottom
}

func (n node) find(ok func(node) bool) (node, bool) {
	if ok(n) {
		return n, true
	}
	for _, c := range n.Nodes {
		if found, yes := c.find(ok); yes {
			return found, true
		}
	}
	return node{}, false
}

// bench is a phone with an adb server of its own, which has a key of its own.
type bench struct {
	*testing.T
	phone *Phone
	port  string // of the adb server
	env   []string
}

// adb runs adb and returns what it printed.
func (b *bench) adb(args ...string) (string, error) {
	b.Helper()
	path, err := proc.LookPath("adb")
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	err = proc.Run(b.Context(), proc.Spec{Path: path, Args: args, Env: b.env, Stdout: &out, Stderr: &out})
	return out.String(), err
}

// must runs a command that has to succeed.
func (b *bench) must(args ...string) string {
	b.Helper()
	out, err := b.adb(args...)
	if err != nil {
		b.Fatalf("adb %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

func (b *bench) shell(line string) string { b.Helper(); return b.must("shell", line) }

// dump returns the tree of uiautomator.
func (b *bench) dump(args ...string) node {
	b.Helper()
	text := b.must(append([]string{"exec-out", "uiautomator", "dump", "/dev/tty"}, args...)...)
	text, _, _ = strings.Cut(text, "UI hierchary")
	var n node
	if err := xml.Unmarshal([]byte(text), &n); err != nil {
		b.Fatalf("%v: %.200s", err, text)
	}
	return n
}

// see waits until an element is on the screen.
func (b *bench) see(what string, ok func(node) bool) (n node) {
	b.Helper()
	var tree node
	yes := false
	defer func() {
		if !yes {
			b.Logf("the screen shows %s", tree.texts())
		}
	}()
	waittest.Until(b, func() bool {
		tree = b.dump("--windows")
		n, yes = tree.find(ok)
		return yes
	}, "there is "+what)
	return n
}

func (n node) texts() string {
	var out []string
	var walk func(node)
	walk = func(n node) {
		if n.Text+n.Desc != "" {
			out = append(out, n.Text+n.Desc)
		}
		for _, c := range n.Nodes {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(out, " | ")
}

func (b *bench) text(text string) node {
	b.Helper()
	return b.see("text "+text, func(n node) bool { return n.Text == text || n.Desc == text })
}

func (b *bench) id(id string) node {
	b.Helper()
	return b.see("id "+id, func(n node) bool { return strings.HasSuffix(n.ID, ":id/"+id) })
}

func (b *bench) tap(n node) {
	b.Helper()
	l, t, r, bottom := n.rect()
	b.shell(fmt.Sprintf("input tap %d %d", (l+r)/2, (t+bottom)/2))
}

func (b *bench) open(activity string) {
	b.Helper()
	b.shell("am start -n io.appium.android.apis/" + activity)
}

// TestPhone is one phone for all that needs Java: starting one takes ten seconds.
func TestPhone(t *testing.T) {
	if *apk == "" {
		t.Skip("left out: no -phone APK. `make phone` runs it; it needs a JDK and adb")
	}
	// The server's socket and key are the test's own.
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	_ = free.Close()
	home := t.TempDir()
	b := &bench{T: t, port: port, env: append(os.Environ(), "HOME="+home, "ANDROID_ADB_SERVER_PORT="+port)}
	t.Cleanup(func() {
		path, err := proc.LookPath("adb")
		if err == nil {
			err = proc.Run(context.WithoutCancel(t.Context()), proc.Spec{Path: path, Args: []string{"kill-server"}, Env: b.env})
		}
		if err != nil {
			t.Error(err)
		}
	})
	b.must("start-server")
	began := time.Now()
	b.phone, err = Start(t.Context(), Options{APKs: []string{*apk}, Keys: []string{filepath.Join(home, ".android",
		"adbkey.pub")}, Say: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.phone.Close() })
	t.Logf("the phone is on after %s", time.Since(began).Round(100*time.Millisecond))
	b.must("connect", b.phone.Addr())
	b.env = append(b.env, "ANDROID_SERIAL="+b.phone.Addr())
	b.must("wait-for-device")

	run := func(name string, f func(*bench)) {
		t.Run(name, func(t *testing.T) {
			inner := *b
			inner.T = t
			defer func() {
				if t.Failed() {
					t.Logf("log:\n%s", inner.shell("logcat -d -t 40"))
				}
			}()
			f(&inner)
		})
	}
	run("adb", testAdb)
	run("popup", testPopup)
	run("widgets", testWidgets)
	run("tasks", testTasks)
	run("configuration", testConfiguration)
	run("helper", testHelper)
	run("dumper", testDumper)
	run("adbutils", testAdbutils)
	run("mobile-mcp", testMobileMCP)
	run("furniture", testFurniture)
	run("faults", testFaults)
	run("home", testHome)
	run("crash", testCrash)
	run("shop", testShop)
	run("sample", testSample)
	if *long {
		run("reboot", testReboot)
	}
}

func testAdb(b *bench) {
	if out := b.must("devices", "-l"); !strings.Contains(out,
		"device product:trailblaze_phone model:Trailblaze_Phone device:trailblaze") {
		b.Errorf("devices: %s", out)
	}
	if out, err := b.adb("shell", "echo hi; echo no >&2; exit 7"); err == nil || out != "hi\nno\n" {
		b.Errorf("shell: %q, %v", out, err)
	}
	picture, err := png.Decode(strings.NewReader(b.must("exec-out", "screencap", "-p")))
	if err != nil {
		b.Fatal(err)
	}
	if s := picture.Bounds().Size(); b.shell("wm size") != fmt.Sprintf("Physical size: %dx%d\n", s.X, s.Y) {
		b.Errorf("a picture of %v, wm size says %s", s, b.shell("wm size"))
	}
	colours := map[string]bool{}
	for y := 0; y < picture.Bounds().Dy(); y += 3 {
		for x := 0; x < 300; x += 3 {
			colours[fmt.Sprint(picture.At(x, y))] = true
		}
	}
	if len(colours) < 10 {
		b.Errorf("the picture has %d colours", len(colours))
	}
	blob := bytes.Repeat([]byte("0123456789abcdef"), 40_000)
	from, to := filepath.Join(b.TempDir(), "a"), filepath.Join(b.TempDir(), "b")
	if err := os.WriteFile(from, blob, 0o600); err != nil {
		b.Fatal(err)
	}
	b.must("push", from, "/sdcard/Download/a")
	b.must("pull", "/sdcard/Download/a", to)
	if back, err := os.ReadFile(to); err != nil || !bytes.Equal(back, blob) {
		b.Errorf("%d bytes come back: %v", len(back), err)
	}
	if out := b.must("ls", "/sdcard/Download"); !strings.Contains(out, " a\n") {
		b.Errorf("adb ls: %s", out)
	}
	port := strings.TrimSpace(b.must("forward", "tcp:0", "tcp:"+portOf(b.phone.Addr())))
	if c, err := net.Dial("tcp", "127.0.0.1:"+port); err != nil {
		b.Error(err)
	} else {
		_ = c.Close()
	}
	if out := b.must("reverse", "tcp:0", "tcp:9"); !regexp.MustCompile(`^\d+\n$`).MatchString(out) {
		b.Errorf("reverse: %s", out)
	}
	if out := b.must("reverse", "--list"); !strings.Contains(out, "tcp:9") {
		b.Errorf("reverse --list: %s", out)
	}
	if out, err := b.adb("root"); !strings.Contains(out, "cannot run as root") {
		b.Errorf("root: %s, %v", out, err)
	}
	for line, want := range map[string]string{
		"getprop ro.build.version.sdk":           "35",
		"pm list packages":                       "package:io.appium.android.apis",
		"dumpsys window | grep mCurrentFocus":    "io.appium.android.apis/io.appium.android.apis.ApiDemos",
		"dumpsys activity | grep topResumed":     "io.appium.android.apis/.ApiDemos",
		"dumpsys package io.appium.android.apis": "versionName=",
		"ps | grep appium":                       "io.appium.android.apis",
		"logcat -d | grep -c RESUMED":            "1",
	} {
		if out := b.shell(line); !strings.Contains(out, want) {
			b.Errorf("%s: %s, want %s", line, out, want)
		}
	}
}

func portOf(addr string) string {
	_, port, _ := net.SplitHostPort(addr)
	return port
}

// testPopup is the gate of the tree: nodes of a popup window are where they are drawn, so that a tap on "blue" picks
// blue.
func testPopup(b *bench) {
	b.open(".view.Spinner1")
	b.tap(b.id("spinner1"))
	blue := b.text("blue")
	b.tap(blue)
	waittest.Until(b, func() bool { return !strings.Contains(b.windows(), "PopupWindow") }, "the popup is gone after a tap on blue")
	if n := b.id("spinner1"); len(n.Nodes) == 0 || n.Nodes[0].Text != "blue" {
		b.Errorf("after a tap on blue at %s the spinner shows %s", blue.Bounds, n.texts())
	}
}

func testWidgets(b *bench) {
	b.open(".view.Controls1")
	b.tap(b.id("edit"))
	b.shell("input text Hello%sWorld")
	b.text("Hello World")
	b.tap(b.id("check1"))
	b.see("checked box", func(n node) bool { return strings.HasSuffix(n.ID, "check1") && n.Checked })
	b.open(".app.AlertDialogSamples")
	b.tap(b.text("List dialog"))
	b.tap(b.text("Command two"))
	b.text("You selected: 1 , Command two")
	b.shell("input keyevent BACK")
	b.text("List dialog")
	b.open(".view.TextSwitcher1")
	for _, n := range []string{"1", "2"} {
		b.tap(b.id("next"))
		b.text(n)
	}
	b.open(".view.Tabs1")
	b.tap(b.text("TAB2"))
	b.id("view2")
}

func testConfiguration(b *bench) {
	b.open(".view.Buttons1")
	b.text("Normal")
	pixel := func() string {
		picture, err := png.Decode(strings.NewReader(b.must("exec-out", "screencap", "-p")))
		if err != nil {
			b.Fatal(err)
		}
		return fmt.Sprint(picture.Bounds().Size())
	}
	if got := pixel(); got != "(1080,2400)" {
		b.Errorf("upright %s", got)
	}
	b.shell("settings put system user_rotation 1")
	if got := pixel(); got != "(2400,1080)" {
		b.Errorf("turned %s", got)
	}
	if _, _, right, _ := b.id("content").rect(); right != 2400 {
		b.Errorf("turned, the content ends at %d", right)
	}
	b.shell("settings put system user_rotation 0")
	_, top, _, bottom := b.id("button_normal").rect()
	b.shell("settings put system font_scale 1.5")
	if _, t, _, low := b.id("button_normal").rect(); low-t <= bottom-top {
		b.Errorf("the button is %d high, and %d with larger letters", bottom-top, low-t)
	}
	b.shell("settings put system font_scale 1.0")
	b.shell("wm density 320")
	if out := b.shell("wm density"); out != "Physical density: 420\nOverride density: 320\n" {
		b.Error(out)
	}
	b.shell("wm density reset")
	b.shell("cmd uimode night yes")
	if s := b.phone.state(b.Context()); !s.Night || s.FontScale != 1 || s.Density != 420 {
		b.Errorf("state %+v", s)
	}
	b.shell("cmd uimode night no")
	b.shell("cmd locale set-app-locales io.appium.android.apis --locales de-DE")
	b.open(".view.DateWidgets1")
	if s := b.phone.state(b.Context()); s.Locale != "de-DE" {
		b.Errorf("locale %s", s.Locale)
	}
	b.shell("cmd locale set-app-locales io.appium.android.apis --locales en-US")
}

func testFurniture(b *bench) {
	b.open(".view.Controls1")
	b.tap(b.id("edit"))
	if out := b.shell("dumpsys input_method"); !strings.Contains(out, "mInputShown=true") {
		b.Errorf("no keyboard: %s", out)
	}
	for _, key := range []string{"h", "i"} {
		n := b.text(key)
		if n.Package != "dev.trailblaze.phone" {
			b.Errorf("key %s is told as %s", key, n.Package)
		}
		b.tap(n)
	}
	if n := b.id("edit"); n.Text != "hi" {
		b.Errorf("the keys wrote %q", n.Text)
	}
	b.shell("input keyevent BACK")
	if out := b.shell("dumpsys input_method"); !strings.Contains(out, "mInputShown=false") {
		b.Errorf("the keyboard stays after Back: %s", out)
	}
	b.id("edit")
	bar := b.see("status bar", func(n node) bool {
		return n.Class == "android.widget.TextView" && strings.HasPrefix(n.Bounds, "[0,0][1080,")
	})
	if _, top, _, _ := b.id("edit").rect(); bar.Package != "dev.trailblaze.phone" || bar.Text == "" || top < 63 {
		b.Errorf("the status bar is told as %s at %s, and shows %q", bar.Package, bar.Bounds, bar.Text)
	}
	b.open(".app.NotifyWithText")
	b.tap(b.text("Show Short Notification"))
	b.text("Short notification")

	// On a small screen the keyboard covers a part of the app, and takes the taps there.
	b.shell("wm size 1080x1300")
	b.open(".view.Controls1")
	b.tap(b.id("edit"))
	b.text("q")
	b.tap(b.id("radio1"))
	if n := b.id("radio1"); n.Checked {
		b.Error("a tap went through the keyboard")
	}
	b.shell("input keyevent BACK")
	b.tap(b.id("radio1"))
	b.see("radio button that is on", func(n node) bool { return strings.HasSuffix(n.ID, "radio1") && n.Checked })
	b.shell("wm size reset")
}

func testFaults(b *bench) {
	b.open(".view.Controls1")
	b.id("check1")
	dump := func() (string, error) { return b.adb("exec-out", "uiautomator", "dump", "/dev/tty") }
	b.shell("phone fault slow-tree 700")
	began := time.Now()
	if out, err := dump(); err != nil || time.Since(began) < 700*time.Millisecond {
		b.Errorf("a slow tree came after %s: %v", time.Since(began), out)
	}
	b.shell("phone fault truncated-tree")
	if out, err := dump(); err != nil || strings.Contains(out, "</hierarchy>") || !strings.Contains(out, "<node") {
		b.Errorf("a truncated tree: %.200s, %v", out, err)
	}
	b.shell("phone fault tree-error")
	if out := b.shell("uiautomator dump || true"); !strings.Contains(out, "could not get idle state") {
		b.Errorf("a refused tree: %s", out)
	}
	b.shell("phone fault tap-elsewhere")
	check := func(n node) bool { return strings.HasSuffix(n.ID, "check1") }
	box := b.see("box", check)
	b.tap(box)
	if again := b.see("box", check); again.Checked != box.Checked {
		b.Error("the tap landed where it was aimed")
	}
	b.shell("phone fault none")
	b.tap(box)
	if again := b.see("box", check); again.Checked == box.Checked {
		b.Error("a tap after the fault changed nothing")
	}
	b.shell("phone fault sheet 200; phone fault duplicate Checkbox 1")
	sheet := b.text("Sheet")
	if _, top, _, bottom := sheet.rect(); top != 1200 || bottom != 2400 || sheet.Package != "dev.trailblaze.phone" {
		b.Errorf("the sheet is at %s of %s", sheet.Bounds, sheet.Package)
	}
	if out := b.must("exec-out", "uiautomator", "dump", "/dev/tty", "--windows"); strings.Count(out,
		`text="Checkbox 1"`) != 2 {
		b.Error("there are not two of Checkbox 1")
	}
	b.shell("phone fault none")
	b.shell("logcat -c; phone fault stuck 6")
	b.shell("input tap 10 10")
	if out := b.shell("logcat -d ActivityManager:E '*:S'"); !strings.Contains(out, "ANR in io.appium.android.apis") {
		b.Errorf("logcat of an app that does not respond: %s", out)
	}
	for _, fault := range []string{"offline 1", "unauthorized 1", "gone 1", "dead-socket 1"} {
		_, _ = b.adb("shell", "phone fault "+fault) // it may lose its own connection
		for end := time.Now().Add(30 * time.Second); ; {
			_, _ = b.adb("connect", b.phone.Addr())
			if out, err := b.adb("shell", "echo back"); err == nil && out == "back\n" {
				break
			} else if time.Now().After(end) {
				b.Fatalf("after %s: %s, %v", fault, out, err)
			}
		}
	}
	if out, err := b.adb("shell", "phone fault nonsense"); err == nil || !strings.Contains(out,
		"there is no fault nonsense") {
		b.Errorf("nonsense: %s, %v", out, err)
	}
}

func testHome(b *bench) {
	b.open(".view.Buttons1")
	b.shell("input keyevent HOME")
	home := b.text("API Demos")
	if home.Package != "dev.trailblaze.phone" {
		b.Errorf("the home screen is told as %s", home.Package)
	}
	b.tap(home)
	b.text("Normal") // the app is as it was left
	b.shell("am force-stop io.appium.android.apis")
	b.text("Trailblaze Phone")
	if out, err := b.adb("shell", "pidof io.appium.android.apis"); err == nil {
		b.Errorf("the app runs after a force-stop: %s", out)
	}
	b.tap(b.text("API Demos"))
	b.text("Accessibility")
	b.shell("pidof io.appium.android.apis")
}

func testCrash(b *bench) {
	b.shell("logcat -c")
	b.open(".view.Buttons1")
	b.shell("am crash io.appium.android.apis")
	b.text("Trailblaze Phone")
	out := b.shell("logcat -d AndroidRuntime:E *:S")
	for _, want := range []string{"FATAL EXCEPTION: main", "Process: io.appium.android.apis, PID: ",
		"shell-induced crash", "\tat "} {
		if !strings.Contains(out, want) {
			b.Errorf("logcat lacks %q: %s", want, out)
		}
	}
	b.shell("am start -W -n io.appium.android.apis/.view.Buttons1")
	b.text("Normal")
}

func testTasks(b *bench) {
	b.shell("am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n " +
		"io.appium.android.apis/.ApiDemos --activity-clear-task")
	b.tap(b.text("Views"))
	b.tap(b.text("Buttons"))
	b.text("Normal")
	b.shell("input keyevent BACK")
	b.text("Buttons")
	b.open(".app.ReceiveResult")
	b.tap(b.text("Get Result"))
	b.tap(b.id("corky"))
	b.see("result", func(n node) bool { return strings.Contains(n.Text, "Corky!") })

	// A task that is cleared leaves nothing: neither its dialog nor the home screen, also when activities are made anew.
	b.open(".app.AlertDialogSamples")
	b.tap(b.text("List dialog"))
	b.text("Command two")
	b.shell("am start -n io.appium.android.apis/.ApiDemos --activity-clear-task")
	b.text("Accessibility")
	b.shell("settings put system font_scale 1.3")
	b.text("Accessibility")
	if got := b.windows(); got != "StatusBar io.appium.android.apis/io.appium.android.apis.ApiDemos" {
		b.Errorf("after the task was cleared and the letters have grown, the windows are %s", got)
	}
	b.shell("settings put system font_scale 1.0")
	b.tap(b.text("Views"))
	b.text("Buttons")
	// One that was stopped takes what has changed when it is next seen.
	b.shell("wm density 320; input keyevent BACK")
	b.text("Accessibility")
	if s := b.phone.state(b.Context()); s.Density != 320 || !strings.HasSuffix(s.Top, ".ApiDemos") {
		b.Errorf("state %+v", s)
	}
	b.shell("wm density reset")
	if _, top, _, bottom := b.text("Accessibility").rect(); bottom-top != 126 {
		b.Errorf("a row is %d high", bottom-top)
	}
}

// windows lists what dumpsys names of those that can be seen, the front one first.
func (b *bench) windows() string {
	b.Helper()
	s := b.phone.state(b.Context())
	var out []string
	for _, w := range s.Windows {
		out = append(out, w.Title)
	}
	return strings.Join(out, " ")
}

// testReboot ends with the home screen, and nothing of before: neither the process nor the log.
func testReboot(b *bench) {
	// A task whose root is asked for comes to the front as it is: without -S.
	b.shell("am start -S -n io.appium.android.apis/.view.Buttons1")
	b.text("Normal")
	if _, err := b.adb("reboot"); err != nil {
		b.Fatal(err)
	}
	for end := time.Now().Add(2 * time.Minute); ; {
		_, _ = b.adb("connect", b.phone.Addr())
		if out, err := b.adb("shell", "echo back"); err == nil && out == "back\n" && strings.HasSuffix(b.phone.state(b.Context()).Top, "Launcher") {
			break
		} else if time.Now().After(end) {
			b.Fatalf("after a reboot: %s, %v", out, err)
		}
	}
	b.text("Trailblaze Phone")
	if out := b.shell("logcat -d"); strings.Contains(out, "Buttons1") {
		b.Errorf("the log has lines of before: %s", out)
	}
}
