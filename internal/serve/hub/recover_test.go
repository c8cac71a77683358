package hub_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// visit brings the device to a page, as a tool would.
func visit(t *testing.T, d *deviceUnder, url string) {
	t.Helper()
	if _, err := d.Navigate(t.Context(), driver.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	waittest.Await(t, d.Entered(), "the device is called")
}

// A daemon that is lost takes nothing recorded with it: the next one goes on in the same session, on the same page,
// and tells every client what is missing, once.
func TestRecovery(t *testing.T) {
	r := rig(t, hub.Options{})
	a, b := r.Client("mcp", "a"), r.Client("mcp", "b")
	headed := false
	if _, err := r.Connect(t.Context(), a, devices.Spec{ID: "web/shop", Headless: &headed, StorageState: []byte(`{"cookies":["secret-cookie"]}`)}); err != nil {
		t.Fatal(err)
	}
	visit(t, r.Provider.Device("web/shop"), "https://shop.test/cart")
	q := req("demo_echo")
	q.Intent = "Fill the cart"
	rep, err := r.Hub.Do(t.Context(), a, q)
	if err != nil {
		t.Fatal(err)
	}
	r.Must(b, "web/shop", "demo_echo", `{}`)
	running := background(t, r.Hub, a, req("demo_wait"))
	for started(t, r.Provider.Device("web/shop")) != "demo_wait" {
	}
	before := logOf(t, filepath.Join(r.Home, "sessions", rep.Session))

	r.Crash()
	get(t, running)
	if after := logOf(t, filepath.Join(r.Home, "sessions", rep.Session)); len(after) != len(before) {
		t.Errorf("a lost daemon wrote %d events more", len(after)-len(before))
	}
	st := r.Status()
	if len(st.Recovers) != 1 || st.Recovers[0] != "web/shop" || st.Devices[0].State != devices.StateLost || st.Devices[0].Session != rep.Session {
		t.Errorf("status after the loss: %+v", st)
	}
	if len(r.Provider.Opened("web/shop")) != 1 {
		t.Error("a device was opened before anybody needed it")
	}
	again := func(s *clients.Client) *clients.Client {
		t.Helper()
		found, ok := r.Lookup(s.ID())
		if !ok {
			t.Fatal("the client is gone")
		}
		return found
	}
	a, b = again(a), again(b)
	if s, err := r.Session(a); err != nil || s.ID != rep.Session || !s.Orphaned || s.Dir == "" {
		t.Errorf("a lost session cannot be saved: %+v, %v", s, err)
	}

	first := r.Must(a, "", "demo_echo", `{}`)
	if first.Device != "web/shop" || first.Session != rep.Session {
		t.Errorf("went on as %+v", first)
	}
	dev := r.Provider.Device("web/shop")
	if url, _ := dev.URL(t.Context()); url != "https://shop.test/cart" || dev.Spec.Headless == nil || *dev.Spec.Headless {
		t.Errorf("the device is at %s, %+v", url, dev.Spec)
	}
	said := tellsLoss(t, first.Warnings)
	if rep := r.Must(b, "web/shop", "demo_echo", `{}`); strings.Join(rep.Warnings, "\n") != said {
		t.Errorf("the other client was told %v", rep.Warnings)
	}
	for _, s := range []*clients.Client{a, b, r.Client("mcp", "new")} {
		if rep := r.Must(s, "web/shop", "demo_echo", `{}`); len(rep.Warnings) != 0 {
			t.Errorf("told twice, or to a client that came later: %v", rep.Warnings)
		}
	}
	q.Intent = "Pay"
	if _, err := r.Hub.Do(t.Context(), a, q); err != nil {
		t.Fatal(err)
	}
	if _, err := r.StopSession(t.Context(), a, ""); err != nil {
		t.Fatal(err)
	}
	checkLog(t, filepath.Join(r.Home, "sessions", rep.Session))
	everything(t, r.Home, func(path string, data []byte) {
		if strings.Contains(string(data), "secret-cookie") {
			t.Errorf("login state was written to %s", path)
		}
	})
}

// tellsLoss requires that the warnings of a reply tell what was lost and what was kept, and returns them.
func tellsLoss(t *testing.T, warnings []string) string {
	t.Helper()
	said := strings.Join(warnings, "\n")
	for _, want := range []string{"the daemon was lost", "2 recorded actions were kept", "https://shop.test/cart was opened again", "Cookies",
		"demo_wait was running", "outcome is unknown"} {
		if !strings.Contains(said, want) {
			t.Errorf("the first reply said %q, which lacks %q", said, want)
		}
	}
	return said
}

// checkLog requires that the log counts on from before the loss, with one note of it and the steps in their order.
func checkLog(t *testing.T, dir string) {
	t.Helper()
	events := logOf(t, dir)
	notes, steps := 0, []int{}
	for i, e := range events {
		if e.Seq != uint64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		switch e.Type {
		case event.Note:
			notes++
		case event.StepStarted:
			steps = append(steps, e.Step.Index)
		}
	}
	if notes != 1 || len(steps) != 2 || steps[0] != 0 || steps[1] != 1 {
		t.Errorf("%d notes, steps %v", notes, steps)
	}
}

func everything(t *testing.T, dir string, see func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		see(path, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a lost daemon had open survives another loss before anybody came back, and ends when the hub is closed.
func TestRecoveryIsPatient(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	rep := r.Must(s, "", "demo_echo", `{}`)
	r.Crash()
	r.Crash()
	if st := r.Status(); len(st.Recovers) != 1 {
		t.Fatalf("after two losses: %+v", st)
	}
	if _, err := r.StopSession(t.Context(), mustLookup(t, r.Hub, s), rep.Session); err != nil {
		t.Errorf("a lost session cannot be stopped: %v", err)
	}
	events := logOf(t, filepath.Join(r.Home, "sessions", rep.Session))
	if last := events[len(events)-1]; last.Type != event.SessionEnded || last.Session.Labels["device"] != "web" {
		t.Errorf("ends with %+v", last)
	}
	r.Crash()
	if st := r.Status(); len(st.Recovers) != 0 {
		t.Errorf("came back after it was stopped: %+v", st)
	}
}

func mustLookup(t *testing.T, h *hub.Hub, s *clients.Client) *clients.Client {
	t.Helper()
	found, ok := h.Lookup(s.ID())
	if !ok {
		t.Fatal("the client is gone")
	}
	return found
}

// A hub that is closed ends its sessions and leaves nothing to recover; it refuses what comes later.
func TestClose(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	rep := r.Must(s, "", "demo_echo", `{}`)
	dev := r.Provider.Device("web")
	running := background(t, r.Hub, s, req("demo_wait"))
	for started(t, dev) != "demo_wait" {
	}
	if err := r.Close(soon(t)); err != nil {
		t.Fatal(err)
	}
	if a := get(t, running); fault.KindOf(a.err) != fault.Canceled || !strings.Contains(a.err.Error(), "stopping") {
		t.Errorf("running call: %v", a.err)
	}
	events := logOf(t, filepath.Join(r.Home, "sessions", rep.Session))
	if last := events[len(events)-1]; last.Type != event.SessionEnded || !dev.Closed() {
		t.Errorf("ends with %+v, device closed %v", last, dev.Closed())
	}
	if _, err := r.Call(t.Context(), s, "", "demo_echo", `{}`); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a call after the end: %v", err)
	}
	if _, err := r.Hub.Client("", clients.Identity{}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a client after the end: %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(r.Home, "run", "live", "*"))
	if len(files) != 0 {
		t.Errorf("left to recover: %v", files)
	}
}

// Two daemons of different builds on one home: neither takes from the other what it is using.
func TestLivingDaemonsAreLeftAlone(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	r.Must(s, "", "demo_echo", `{}`)
	other, err := hub.New(hub.Options{Home: r.Home, Sessions: filepath.Join(r.Home, "sessions"), Provider: r.Provider})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(soon(t)) }()
	if st := other.Status(); len(st.Recovers) != 0 || len(st.Devices) != 0 {
		t.Errorf("took over from a daemon that lives: %+v", st)
	}
	r.Must(s, "", "demo_echo", `{}`)
	r.Crash()
	if st := r.Status(); len(st.Recovers) != 1 {
		t.Errorf("what the living one had was lost: %+v", st)
	}
}

// A browser that dies while nobody uses it is replaced at the next call, in the same session, where it was.
func TestDeadBrowserIsReplaced(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	first := r.Must(s, "", "demo_echo", `{}`)
	dev := r.Provider.Device("web")
	visit(t, dev, "https://shop.test/")
	r.Must(s, "", "demo_echo", `{}`)
	dev.Kill()
	rep := r.Must(s, "", "demo_echo", `{}`)
	if rep.Session != first.Session || len(rep.Warnings) != 1 || !strings.Contains(rep.Warnings[0], "web had to be opened anew") {
		t.Errorf("%+v", rep)
	}
	if url, _ := r.Provider.Device("web").URL(t.Context()); url != "https://shop.test/" {
		t.Errorf("the new device is at %s", url)
	}
	if st := r.Status().Devices[0]; st.Actions != 3 {
		t.Errorf("%d actions", st.Actions)
	}
}

// The page of a session is not forgotten when its next device dies before a call has ended, or when the call that has it
// opened again is canceled meanwhile.
func TestPageOutlivesTwoDeaths(t *testing.T) {
	const page = "https://shop.test/"
	for _, end := range []string{"dies in its first call", "is still going back"} {
		t.Run(end, func(t *testing.T) {
			r := rig(t, hub.Options{})
			s := r.Client("mcp", "a")
			r.Must(s, "", "demo_echo", `{}`)
			dev := r.Provider.Device("web")
			visit(t, dev, page)
			first := r.Must(s, "", "demo_echo", `{}`)
			dev.Kill()
			tool, release := "demo_wait", func() {}
			if end == "is still going back" {
				tool = "navigate"
				r.Provider.OnNew = func(d *deviceUnder) { release = d.Hold() }
			}
			running := background(t, r.Hub, s, req("demo_wait"))
			waittest.Until(t, func() bool { return r.Provider.Device("web") != dev }, "another device is opened")
			again := r.Provider.Device("web")
			for started(t, again) != tool {
			}
			if tool == "demo_wait" {
				again.Kill()
			}
			r.Cancel(calls.CancelRequest{Client: s.ID()})
			if a := get(t, running); a.err == nil {
				t.Error("the call passed")
			}
			release()
			rep := r.Must(s, "", "demo_echo", `{}`)
			if url, _ := r.Provider.Device("web").URL(t.Context()); url != page || rep.Session != first.Session {
				t.Errorf("at %q in %s, want %s", url, rep.Session, first.Session)
			}
		})
	}
}

// A daemon that makes way while the next one runs already: what it leaves is found when it is needed.
func TestLateInheritance(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	first := r.Must(s, "", "demo_echo", `{}`)
	old := r.Hub
	r.Restart()
	if st := r.Status(); len(st.Recovers) != 0 {
		t.Fatalf("took over from a daemon that lives: %+v", st)
	}
	if err := old.Drop(soon(t)); err != nil {
		t.Fatal(err)
	}
	if rep := r.Must(mustLookup(t, r.Hub, s), "", "demo_echo", `{}`); rep.Session != first.Session ||
		!strings.Contains(strings.Join(rep.Warnings, " "), "made way") {
		t.Errorf("went on as %+v", rep)
	}
}

// A hub that makes way for another leaves it all it had, and says so.
func TestDrop(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	first := r.Must(s, "", "demo_echo", `{}`)
	dev := r.Provider.Device("web")
	running := background(t, r.Hub, s, req("demo_wait"))
	for started(t, dev) != "demo_wait" {
	}
	if err := r.Drop(soon(t)); err != nil || !dev.Closed() {
		t.Fatalf("dropped: %v, device closed %v", err, dev.Closed())
	}
	if a := get(t, running); fault.KindOf(a.err) != fault.Canceled || !strings.Contains(a.err.Error(), "newer one") {
		t.Errorf("running call: %v", a.err)
	}
	r.Restart()
	rep, err := r.Hub.Do(t.Context(), mustLookup(t, r.Hub, s), req("demo_echo"))
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(rep.Warnings, " "); rep.Session != first.Session || !strings.Contains(said, "made way for a newer one") ||
		strings.Contains(said, "outcome is unknown") {
		t.Errorf("the next hub said %q", said)
	}
}
