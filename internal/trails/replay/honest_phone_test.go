package replay

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
)

// handset is a stand-in phone with an app that keeps what was done to it.
type handset struct {
	*androidtest.Phone
	app    string // the app's own state
	status *view  // shows what the app has done
	log    chan string
}

// Show replaces what is on the screen, above the status.
func (h *handset) Show(views ...*view) { h.Phone.Show(append(views, h.status)...) }

type view = androidtest.View

// after changes the screen a little later.
func (h *handset) after(ms int, change func()) {
	time.AfterFunc(time.Duration(ms)*time.Millisecond, func() { h.Do(change) })
}

// onLook changes the screen when it has been looked at so often.
func (h *handset) onLook(times int, change func()) {
	h.Do(func() {
		h.Looked = func() {
			if times--; times == 0 {
				change()
				h.Changed()
			}
		}
	})
}

// dies writes an app's end into the log.
func (h *handset) dies(lines ...string) {
	for _, l := range lines {
		h.log <- "11-25 19:03:55.123    77    77 E " + l
	}
}

// target is a kind of element that can be tapped, called Save.
type target struct {
	name string
	make func(h *handset) *view // whose tap the app counts
}

var targets = []target{
	{"button", func(*handset) *view { return androidtest.Button("Save", nil) }},
	{"icon", func(*handset) *view {
		return &view{Class: "android.widget.ImageButton", Desc: "Save", Clickable: true}
	}},
	{"text", func(*handset) *view {
		return &view{Class: "android.widget.TextView", Text: "Save", Clickable: true}
	}},
	{"box", func(*handset) *view {
		return &view{Class: "android.widget.CheckBox", Text: "Save", Clickable: true, Checkable: true}
	}},
	{"switch", func(*handset) *view {
		return &view{Class: "android.widget.Switch", Text: "Save", Clickable: true, Checkable: true}
	}},
	{"card", func(*handset) *view {
		return &view{Class: "android.view.ViewGroup", Clickable: true, Kids: []*view{androidtest.Label("Save")}}
	}},
}

// hazard is what happens to a target. The trail taps Save once; it may be green only when the app has saved once.
type hazard struct {
	name  string
	green bool
	show  func(h *handset, v *view) // v is not yet on the screen
}

