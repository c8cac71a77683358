package attend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	neturl "net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/webtest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/trails/attend"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
	"github.com/trailblaze-dev/trailblaze/internal/trails/replay"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
	"github.com/trailblaze-dev/trailblaze/trail"
)

// desk is an X display with a browser on it, which the persons of these tests use one after the other.
var desk struct {
	once sync.Once
	end  func() // of the display
	b    *web.Browser
	err  error
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{webtest.Closing(m)}) }

type closing struct{ m webtest.Tests }

// Run implements goleak.TestingM.
func (c closing) Run() int {
	code := c.m.Run()
	if desk.b != nil {
		_ = desk.b.Close()
	}
	if desk.end != nil {
		desk.end()
	}
	return code
}

// browser starts the display and the browser at their first use.
func browser(t *testing.T) *web.Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	webtest.NeedsDisplay(t)
	desk.once.Do(func() {
		if desk.end, desk.err = webtest.Display(); desk.err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		path, err := exec.LookPath("chromium")
		if err != nil {
			path = "" // whichever is found; the headless shell has no window
		}
		desk.b, desk.err = web.Launch(ctx, web.Options{Headed: true, Browser: path})
	})
	if desk.err != nil {
		t.Fatal(desk.err)
	}
	return desk.b
}

// person acts on a page with the mouse and the keyboard of the display.
type person struct {
	t        *testing.T
	ctx      context.Context
	dev      *web.Device
	x, y     float64 // where the page begins on the display
	files    string  // folder of those that may be uploaded
	site     string  // address of the first page
	gestures chan string
	said     []string // replies to the calls, in their order
	missed   []string
	bar      *person // the same, in the window of the bar
}

// newPerson gives a person a window. With hands, it is one to record in.
func newPerson(ctx context.Context, t *testing.T, hands bool) *person {
	t.Helper()
	opened, err := browser(t).NewDevice(ctx, web.DeviceOptions{ID: "web", Hands: hands})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	p := &person{t: t, ctx: ctx, dev: opened, gestures: make(chan string, 1000)}
	p.calibrate()
	return p
}

