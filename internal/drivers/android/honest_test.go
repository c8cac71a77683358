package android_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/drivertest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

func look(t *testing.T, d *android.Device) *screen.Snapshot {
	t.Helper()
	s, err := d.Snapshot(t.Context(), driver.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func named(t *testing.T, s *screen.Snapshot, name string) *screen.Node {
	t.Helper()
	var found *screen.Node
	var walk func(*screen.Node)
	walk = func(n *screen.Node) {
		if n.Name == name && found == nil {
			found = n
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(s.Root)
	if found == nil {
		t.Fatalf("nothing is called %q:\n%s", name, text.Of(s, text.Options{}))
	}
	return found
}

// A row that a list shows in the view of another is another element: the old ref finds nothing and taps nothing.
func TestRecycledRow(t *testing.T) {
	d, p := standIn(t)
	row := &androidtest.View{Class: "android.widget.TextView", Text: "Milk", Clickable: true}
	p.Show(&androidtest.View{Class: "android.widget.ListView", Kids: []*androidtest.View{row}})
	milk := named(t, look(t, d), "Milk")
	p.Do(func() { row.Text = "Bread" })
	if bread := named(t, look(t, d), "Bread"); bread.ID == milk.ID || bread.Ref == milk.Ref {
		t.Errorf("Bread has the name of Milk: %d %s", bread.ID, bread.Ref)
	}
	_, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: milk.ID}})
	if fault.KindOf(err) != fault.NotFound || p.Taps() != 0 {
		t.Errorf("tap on Milk: %v, %d taps", err, p.Taps())
	}
}

// What a window lies over is not tapped, and the reason names the window.
func TestCoveredByWindow(t *testing.T) {
	d, p := standIn(t)
	p.Show(&androidtest.View{Class: "android.widget.Button", Text: "Pay", Clickable: true, Top: 850})
	pay := named(t, look(t, d), "Pay")
	p.Do(func() { p.Open(androidtest.Label("Are you sure?")).Window = "overlay" })
	if v := named(t, look(t, d), "Pay").Visibility; v != screen.Covered {
		t.Errorf("visibility %d", v)
	}
	_, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: pay.ID, Wait: 50 * time.Millisecond}})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), "another window") || p.Taps() != 0 {
		t.Errorf("%v, %d taps", err, p.Taps())
	}
}

// What an open drawer lies over is not tapped, also where only the shade beside the drawer is, and is tapped when the app has
// closed the drawer.
func TestBehindADrawer(t *testing.T) {
	d, p := standIn(t)
	saved := 0
	page := &androidtest.View{Class: "android.view.ViewGroup", Left: true, Kids: []*androidtest.View{
		androidtest.Button("Save", func() { saved++ }), androidtest.Button("Delete", nil), androidtest.Label("12 items"),
	}}
	p.Show(page, androidtest.Button("Home", nil))
	save := driver.Target{Node: named(t, look(t, d), "Save").ID, Wait: 50 * time.Millisecond}
	_, err := d.Perform(t.Context(), driver.Tap{Target: save})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), "an open drawer") || saved > 0 {
		t.Errorf("%v, saved %d times", err, saved)
	}
	if v := named(t, look(t, d), "Save").Visibility; v != screen.Covered {
		t.Errorf("visibility %d", v)
	}
	p.Do(func() {
		for _, v := range append(page.Kids, page) {
			v.Left = false
		}
	})
	if _, err := d.Perform(t.Context(), driver.Tap{Target: save}); err != nil || saved != 1 {
		t.Errorf("%v, saved %d times", err, saved)
	}
	p.Do(func() { // not all libraries say of what they draw that it is important
		for _, v := range append(page.Kids, page) {
			v.Left, v.Drawn = true, v != page
		}
	})
	if v := named(t, look(t, d), "Save").Visibility; v != screen.Visible {
		t.Errorf("what a view draws itself: visibility %d", v)
	}
}