var hazards = []hazard{
	{"plain", true, func(h *handset, v *view) { h.Show(v) }},
	{"among others", true, func(h *handset, v *view) {
		h.Show(androidtest.Label("Title"), androidtest.Button("Other", nil), v, androidtest.Button("Save as", nil))
	}},
	{"disabled", false, func(h *handset, v *view) { v.Disabled = true; h.Show(v) }},
	{"enabled later", true, func(h *handset, v *view) {
		v.Disabled = true
		h.Show(v)
		h.after(200, func() { v.Disabled = false })
	}},
	{"absent", false, func(h *handset, _ *view) { h.Show(androidtest.Button("Other", nil)) }},
	{"there later", true, func(h *handset, v *view) {
		h.Show(androidtest.Button("Other", nil))
		time.AfterFunc(200*time.Millisecond, func() { h.Show(androidtest.Button("Other", nil), v) })
	}},
	{"hidden", false, func(h *handset, v *view) { v.Hidden = true; h.Show(v) }},
	{"covered by a window", false, func(h *handset, v *view) {
		v.Top = 850
		h.Show(v)
		h.Do(func() { h.Open(androidtest.Label("Are you sure?")) })
	}},
	{"uncovered later", true, func(h *handset, v *view) {
		v.Top = 850
		h.Show(v)
		h.Do(func() { h.Open(androidtest.Label("Please wait")) })
		h.after(250, h.Close)
	}},
	{"covered by the keyboard", true, func(h *handset, v *view) {
		v.Top = 850
		h.Show(v)
		h.Do(func() { h.Open(androidtest.Button("q", nil)).Window = "keyboard" })
	}},
	{"covered by a keyboard that stays", false, func(h *handset, v *view) {
		v.Top = 850
		h.Show(v)
		h.Do(func() {
			k := h.Open(androidtest.Button("q", nil))
			k.Window, k.Stays = "keyboard", true
		})
	}},
	{"beside a toast", true, func(h *handset, v *view) {
		h.Show(v)
		h.Do(func() { h.Open(androidtest.Label("Welcome")).Window = "system" })
	}},
	{"off screen", true, func(h *handset, v *view) {
		rows := &view{Class: "android.widget.ScrollView", Scroll: true, H: 1500}
		for i := range 40 {
			rows.Kids = append(rows.Kids, androidtest.Label(fmt.Sprint("Row ", i)))
		}
		rows.Kids = append(rows.Kids, v, androidtest.Label("End"))
		h.Show(rows)
	}},
	{"moves, then stands", true, func(h *handset, v *view) {
		h.Show(v, androidtest.Button("Delete", func() { h.app = "deleted" }))
		for i := range 8 {
			h.after(30*i, func() { v.Top = 1000 - 100*i })
		}
	}},
	{"dead", false, func(h *handset, v *view) { v.Tap, v.Checkable = nil, false; h.Show(v) }},
	{"dead beside a clock", false, func(h *handset, v *view) {
		v.Tap, v.Checkable = nil, false
		clock := androidtest.Label("0")
		h.Show(v, clock)
		for i := range 1000 {
			h.after(40*i, func() { clock.Text = fmt.Sprint(i) })
		}
	}},
	{"dead beside a slow clock", false, func(h *handset, v *view) {
		v.Tap, v.Checkable = nil, false
		clock := androidtest.Label("12:00:00")
		h.Show(v, clock)
		for i := range 40 {
			h.after(250*i, func() { clock.Text = fmt.Sprintf("12:00:%02d", i+1) })
		}
	}},
	{"counts", true, func(h *handset, v *view) {
		saves := v.Tap
		n := androidtest.Label("Saved: 0")
		v.Tap = func() { saves(); h.status.Text = ""; n.Text = "Saved: 1" }
		h.Show(v, n)
	}},
	{"crashes", false, func(h *handset, v *view) {
		v.Tap = func() {
			h.dies("AndroidRuntime: FATAL EXCEPTION: main", "AndroidRuntime: Process: app, PID: 77",
				"AndroidRuntime: java.lang.IllegalStateException: no cart")
			h.Front = "launcher"
		}
		h.Show(v)
	}},
	{"hangs", false, func(h *handset, v *view) {
		saves := v.Tap
		v.Tap = func() { saves(); h.dies("ActivityManager: ANR in app") }
		h.Show(v)
	}},
	{"another app ends", true, func(h *handset, v *view) {
		saves := v.Tap
		v.Tap = func() {
			saves()
			h.dies("AndroidRuntime: FATAL EXCEPTION: main", "AndroidRuntime: Process: other, PID: 78")
		}
		h.Show(v)
	}},
	{"two of the name", false, func(h *handset, v *view) {
		h.Show(v, androidtest.Button("Save", func() { h.app = "saved elsewhere" }))
	}},
	{"a slow phone", true, func(h *handset, v *view) {
		h.Show(v)
		h.Do(func() { h.Slow = 60 * time.Millisecond })
	}},
	{"a sheet comes while it is aimed at", false, func(h *handset, v *view) {
		v.Top = 850
		h.Show(v)
		h.onLook(2, func() { h.Open(androidtest.Label("Are you sure?")) })
	}},
	{"a system window comes over it", false, func(h *handset, v *view) {
		v.Top = 850
		h.Show(v)
		h.onLook(2, func() { h.Open(androidtest.Button("Update", nil)).Window = "system" })
	}},
	{"another of the name in a window beside", false, func(h *handset, v *view) {
		h.Show(v)
		h.Do(func() { h.Open(androidtest.Button("Save", func() { h.app = "saved elsewhere" })).Window = "overlay" })
	}},
	{"another of the name in a window over it", false, func(h *handset, v *view) {
		v.Top = 2000
		h.Show(v)
		h.Do(func() { h.Open(androidtest.Button("Save", func() { h.app = "saved elsewhere" })).Window = "overlay" })
	}},
	{"its row becomes another's", false, func(h *handset, v *view) {
		h.Show(&view{Class: "android.widget.ListView", Kids: []*view{v}})
		h.onLook(1, func() {
			*v = view{Class: v.Class, Text: "Delete", Clickable: true, Tap: func() { h.app = "deleted" }}
		})
	}},
	{"its row becomes another's when it is aimed at", false, func(h *handset, v *view) {
		h.Show(&view{Class: "android.widget.ListView", Kids: []*view{v}})
		h.onLook(2, func() {
			*v = view{Class: v.Class, Text: "Delete", Clickable: true, Tap: func() { h.app = "deleted" }}
		})
	}},
	{"turned while it is aimed at", true, func(h *handset, v *view) {
		h.Show(v)
		h.onLook(2, func() { h.Turned = true })
	}},
	{"turned, and out of view", false, func(h *handset, v *view) {
		v.Top = 1500
		h.Show(v)
		h.onLook(2, func() { h.Turned = true })
	}},
	{"half a tree", true, func(h *handset, v *view) { h.Show(v); h.Do(func() { h.Truncated = true }) }},
	{"no tree", false, func(h *handset, v *view) { h.Show(v); h.Do(func() { h.Refused = "no root node" }) }},
	{"no tree after the tap", false, func(h *handset, v *view) {
		saves := v.Tap
		v.Tap = func() { saves(); h.Refused = "no root node" }
		h.Show(v)
	}},
	{"another takes the tap, and changes the screen", false, func(h *handset, v *view) {
		h.Show(v, androidtest.Button("Delete", func() { h.status.Text = "deleted" }))
		h.Do(func() { h.Elsewhere = 130 })
	}},
	{"says nothing of its click", true, func(h *handset, v *view) { v.Mute = true; h.Show(v) }},
	{"hides itself", true, func(h *handset, v *view) {
		saves := v.Tap
		v.Tap = func() { saves(); v.Hidden = true }
		h.Show(v)
	}},
	{"closes its window", true, func(h *handset, v *view) {
		saves := v.Tap
		v.Tap = func() { saves(); h.Close() }
		h.Show(androidtest.Button("Behind", nil))
		h.Do(func() { h.Open(v) })
	}},
	{"its app clicks another", true, func(h *handset, v *view) {
		saves := v.Tap
		other := androidtest.Button("Other", saves)
		v.Tap = func() { h.Click(other) }
		h.Show(v, other)
	}},
	{"a name in a word", false, func(h *handset, _ *view) { h.Show(androidtest.Button("Saved", func() { h.app = "wrong" })) }},
}

