package hub_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// answersIn fails when the call takes longer than limit to answer.
func answersIn(t *testing.T, limit time.Duration, ch <-chan answer) answer {
	t.Helper()
	began := time.Now()
	a := get(t, ch)
	if d := time.Since(began); d > testtime.Within(limit) {
		t.Errorf("the answer took %v, want at most %v", d, limit)
	}
	return a
}

func onWeb(name string) calls.Request {
	r := req(name)
	r.Device = "web"
	return r
}

// Cancel ends a call within a second whatever its tool does, and the slot works within another. What it took is said
// once.
func TestCancel(t *testing.T) {
	for _, tc := range []struct {
		name, tool string
		prepare    func(d *deviceUnder)
		warning    string
		reopened   bool
	}{
		{name: "a tool that listens", tool: "demo_wait"},
		{name: "a tool that does not", tool: "demo_stuck", warning: "demo_stuck goes on although it was cut off"},
		{name: "a page that can be interrupted", tool: "demo_wait", prepare: func(d *deviceUnder) { d.Wedge(false) }, warning: "its script was ended"},
		{name: "a page that cannot", tool: "demo_wait", prepare: func(d *deviceUnder) { d.Wedge(true) }, warning: "web had to be opened anew", reopened: true},
		{name: "a browser that dies", tool: "demo_wait", prepare: func(d *deviceUnder) { d.Kill() }, warning: "web had to be opened anew", reopened: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := rig(t, hub.Options{})
			s, other := r.Client("mcp", "a"), r.Client("mcp", "b")
			first := r.Must(s, "web", "demo_echo", `{}`)
			dev := r.Provider.Device("web")
			running := background(t, r.Hub, s, onWeb(tc.tool))
			started(t, dev)
			if tc.prepare != nil {
				tc.prepare(dev)
			}
			// A wedged slot blocks neither status nor other slots.
			if st := r.Status(); st.Running != 1 || st.Devices[0].Running.Tool != tc.tool || st.Devices[0].Running.Name != "a" {
				t.Errorf("status %+v", st)
			}
			r.Must(other, "web/other", "demo_echo", `{}`)

			if n := r.Cancel(calls.CancelRequest{Device: "web", Why: "Ctrl-C"}); n != 1 {
				t.Errorf("cancelled %d calls", n)
			}
			a := answersIn(t, time.Second, running)
			if fault.KindOf(a.err) != fault.Canceled || !strings.Contains(a.err.Error(), "Ctrl-C") || a.rep.Device != "web" {
				t.Errorf("cancelled call: %+v, %v", a.rep, a.err)
			}
			next := answersIn(t, 2*time.Second, background(t, r.Hub, s, onWeb("demo_echo")))
			if next.err != nil {
				t.Fatalf("next call: %v", next.err)
			}
			said := strings.Join(next.rep.Warnings, "\n")
			if (said == "") != (tc.warning == "") || !strings.Contains(said, tc.warning) {
				t.Errorf("next call said %q, want %q", said, tc.warning)
			}
			if next.rep.Session != first.Session {
				t.Error("the session did not go on")
			}
			if reopened := len(r.Provider.Opened("web")) == 2; reopened != tc.reopened {
				t.Errorf("reopened %v", reopened)
			}
			if again := r.Must(s, "web", "demo_echo", `{}`); len(again.Warnings) != 0 {
				t.Errorf("said twice: %v", again.Warnings)
			}
			if tc.warning != "" {
				if rep := r.Must(other, "web", "demo_echo", `{}`); len(rep.Warnings) == 0 {
					t.Error("the other client was not told")
				}
			}
		})
	}
}

// By what calls can be cancelled, and that nothing else is.
func TestCancelMatches(t *testing.T) {
	r := rig(t, hub.Options{})
	a, b := r.Client("mcp", "a"), r.Client("mcp", "b")
	r.Must(a, "web/a", "demo_look", `{}`)
	r.Must(b, "web/b", "demo_look", `{}`)
	run := func() (x, y <-chan answer) {
		ra, rb := req("demo_wait"), req("demo_wait")
		ra.Device, rb.Device = "web/a", "web/b"
		x, y = background(t, r.Hub, a, ra), background(t, r.Hub, b, rb)
		started(t, r.Provider.Device("web/a"))
		started(t, r.Provider.Device("web/b"))
		return x, y
	}
	idOf := func(device string) string {
		for _, d := range r.Status().Devices {
			if d.ID == device {
				return d.Running.ID
			}
		}
		return ""
	}
	for name, sel := range map[string]func() calls.CancelRequest{
		"client":       func() calls.CancelRequest { return calls.CancelRequest{Client: a.ID()} },
		"short client": func() calls.CancelRequest { return calls.CancelRequest{Client: a.ID()[:8]} },
		"device":       func() calls.CancelRequest { return calls.CancelRequest{Device: "web/a"} },
		"call":         func() calls.CancelRequest { return calls.CancelRequest{CallID: idOf("web/a")} },
		"both":         func() calls.CancelRequest { return calls.CancelRequest{Client: a.ID(), Device: "web/a", All: true} },
	} {
		x, y := run()
		for _, miss := range []calls.CancelRequest{{}, {Client: "tb_"}, {Device: "web"}, {CallID: "x"}, {Job: "job_x"}, {Client: a.ID(), Device: "web/b"}} {
			if n := r.Cancel(miss); n != 0 {
				t.Errorf("%+v cancelled %d", miss, n)
			}
		}
		if n := r.Cancel(sel()); n != 1 {
			t.Errorf("%s: cancelled %d", name, n)
		}
		if got := get(t, x); fault.KindOf(got.err) != fault.Canceled {
			t.Errorf("%s: %v", name, got.err)
		}
		if n := r.Cancel(calls.CancelRequest{All: true}); n != 1 {
			t.Errorf("%s: all cancelled %d", name, n)
		}
		get(t, y)
	}
}

// A client that goes away while its device is being opened waits for nothing, and what comes too late is closed.
func TestCancelWhileOpening(t *testing.T) {
	r := rig(t, hub.Options{})
	gate, inside := make(chan struct{}), make(chan struct{}, 1)
	r.Provider.OnOpen = stubbornOpen(inside, gate)
	s := r.Client("mcp", "a")
	running := background(t, r.Hub, s, onWeb("demo_look"))
	waittest.Await(t, inside, "the device is being opened")
	if d := r.Status().Devices; len(d) != 1 || d[0].State != devices.StateOpening {
		t.Errorf("status while opening: %+v", d)
	}
	r.Cancel(calls.CancelRequest{All: true})
	if a := answersIn(t, time.Second, running); fault.KindOf(a.err) != fault.Canceled {
		t.Errorf("cancelled while opening: %v", a.err)
	}
	close(gate)
	r.Must(s, "web", "demo_look", `{}`)
}