// A keyboard is closed after the text if that is asked for; where there is none, back is not pressed, which would leave the
// screen.
func TestTypingHidesTheKeyboard(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		keyboard, hide, suggest bool
	}{
		{"asked for", true, true, false}, {"not asked for", true, false, false}, {"none is there", false, true, false},
		{"suggestions are open", true, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, p := standIn(t)
			name := &androidtest.View{Class: "android.widget.EditText", Hint: "Name", Editable: true}
			name.Focused = func() {
				if tt.keyboard {
					p.Open(androidtest.Button("q", nil)).Window = "keyboard"
				}
			}
			name.Typed = func() {
				if tt.suggest && name.Text == "Ada" {
					p.Open(androidtest.Button("Ada Lovelace", nil)).Window = "application"
				}
			}
			p.Show(androidtest.Label("Below"))
			p.Do(func() { p.Open(name) }) // a dialog, which back would close
			field := driver.Target{Node: named(t, look(t, d), "Name").ID}
			typed := driver.TypeText{Target: field, Text: "Ada", HideKeyboard: tt.hide}
			if e, err := d.Perform(t.Context(), typed); err != nil || e.Value != "Ada" {
				t.Fatalf("%+v, %v", e, err)
			}
			snap := look(t, d)
			keyboard := slices.ContainsFunc(snap.Root.Children, func(n *screen.Node) bool { return n.Name == "keyboard" })
			if want := tt.keyboard && (!tt.hide || tt.suggest); keyboard != want {
				t.Errorf("keyboard %t, want %t:\n%s", keyboard, want, text.Of(snap, text.Options{}))
			}
			named(t, snap, "Name")
		})
	}
}

// An element that comes nearer has the time anew: how far away it is does not count against it.
func TestFarElement(t *testing.T) {
	t.Parallel()
	d, p := standIn(t)
	show(p, drivertest.List)
	row := named(t, look(t, d), "Row 90")
	p.Do(func() { p.Slow = 150 * time.Millisecond })
	const wait = 1500 * time.Millisecond
	began := time.Now()
	_, err := d.Perform(t.Context(), driver.ScrollIntoView{Target: driver.Target{Node: row.ID, Wait: wait}})
	if took := time.Since(began); err != nil || took < wait {
		t.Errorf("%v after %s, which proves nothing below %s", err, took, wait)
	}
}

// A tap that changes nothing has no effect that could pass.
func TestTapInVain(t *testing.T) {
	d, p := standIn(t)
	p.Show(androidtest.Button("Idle", nil))
	e, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Idle").ID}})
	if err != nil || e.Changes.Any() || !e.Changes.Received || p.Taps() != 1 {
		t.Errorf("%+v, %v, %d taps", e, err, p.Taps())
	}
}

// A tap gives a field the focus; one that has it already has what was wanted.
func TestTapFocusedField(t *testing.T) {
	d, p := standIn(t)
	p.Show(&androidtest.View{Class: "android.widget.EditText", Hint: "Name", Editable: true})
	for range 2 {
		e, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Name").ID}})
		if err != nil || !e.Changes.Verified {
			t.Errorf("%+v, %v", e, err)
		}
	}
}

// A tap that turned another box than the one that was meant landed elsewhere.
func TestTapElsewhere(t *testing.T) {
	d, p := standIn(t)
	box := func(text string) *androidtest.View {
		return &androidtest.View{Class: "android.widget.CheckBox", Text: text, Clickable: true, Checkable: true}
	}
	tea, milk := box("Tea"), box("Milk")
	tea.Tap = func() { tea.Checked, milk.Checked = !tea.Checked, true }
	p.Show(tea, milk)
	_, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Tea").ID}})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), `"Milk"`) {
		t.Errorf("got %v", err)
	}
}

// An app that ends during an action fails it with its stack, also when the launcher is in front by then.
func TestCrash(t *testing.T) {
	for _, front := range []string{"", "launcher"} {
		d, p, say := logged(t)
		p.Show(androidtest.Button("Boom", func() { crash(say, "app"); p.Front = front }))
		_, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Boom").ID}})
		if fault.KindOf(err) != fault.Assertion || !strings.Contains(err.Error(), "no cart") {
			t.Errorf("%q in front: got %v", front, err)
		}
	}
}