// newHandset is a phone whose app has done nothing yet.
func newHandset(t *testing.T) (*handset, *android.Device) {
	t.Helper()
	h := &handset{
		Phone: androidtest.New("p1"), app: "new", log: make(chan string, 64),
		status: &view{Class: "android.widget.TextView", Top: 2200},
	}
	ended := make(chan struct{})
	h.Commands = func(line string, stdout, _ io.Writer) int {
		for begin, said := range map[string]string{
			"dumpsys window": "  mCurrentFocus=Window{1 u0 app/app.Main}\n", "pidof app": "77\n",
			"dumpsys package app": "    versionCode=34 minSdk=21\n    versionName=1.2\n",
		} {
			if strings.HasPrefix(line, begin) {
				_, _ = io.WriteString(stdout, said)
				return 0
			}
		}
		if !strings.HasPrefix(line, "logcat") {
			return 127
		}
		for {
			select {
			case l := <-h.log:
				_, _ = fmt.Fprintln(stdout, l)
			case <-ended:
				return 0
			}
		}
	}
	srv := adbtest.Start(t)
	t.Cleanup(func() { close(ended) })
	srv.Set(h.Adb())
	d, err := android.Open(t.Context(), android.Options{ID: "android", Server: adb.NewServer(srv.Env())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return h, d
}

// judgePhone plays calls. Green is right when it is wanted and the app's own state is want; red, when the app has done
// nothing else.
func (b *bed) judgePhone(t *testing.T, h *handset, d *android.Device, calls []string, green bool, want string) {
	t.Helper()
	var text strings.Builder
	text.WriteString("config: {title: honest}\ntrail:\n  - step: Do\n    recording:\n      android:\n")
	for _, c := range calls {
		text.WriteString("        - " + c + "\n")
	}
	out, _ := b.playOn(t, d, text.String())
	state := ""
	h.Do(func() { state = h.app })
	switch passed := out.Outcome == event.Passed; {
	case passed != green:
		t.Errorf("%s; the app is %s; failure: %+v", out.Outcome, state, out.Failure)
	case green && state != want, !green && state != "new" && state != want:
		t.Errorf("%s, and the app is %s", out.Outcome, state)
	}
}

// TestHonestPhone plays a tap on each kind of element in each state of the screen.
func TestHonestPhone(t *testing.T) {
	b := newBed(t, nil)
	b.player.Screenshots = Off
	n := 0
	for _, hz := range hazards {
		for _, tg := range targets {
			if n++; !*whole && n%3 != 0 {
				continue
			}
			t.Run(hz.name+"/"+tg.name, func(t *testing.T) {
				t.Parallel()
				h, d := newHandset(t)
				v := tg.make(h)
				v.Tap = func() {
					h.app = map[string]string{"new": "saved", "saved": "saved twice"}[h.app]
					h.status.Text = h.app
				}
				hz.show(h, v)
				b.judgePhone(t, h, d, []string{"tapOnElementWithText: {text: Save, timeoutMs: 1500}"}, hz.green, "saved")
			})
		}
	}
}

// field is a text field of an app, and what it does with a text.
type field struct {
	name  string
	green bool
	text  string // is typed
	want  string // the app has then
	make  func(h *handset, v *view)
}

var fields = []field{
	{"plain", true, "Ann", "Ann", func(*handset, *view) {}},
	{"replaces", true, "Ann", "Ann", func(_ *handset, v *view) { v.Text = "Bob" }},
	{"other letters", true, "Größe 漢字", "Größe 漢字", func(*handset, *view) {}},
	{"password", true, "hunter2", "hunter2", func(_ *handset, v *view) { v.Password = true }},
	{"spaces", true, "a b  c", "a b  c", func(*handset, *view) {}},
	{"capitals", false, "Ann", "ANN", func(_ *handset, v *view) { v.Typed = func() { v.Text = strings.ToUpper(v.Text) } }},
	{"too short", false, "Annabel", "Ann", func(_ *handset, v *view) { v.Typed = func() { v.Text = v.Text[:3] } }},
	{"refuses", false, "Ann", "", func(_ *handset, v *view) { v.Typed = func() { v.Text = "" } }},
	{"password too short", false, "hunter2", "hun", func(_ *handset, v *view) {
		v.Password = true
		v.Typed = func() { v.Text = v.Text[:3] }
	}},
	{"other text", false, "Ann", "Eve", func(_ *handset, v *view) { v.Typed = func() { v.Text = "Eve" } }},
	{"disabled", false, "Ann", "", func(_ *handset, v *view) { v.Disabled = true }},
	{"ends", false, "Ann", "Ann", func(h *handset, v *view) {
		v.Typed = func() {
			h.dies("AndroidRuntime: FATAL EXCEPTION: main", "AndroidRuntime: Process: app, PID: 77")
			h.Front = "launcher"
		}
	}},
}

// TestHonestPhoneText types into fields that take a text and into those that do not.
func TestHonestPhoneText(t *testing.T) {
	b := newBed(t, nil)
	b.player.Screenshots = Off
	for _, f := range fields {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			h, d := newHandset(t)
			v := &view{Class: "android.widget.EditText", Hint: "Name", Editable: true}
			f.make(h, v)
			h.Show(androidtest.Label("Sign up"), v)
			b.judgePhone(t, h, d, []string{
				"tapOnElementWithText: {text: Name, timeoutMs: 1500, effect: none}", "clearText: {}",
				fmt.Sprintf("inputText: {text: %q}", f.text),
			}, f.green, "new")
			h.Do(func() {
				if v.Text != f.want {
					t.Errorf("the field holds %q", v.Text)
				}
			})
		})
	}
}

