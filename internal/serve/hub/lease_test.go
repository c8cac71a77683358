package hub_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// Claims: an idle slot goes to whoever calls, silently; a busy one is refused to others with who, what and how long.
func TestClaimYieldsUnlessBusy(t *testing.T) {
	r := rig(t, hub.Options{LeaseWait: 50 * time.Millisecond})
	a, b := r.Client("mcp", "claude-code"), r.Client("mcp", "goose")
	if rep := r.Must(a, "web", "demo_echo", `{"text":"a"}`); rep.Device != "web" || len(rep.Warnings) != 0 {
		t.Errorf("first call: %+v", rep)
	}
	if rep := r.Must(b, "web", "demo_echo", `{"text":"b"}`); rep.Device != "web" || len(rep.Warnings) != 0 {
		t.Errorf("an idle slot was not yielded silently: %+v", rep)
	}
	if d := r.Status().Devices; len(d) != 1 || d[0].Client != "goose" {
		t.Errorf("holder: %+v", d)
	}

	running := background(t, r.Hub, a, calls.Request{Call: req("demo_wait").Call, Device: "web"})
	dev := r.Provider.Device("web")
	if got := started(t, dev); got != "demo_wait" {
		t.Fatal(got)
	}
	_, err := r.Call(t.Context(), b, "web", "demo_echo", `{}`)
	if fault.KindOf(err) != fault.Busy {
		t.Fatalf("busy: %v", err)
	}
	for _, want := range []string{"Device web is busy: claude-code (client tb_", "has been running demo_wait for "} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("refusal %q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), a.ID()) {
		t.Error("the refusal gives the other client's id away")
	}
	if fault.HintOf(err) == "" {
		t.Error("no hint")
	}

	if st, err := r.Connect(t.Context(), b, devices.Spec{ID: "web"}); err != nil || st.Client != "claude-code" {
		t.Errorf("choosing a device needs no turn: %+v, %v", st, err)
	}
	if _, err := r.Connect(t.Context(), b, devices.Spec{ID: "web", Emulate: "iPhone 14"}); fault.KindOf(err) != fault.Busy {
		t.Errorf("replacing a busy device: %v", err)
	}

	// Calls of the same client queue.
	queued := background(t, r.Hub, a, calls.Request{Call: req("demo_look").Call, Device: "web"})
	if n := r.Cancel(calls.CancelRequest{Client: a.ID(), Device: "web", CallID: r.Status().Devices[0].Running.ID}); n != 1 {
		t.Errorf("cancelled %d", n)
	}
	if got := get(t, running); fault.KindOf(got.err) != fault.Canceled {
		t.Errorf("cancelled call: %v", got.err)
	}
	if got := get(t, queued); got.err != nil || got.rep.Device != "web" {
		t.Errorf("queued call: %v", got.err)
	}
}

// A call that waits gets the slot when it falls free in time.
func TestClaimWaitsAMoment(t *testing.T) {
	r := rig(t, hub.Options{LeaseWait: 5 * time.Second})
	a, b := r.Client("mcp", "a"), r.Client("mcp", "b")
	r.Must(a, "web", "demo_look", `{}`)
	running := background(t, r.Hub, a, calls.Request{Call: req("demo_wait").Call, Device: "web"})
	started(t, r.Provider.Device("web"))
	queued := make(chan calls.Progress, 9)
	waiting := background(t, r.Hub, b, calls.Request{Call: req("demo_look").Call, Device: "web", Progress: func(p calls.Progress) { queued <- p }})
	if p := waittest.Await(t, queued, "the call says that it waits"); p.Event != "waiting" || !anyWaiting(r.Status()) {
		t.Errorf("progress of a call that waits: %+v", p)
	}
	r.Cancel(calls.CancelRequest{Client: a.ID()})
	get(t, running)
	if got := get(t, waiting); got.err != nil {
		t.Errorf("waiting call: %v", got.err)
	}
}

func anyWaiting(st hub.Status) bool {
	for _, s := range st.Clients {
		for _, c := range s.Calls {
			if c.Waiting {
				return true
			}
		}
	}
	return false
}

// A client that goes leaves its devices to others and its running calls end (R210); the live session goes on.
func TestLeaveReleases(t *testing.T) {
	r := rig(t, hub.Options{})
	a := r.Client("mcp", "a")
	leave, leaveToo := a.Enter(), a.Enter()
	first := r.Must(a, "", "demo_echo", `{}`)
	running := background(t, r.Hub, a, req("demo_wait"))
	started(t, r.Provider.Device("web"))
	leave()
	if len(r.Status().Devices[0].Running.ID) == 0 {
		t.Error("one of two connections left, and the call was ended")
	}
	leaveToo()
	if got := get(t, running); fault.KindOf(got.err) != fault.Canceled || !strings.Contains(got.err.Error(), "the client has gone") {
		t.Errorf("call of a client that has gone: %v", got.err)
	}
	b := r.Client("mcp", "b")
	rep := r.Must(b, "", "demo_look", `{}`)
	if rep.Session != first.Session {
		t.Error("the live session did not go on")
	}
	if d := r.Status().Devices[0]; d.Client != "b" {
		t.Errorf("holder %+v", d)
	}
}

// TestProgramsHaveDevicesOfTheirOwn: two programs that name no device never meet on one, whoever comes first; people and
// agents do not run into a program's by chance, and one that nobody has called for a while is closed.
func TestProgramsHaveDevicesOfTheirOwn(t *testing.T) {
	now := time.Now()
	r := rig(t, hub.Options{Now: func() time.Time { return now }})
	at := func(c *clients.Client, named string) string {
		return r.Must(c, named, "demo_echo", `{"text":"a"}`).Device
	}
	one, two, shell, agent := r.Client("python", ""), r.Client("go", ""), r.Client("cli", ""), r.Client("mcp", "")
	first, second := at(one, ""), at(two, "")
	if first == second || at(one, "") != first || at(two, "") != second {
		t.Errorf("two programs on %s and %s", first, second)
	}
	shared := at(shell, "")
	if shared == first || shared == second || at(agent, "") != shared {
		t.Errorf("the shell is on %s", shared)
	}
	if third := at(r.Client("http", ""), ""); third == shared || third == first || third == second {
		t.Errorf("a program that came later is on %s", third)
	}
	if got := at(two, shared); got != shared {
		t.Errorf("a program that names %s is on %s", shared, got)
	}
	if at(shell, first) != first {
		t.Error("a program's device cannot be named")
	}
	now = now.Add(time.Hour)
	at(r.Client("python", ""), "")
	waittest.Until(t, func() bool { return r.Provider.Device(second).Closed() }, "the device that was left")
}