// An app that ends by itself after an action fails the next one, which acts on nothing.
func TestCrashBetween(t *testing.T) {
	d, p, say := logged(t)
	p.Show(androidtest.Button("Idle", nil))
	idle := driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Idle").ID}}
	if _, err := d.Perform(t.Context(), idle); err != nil {
		t.Fatal(err)
	}
	crash(say, "app")
	p.Do(func() { p.Front = "launcher" })
	waittest.Until(t, func() bool {
		all, _ := d.ConsoleMessages(t.Context(), 0)
		return len(all) == 1 && all[0].Failure() && strings.HasPrefix(all[0].Text, "FATAL EXCEPTION: main Process: app, PID: 77 ")
	}, "the log has the crash as one error")
	taps := p.Taps()
	if _, err := d.Perform(t.Context(), idle); fault.KindOf(err) != fault.Assertion || p.Taps() != taps {
		t.Errorf("got %v, %d taps", err, p.Taps()-taps)
	}
	if _, err := d.Perform(t.Context(), idle); err != nil {
		t.Errorf("the one after that: %v", err)
	}
}

// A crash that the log told before it told of the start is not one of the app that was started; one after it is.
func TestCrashBeforeStart(t *testing.T) {
	for _, after := range []bool{false, true} {
		d, p, say := logged(t)
		logcat := p.Commands
		p.Commands = func(line string, stdout, stderr io.Writer) int {
			switch {
			case strings.HasPrefix(line, "am start"):
				say <- "11-25 19:03:55.100    77    77 I Shop: ready"
				if !after {
					crash(say, "dev.shop")
				}
				say <- "11-25 19:03:55.200   600   600 I ActivityTaskManager: START u0 {cmp=dev.shop/.Main} from uid 2000"
				if after {
					crash(say, "dev.shop")
				}
				return 0
			case strings.HasPrefix(line, "dumpsys package"), strings.HasPrefix(line, "am force-stop"):
				return 0
			}
			return logcat(line, stdout, stderr)
		}
		p.Show(androidtest.Button("Idle", nil))
		p.Do(func() { p.Front = "dev.shop" })
		_, err := d.LaunchApp(t.Context(), "dev.shop/.Main", "FORCE_RESTART")
		if (fault.KindOf(err) == fault.Assertion) != after || !after && err != nil {
			t.Errorf("after the start is %v: got %v", after, err)
		}
	}
}

// An app whose first screen only leads to another one is in front in the end; the screen of before is not taken for it.
func TestFirstScreenLeadsOn(t *testing.T) {
	srv, p := adbtest.Start(t), androidtest.New("p1")
	p.Commands = func(string, io.Writer, io.Writer) int { return 0 }
	srv.Set(p.Adb())
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	p.Show(androidtest.Button("Idle", nil))
	looks := 0
	p.Do(func() {
		p.Front = "launcher"
		p.Looked = func() {
			if looks++; looks == 3 { // after the one before the start, and two that found the screen quiet
				p.Front = "dev.shop"
				p.Changed()
			}
		}
	})
	if e, err := d.LaunchApp(t.Context(), "dev.shop/.Main", "FORCE_RESTART"); err != nil || !e.Changes.Verified {
		t.Errorf("got %+v, %v after %d looks", e, err, looks)
	}
}

// The log is read on when the adb server that it came by has ended, and no line of it comes twice.
func TestLogGoesOn(t *testing.T) {
	srv, p := adbtest.Start(t), androidtest.New("p1")
	cut, asked := make(chan struct{}), make(chan string, 3)
	first, second := "11-25 19:03:55.123    77    77 I Shop: one", "11-25 19:03:56.123    77    77 I Shop: two"
	p.Commands = func(line string, stdout, _ io.Writer) int {
		if !strings.HasPrefix(line, "logcat") {
			return 127
		}
		select {
		case asked <- line:
		default:
		}
		_, _ = fmt.Fprintln(stdout, first)
		if strings.Contains(line, "-T 1 ") {
			<-cut
			return 0
		}
		_, _ = fmt.Fprintln(stdout, second)
		waittest.Hold(t, t.Context().Done())
		return 0
	}
	srv.Set(p.Adb())
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	said := func() (out []string) {
		all, _ := d.ConsoleMessages(t.Context(), 0)
		for _, m := range all {
			out = append(out, m.Text)
		}
		return out
	}
	waittest.Until(t, func() bool { return len(said()) == 1 }, "the first line")
	srv.Cut()
	close(cut)
	waittest.Until(t, func() bool { return len(said()) > 1 }, "the second line")
	if got := strings.Join(said(), " "); got != "one two" {
		t.Errorf("the log says %s", got)
	}
	<-asked
	if again := <-asked; !strings.Contains(again, "-T '11-25 19:03:55.123'") {
		t.Errorf("asked for %s", again)
	}
}