// TestHonestPhoneSees asserts that a text is or is not to be seen.
func TestHonestPhoneSees(t *testing.T) {
	b := newBed(t, nil)
	b.player.Screenshots = Off
	label := func() *view { return androidtest.Label("Paid") }
	for name, show := range map[string]func(h *handset) (seen bool){
		"there": func(h *handset) bool { h.Show(label()); return true },
		"there later": func(h *handset) bool {
			h.Show()
			time.AfterFunc(100*time.Millisecond, func() { h.Show(label()) })
			return true
		},
		"not there":   func(h *handset) bool { h.Show(androidtest.Label("Pay")); return false },
		"in a word":   func(h *handset) bool { h.Show(androidtest.Label("Unpaid Paidx")); return false },
		"hidden":      func(h *handset) bool { l := label(); l.Hidden = true; h.Show(l); return false },
		"in a dialog": func(h *handset) bool { h.Show(); h.Do(func() { h.Open(label()) }); return true },
		"in a field": func(h *handset) bool {
			h.Show(&view{Class: "android.widget.EditText", Hint: "State", Editable: true, Text: "Paid"})
			return true
		},
		"in a toast": func(h *handset) bool { h.Show(); h.Do(func() { h.Open(label()).Window = "system" }); return true },
		"under a sheet": func(h *handset) bool {
			l := label()
			l.Top = 850
			h.Show(l)
			h.Do(func() { h.Open(androidtest.Label("Wait")) })
			return false
		},
		"below what is in view": func(h *handset) bool {
			rows := &view{Class: "android.widget.ScrollView", Scroll: true, H: 1500}
			for i := range 20 {
				rows.Kids = append(rows.Kids, androidtest.Label(fmt.Sprint("Row ", i)))
			}
			rows.Kids = append(rows.Kids, label())
			h.Show(rows)
			return true // it is scrolled into view
		},
		"on a screen that was turned": func(h *handset) bool { h.Show(label()); h.Do(func() { h.Turned = true }); return true },
		"beyond a screen that was turned": func(h *handset) bool {
			l := label()
			l.Top = 1500
			h.Show(l)
			h.Do(func() { h.Turned = true })
			return false
		},
		"under the keyboard": func(h *handset) bool {
			l := label()
			l.Top = 850
			h.Show(l)
			h.Do(func() { h.Open(androidtest.Button("q", nil)).Window = "keyboard" })
			return false
		},
	} {
		for _, wanted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/%t", name, wanted), func(t *testing.T) {
				t.Parallel()
				h, d := newHandset(t)
				seen := show(h)
				call := "assertVisible: {text: Paid, timeoutMs: 1000}"
				if !wanted {
					if name == "there later" || strings.HasPrefix(name, "under") {
						t.Skip("what is not seen yet or now may be said not to be there")
					}
					call = "assertNotVisibleWithText: {text: Paid, timeoutMs: 500}"
				}
				b.judgePhone(t, h, d, []string{call}, seen == wanted, "new")
			})
		}
	}
}