// at the bar is a person where the page of a window without emulation begins.
func (p *person) beside(window driver.Device) {
	p.t.Helper()
	dev, ok := driver.As[*web.Device](window)
	if !ok {
		p.t.Fatalf("%T is no browser", window)
	}
	raw, err := dev.Evaluate(p.ctx, "[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]", 0)
	var at [2]float64
	if err == nil {
		err = json.Unmarshal(raw, &at)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.bar = &person{t: p.t, ctx: p.ctx, dev: dev, x: at[0], y: at[1], gestures: p.gestures}
}

func (p *person) xdotool(args ...string) string {
	p.t.Helper()
	c := exec.CommandContext(p.ctx, "xdotool", args...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		p.t.Fatalf("xdotool %q: %v %s", args, err, out.String())
	}
	return out.String()
}

// calibrate finds out where the page begins on the display.
func (p *person) calibrate() {
	p.t.Helper()
	if _, err := p.dev.Navigate(p.ctx, driver.Navigation{URL: "data:text/html,<title>page</title>"}); err != nil {
		p.t.Fatal(err)
	}
	const x, y = 500, 500
	var page, before [2]float64
	for same := 0; same < 3; before = page { // the window may still get its bars
		p.xdotool("mousemove", "490", "490")
		const watch = "()=>{window.at=new Promise(r=>addEventListener('mousemove',e=>{if(e.screenX===500)r([e.clientX,e.clientY])}))}"
		if _, err := p.dev.Evaluate(p.ctx, watch, 0); err != nil {
			p.t.Fatal(err)
		}
		p.xdotool("mousemove", strconv.Itoa(x), strconv.Itoa(y))
		p.focus() // no window manager does that
		raw, err := p.dev.Evaluate(p.ctx, "()=>window.at", 0)
		if err == nil {
			err = json.Unmarshal(raw, &page)
		}
		if err != nil {
			p.t.Fatal(err)
		}
		if same++; page != before {
			same = 1
		}
	}
	p.x, p.y = x-page[0], y-page[1]
}

// find waits until the screen shows the element, where a person could press it.
func (p *person) find(ref string) *screen.Node {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	for again := false; ; {
		snap := p.rest(ctx, ref)
		nodes, _ := snap.Locate(ref)
		for _, n := range nodes {
			if at := n.Bounds.Center(); n.Visibility == screen.Visible && (at.Y > 90 && at.Y < 700 || again) {
				return n
			}
			again = true
			if _, err := p.dev.Evaluate(ctx, "e=>e.scrollIntoView({block:'center',behavior:'instant'})", n.ID); err != nil {
				p.t.Fatal(err)
			}
			break
		}
		if again {
			continue
		}
		if err := p.dev.WaitChange(ctx, snap); err != nil {
			p.t.Fatalf("no %s: %v; recorded: %q; the screen: %s", ref, err, p.said, names(snap))
		}
	}
}

// rest is the screen when nothing has moved for a moment: a person sees where a thing is before they press it.
func (p *person) rest(ctx context.Context, ref string) *screen.Snapshot {
	p.t.Helper()
	for {
		snap, err := p.dev.Snapshot(ctx, driver.SnapshotOptions{CSS: screen.LocateCSS(ref)})
		if err != nil {
			p.t.Fatalf("look for %s: %v", ref, err)
		}
		moment, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		err = p.dev.WaitChange(moment, snap)
		cancel()
		if err != nil {
			return snap
		}
	}
}

func names(s *screen.Snapshot) string {
	out := []string{string(s.Quality.Verdict), strings.Join(s.Quality.Reasons, ", ")}
	for _, n := range s.Below(s.Root) {
		if n.Name != "" {
			out = append(out, n.Role+" "+strconv.Quote(n.Name))
		}
	}
	return strings.Join(out, ", ")
}

// to moves the mouse to the middle of an element.
func (p *person) to(ref string) {
	p.t.Helper()
	for at := p.find(ref).Bounds; ; {
		p.point(at.Center())
		now := p.find(ref).Bounds
		if now == at { // else it has moved, as a page does that is being laid out
			return
		}
		at = now
	}
}

func (p *person) point(at screen.Point) {
	p.t.Helper()
	p.xdotool("mousemove", fmt.Sprint(int(p.x+at.X)), fmt.Sprint(int(p.y+at.Y)))
}

// click presses the mouse on an element, and waits until that is recorded.
func (p *person) click(ref string) {
	p.t.Helper()
	p.press(ref)
	p.recorded()
}

// press presses the mouse on an element.
func (p *person) press(ref string) {
	p.t.Helper()
	p.to(ref)
	p.focus()
	p.xdotool("click", "1")
}

// focus gives the keyboard to the window under the mouse, as a desktop does when it is clicked.
func (p *person) focus() {
	p.t.Helper()
	_, window, _ := strings.Cut(p.xdotool("getmouselocation", "--shell"), "WINDOW=")
	p.xdotool("windowfocus", "--sync", strings.TrimSpace(window))
}

// sees has a person say by a button of the bar what they see, which they then click. The page hears nothing of that, but
// for the events given.
func (p *person) sees(button, ref string, but ...string) {
	p.t.Helper()
	p.bar.press("button " + strconv.Quote(button))
	p.bar.shows("Click what you see")
	const listen = `() => { window.heard = [];
		for (const k of ["pointerover", "pointermove", "pointerdown", "mousedown", "pointerup", "mouseup", "click", "focusin"])
			addEventListener(k, e => heard.push(k), true) }`
	if _, err := p.dev.Evaluate(p.ctx, listen, 0); err != nil {
		p.t.Fatal(err)
	}
	p.press(ref)
	p.recorded()
	heard, err := p.dev.Evaluate(p.ctx, "() => window.heard", 0)
	var kinds []string
	if err == nil {
		err = json.Unmarshal(heard, &kinds)
	}
	if err != nil || slices.ContainsFunc(kinds, func(k string) bool { return !slices.Contains(but, k) }) {
		p.t.Errorf("the page heard %s of a click on %s that is for the recorder: %v", heard, ref, err)
	}
}

// write types a text, wherever the focus is.
func (p *person) write(text string) {
	p.t.Helper()
	p.xdotool("type", "--delay", "15", text)
}

// key presses keys by their names in X.
func (p *person) key(names ...string) {
	p.t.Helper()
	p.xdotool(append([]string{"key"}, names...)...)
}

// chooses has a person choose a file, which is made, in the dialog that the browser opens for a field.
func (p *person) chooses(name, ref string) {
	p.t.Helper()
	file := filepath.Join(p.files, name)
	if err := os.WriteFile(file, []byte("a note"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.press(ref)
	p.xdotool("search", "--sync", "--onlyvisible", "--name", "^Open File", "windowfocus", "--sync")
	p.write(file)
	p.key("alt+o")
}

// drag drags the mouse from one place to another, as slowly as a person, who sees what hangs on the mouse: the element held.
func (p *person) drag(from, to screen.Point, held string) {
	p.t.Helper()
	p.point(from)
	p.xdotool("mousedown", "1")
	const steps = 12
	for i := 1; i <= steps; i++ {
		f := float64(i) / steps
		p.point(screen.Point{X: from.X + (to.X-from.X)*f, Y: from.Y + (to.Y-from.Y)*f})
		if i == steps/2 {
			p.find(held)
		}
	}
	p.xdotool("mouseup", "1")
}

// recorded waits until the next gesture is recorded.
func (p *person) recorded() {
	p.t.Helper()
	select {
	case <-p.gestures:
	case <-time.After(20 * time.Second):
		p.t.Fatalf("no gesture was recorded; so far: %q", p.said)
	}
}

// tabs waits until so many are open.
func (p *person) tabs(n int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	for {
		list, err := p.dev.Tabs(ctx)
		if err = errors.Join(err, ctx.Err()); err != nil {
			p.t.Fatalf("wait for %d tabs, not %+v: %v; so far: %q", n, list, err, p.said)
		}
		if len(list) == n {
			return
		}
	}
}

// dialog waits until a dialog is open.
func (p *person) dialog() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	for {
		snap, err := p.dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			p.t.Fatalf("look for a dialog: %v", err)
		}
		if snap.Dialog != nil {
			return
		}
		if err := p.dev.WaitChange(ctx, snap); err != nil {
			p.t.Fatalf("no dialog: %v", err)
		}
	}
}

// shows waits until the screen shows a text.
func (p *person) shows(text string) { p.t.Helper(); p.until(text, true) }

// gone waits until the screen does not show a text.
func (p *person) gone(text string) { p.t.Helper(); p.until(text, false) }

func (p *person) until(text string, shown bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	for {
		snap, err := p.dev.Snapshot(ctx, driver.SnapshotOptions{})
		if err != nil {
			p.t.Fatalf("look for %q: %v", text, err)
		}
		if shown == slices.ContainsFunc(snap.Below(snap.Root), func(n *screen.Node) bool {
			return n.Visibility == screen.Visible && (strings.Contains(n.Text, text) || strings.Contains(n.Value, text) || strings.Contains(n.Name, text))
		}) {
			return
		}
		if err := p.dev.WaitChange(ctx, snap); err != nil {
			p.t.Fatalf("%q is not as expected (shown: %t): %v; recorded: %q; the screen: %s", text, shown, err, p.said, names(snap))
		}
	}
}

// workshop is what recordings are made and played with.
type workshop struct {
	reg  *tool.Registry
	disp *dispatch.Dispatcher
	root string
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	root := t.TempDir()
	reg, err := tool.NewRegistry(tools.BuiltinIn(root, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{reg: reg, disp: dispatch.New(dispatch.Options{Registry: reg}), root: root}
	t.Cleanup(func() { _ = w.disp.Close(context.WithoutCancel(t.Context())) })
	return w
}

// recording is what a person did.
type recording struct {
	*trail.Trail
	text   string // of the file
	dir    string // of the session
	said   []string
	memory *memory.Store
}

// record has a person act, beginning at a page, and makes a trail of it.
func (w *workshop) record(t *testing.T, url string, do func(p *person)) *recording {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p := newPerson(ctx, t, true)
	p.files = w.root
	if u, err := neturl.Parse(url); err == nil {
		p.site = u.Scheme + "://" + u.Host
	}
	opened := p.dev
	dev := attend.On(opened)
	sess, err := session.Open(ctx, session.Options{Root: t.TempDir(), Title: t.Name(), Device: dev, Memory: memory.New()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sess.Close(event.Passed) }()
	args, _ := json.Marshal(map[string]string{"url": url})
	if res, err := w.disp.Call(ctx, sess, dispatch.Person, tool.Call{Name: "web_navigate", Args: args}); err != nil || res.IsError {
		t.Fatalf("open %s: %v %s", url, err, res.Text())
	}
	r := attend.Recorder{Dispatcher: w.disp, Session: sess, Device: dev, Files: w.root,
		Changed: func(said string) { p.said = append(p.said, said); p.gestures <- said },
		Missed:  func(err error) { p.missed = append(p.missed, err.Error()); p.gestures <- err.Error() },
	}
	window, err := browser(t).NewDevice(ctx, web.DeviceOptions{ID: "bar", Bar: true, Width: 400, Height: 620})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = window.Close() }()
	compose := func() (*record.Composed, error) {
		tr, err := record.OfLog(sess.Log)
		if err != nil {
			return nil, err
		}
		return tr.Compose(record.Plan{Memory: sess.Memory, Tools: w.reg})
	}
	bar := attend.Bar{Recorder: &r, Steps: func() (out []string) {
		if made, err := compose(); err == nil {
			for _, s := range made.Trail.Steps[1:] {
				out = append(out, s.Text)
			}
		}
		return out
	}}
	p.beside(window)
	stop, over := make(chan struct{}), make(chan error, 1)
	go func() { over <- bar.Record(ctx, window, stop) }()
	func() {
		defer func() { // also when the person gives up
			close(stop)
			if err := <-over; err != nil {
				t.Errorf("record: %v", err)
			}
		}()
		do(p)
	}()
	for _, m := range p.missed {
		t.Errorf("not recorded: %s", m)
	}
	made, err := compose()
	if err != nil {
		t.Fatalf("%v; said: %q", err, p.said)
	}
	text, err := record.Preview(made)
	if err != nil {
		t.Fatal(err)
	}
	parsed, problems := trail.Parse("recorded.trail.yaml", []byte(text), trail.Strict)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return &recording{parsed, text, sess.Dir, p.said, sess.Memory}
}

// play replays a recording in a browser without a window.
func (w *workshop) play(t *testing.T, r *recording, on web.DeviceOptions) *replay.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dev, err := webtest.Browser(t).NewDevice(ctx, on)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dev.Close() }()
	m := memory.New()
	for _, name := range r.memory.Names() {
		if v, ok := r.memory.Get(name); ok && r.memory.IsSecret(name) {
			m.SetSecret(name, fmt.Sprint(v))
		}
	}
	s, err := session.Open(ctx, session.Options{Root: t.TempDir(), Title: t.Name(), Device: dev, Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(event.Passed) }()
	return (&replay.Player{Dispatcher: w.disp, Registry: w.reg}).Play(ctx, s, r.Trail, replay.Attempt{Number: 1})
}

// steps are the sentences of a recording, without that which opens the first page.
func (r *recording) steps() []string {
	var out []string
	for _, s := range r.Steps[1:] {
		out = append(out, s.Text)
	}
	return out
}