// The lines of one text are one message, and an error is an exception of the app in front.
func TestErrorsOfTheApp(t *testing.T) {
	d, p, say := logged(t)
	p.Show(androidtest.Button("Save", nil))
	look(t, d)
	for _, l := range []string{
		"99    99 E Wifi: no network", "77    80 E Cart: no price", "77    80 E Cart: \tat shop.Cart.sum(Cart.java:7)",
		"99    99 E AndroidRuntime: FATAL EXCEPTION: main", "99    99 E AndroidRuntime: Process: mail, PID: 99",
		"99    99 E AndroidRuntime: \tat mail.Main.run(Main.java:1)", "77    80 W Cart: slow",
		"77    81 E libEGL: no such call",
	} {
		say <- "11-25 19:03:55.123    " + l
	}
	var got []string
	waittest.Until(t, func() bool {
		got = nil
		all, _ := d.ConsoleMessages(t.Context(), 0)
		for _, m := range all {
			got = append(got, m.Level+" "+m.Text)
		}
		return len(got) == 5
	}, "all of the log")
	want := []string{
		"log no network", "error no price\n\tat shop.Cart.sum(Cart.java:7)",
		"log FATAL EXCEPTION: main Process: mail, PID: 99\n\tat mail.Main.run(Main.java:1)", "warning slow", "warning no such call",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func crash(say chan<- string, app string) {
	for _, l := range []string{
		"FATAL EXCEPTION: main", "Process: " + app + ", PID: 77", "java.lang.IllegalStateException: no cart",
	} {
		say <- "11-25 19:03:55.123    77    77 E AndroidRuntime: " + l
	}
}

// logged is a stand-in with a log, whose lines are sent.
func logged(t *testing.T) (*android.Device, *androidtest.Phone, chan<- string) {
	t.Helper()
	srv, p := adbtest.Start(t), androidtest.New("p1")
	lines := make(chan string)
	p.Commands = func(line string, stdout, _ io.Writer) int {
		if strings.HasPrefix(line, "pidof app") {
			_, _ = io.WriteString(stdout, "78 77\n")
			return 0
		}
		if !strings.HasPrefix(line, "logcat") {
			return 127
		}
		for l := range lines {
			_, _ = fmt.Fprintln(stdout, l)
		}
		return 0
	}
	t.Cleanup(func() { close(lines) })
	srv.Set(p.Adb())
	d, err := android.Open(t.Context(), android.Options{Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, p, lines
}

// A finger that scrolls taps nothing, however little is left of the way: on Android a short way is a tap.
func TestScrollTapsNothing(t *testing.T) {
	d, p := standIn(t)
	var rows []*androidtest.View
	for i := range 40 {
		rows = append(rows, androidtest.Button(fmt.Sprint("Row ", i), func() {}))
	}
	p.Show(&androidtest.View{Class: "android.widget.ListView", Scroll: true, H: 1000, Kids: rows})
	for _, dy := range []float64{3, 711, 1405, -707} {
		row := named(t, look(t, d), "Row 20")
		if _, err := d.Perform(t.Context(), driver.Scroll{Target: driver.Target{Node: row.ID}, DY: dy}); err != nil {
			t.Fatal(err)
		}
		if p.Taps() > 0 {
			t.Fatalf("a scroll by %v px tapped", dy)
		}
	}
}