// A tree that is not whole proves nothing: neither that something is there alone nor that it is not there.
func TestHonestPhoneTruncated(t *testing.T) {
	b := newBed(t, nil)
	b.player.Screenshots = Off
	h, d := newHandset(t)
	h.Show(androidtest.Label("Pay"))
	h.Do(func() { h.Truncated = true })
	b.judgePhone(t, h, d, []string{"assertNotVisibleWithText: {text: Paid, timeoutMs: 300}"}, false, "new")
}

// A failure says which app was in front, in which version, and what the phone's log says of it, without secrets.
func TestPhoneFailureTellsLog(t *testing.T) {
	b := newBed(t, nil)
	h, d := newHandset(t)
	h.Show(androidtest.Button("Save", func() {
		h.log <- "11-25 19:03:55.123    77    78 W Cart: no connection, the token is sesame-street"
		h.log <- "11-25 19:03:55.124     5     5 E Radio: of another process"
	}))
	s := b.sitting(t, d)
	defer s.Close(event.Failed)
	s.Memory.SetSecret("token", "sesame-street")
	out, _ := b.playIn(t, s, `trail:
  - step: Save
    recording: {android: [{tapOnElementWithText: {text: Save, effect: none}}]}
  - verify: It is saved
    recording: {android: [{assertVisible: {text: Saved, timeoutMs: 500}}]}
`)
	want := []string{
		"in front was .Main of app 1.2 (34)",
		"the phone's log of this step and the one before:\nW Cart: no connection, the token is ••••••",
	}
	if d := cmp.Diff(want, out.Notes); out.Outcome != event.Failed || d != "" {
		t.Errorf("%s, notes (-want +got):\n%s", out.Outcome, d)
	}
}
