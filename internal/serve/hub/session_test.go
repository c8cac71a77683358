package hub_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/calls"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
	"github.com/trailblaze-dev/trailblaze/tool"
)

func logOf(t *testing.T, dir string) []event.Event {
	t.Helper()
	var out []event.Event
	for e, err := range event.Read(dir) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// A session begins by itself with the first call on a device (R10) and is the same for whoever calls, until it is
// stopped.
func TestLiveSession(t *testing.T) {
	r := rig(t, hub.Options{Version: "1.2.3"})
	a, b := r.Client("mcp", "claude-code"), r.Client("cli", "")
	if _, ok := r.RunningSession(a); ok {
		t.Error("a session without a call")
	}
	if _, err := r.Session(a); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no session: %v", err)
	}
	r.Must(a, "", "demo_say", `{"text":"x"}`)
	if len(r.Sessions()) != 0 {
		t.Error("a management tool began a session")
	}
	first := r.Must(a, "", "demo_echo", `{}`)
	if rep := r.Must(b, "", "demo_echo", `{}`); rep.Session != first.Session {
		t.Error("two sessions on one device")
	}
	sess, ok := r.RunningSession(a)
	if !ok || sess.ID != first.Session {
		t.Fatal("no live session")
	}
	if i := sess.Info(); i.Labels["client"] != "claude-code" || i.Labels["device"] != "web" || i.Labels["workspace"] == "" || i.Version != "1.2.3" {
		t.Errorf("session is %+v", i)
	}
	st, err := r.StopSession(t.Context(), b, "")
	if err != nil || st.ID != first.Session || st.Actions != 2 {
		t.Fatalf("stopped %+v, %v", st, err)
	}
	events := logOf(t, st.Dir)
	if last := events[len(events)-1]; last.Type != event.SessionEnded || last.Session.Outcome != event.Passed {
		t.Errorf("the log ends with %+v", last)
	}
	if _, err := r.StopSession(t.Context(), b, ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("stopped twice: %v", err)
	}
	second, err := r.StartSession(t.Context(), a, "Checkout")
	if err != nil || second.ID == first.Session || !strings.Contains(second.ID, "Checkout") {
		t.Fatalf("started %+v, %v", second, err)
	}
	if rep := r.Must(a, "", "demo_echo", `{}`); rep.Session != second.ID || !strings.Contains(strings.Join(rep.Warnings, " "), "was ended by cli") {
		t.Errorf("the call went to %s, %v", rep.Session, rep.Warnings)
	}
	if rep := r.Must(b, "", "demo_echo", `{}`); rep.Session != second.ID || len(rep.Warnings) != 0 {
		t.Errorf("who ended the session is told that: %v", rep.Warnings)
	}
	if len(r.Provider.Opened("web")) != 1 {
		t.Error("ending a session closed its device")
	}
	dev := r.Provider.Device("web")
	if err := r.Disconnect(t.Context(), a, "web"); err != nil || !dev.Closed() {
		t.Errorf("disconnected: %v, closed %v", err, dev.Closed())
	}
	if len(r.Sessions()) != 0 || len(r.Status().Devices) != 0 || a.State().Device != "" {
		t.Errorf("left of a disconnected device: %v, %v, %q", r.Sessions(), r.Status().Devices, a.State().Device)
	}
	if _, err := r.StopSession(t.Context(), a, "nothing"); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	if rep := r.Must(b, "web", "demo_echo", `{}`); !strings.Contains(strings.Join(rep.Warnings, " "), "closed by claude-code") {
		t.Errorf("another client was told %v", rep.Warnings)
	}
	if err := r.Disconnect(t.Context(), b, "web"); err != nil {
		t.Fatal(err)
	}
	if err := r.Disconnect(t.Context(), a, "web"); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
}

// A slot that is connected with another spec gets another device; with the same or none it stays.
func TestConnect(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	open := func(spec devices.Spec, want int) {
		t.Helper()
		st, err := r.Connect(t.Context(), s, spec)
		if err != nil || st.ID != "web" || st.State != devices.StateOpen || s.State().Device != "web" {
			t.Errorf("connected %+v, %v", st, err)
		}
		if n := len(r.Provider.Opened("web")); n != want {
			t.Errorf("opened %d times, want %d", n, want)
		}
	}
	open(devices.Spec{}, 1)
	open(devices.Spec{ID: "web"}, 1)
	open(devices.Spec{ID: "web", Viewport: "800x600"}, 2)
	open(devices.Spec{ID: "web", Viewport: "800x600"}, 2)
	open(devices.Spec{ID: "web"}, 2)
	if d := r.Provider.Device("web"); d.Spec.Viewport != "800x600" || d.Spec.Workspace != s.State().Workspace {
		t.Errorf("spec %+v", d.Spec)
	}
	list := r.Devices(t.Context())
	if len(list) != 1 || list[0].ID != "web" || list[0].State != devices.StateOpen {
		t.Errorf("devices %+v", list)
	}
	if err := r.Disconnect(t.Context(), s, ""); err != nil {
		t.Fatal(err)
	}
	if list := r.Devices(t.Context()); len(list) != 1 || list[0].State != devices.StateAvailable {
		t.Errorf("devices %+v", list)
	}
}

// Calls with the same intent in a row are one step; looking around does not end it, another intent or none does.
func TestIntentsAreSteps(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	call := func(name, intent string) {
		t.Helper()
		q := req(name)
		q.Intent = intent
		if _, err := r.Hub.Do(t.Context(), s, q); err != nil {
			t.Fatal(err)
		}
	}
	call("demo_look", "")
	call("demo_echo", "Log in")
	call("demo_look", "")
	call("demo_echo", " Log in ")
	call("demo_echo", "Buy")
	call("demo_echo", "")
	call("demo_echo", "Log in")
	st, err := r.StopSession(t.Context(), s, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range logOf(t, st.Dir) {
		switch e.Type {
		case event.StepStarted:
			got = append(got, "+"+e.Step.Text)
		case event.StepEnded:
			got = append(got, "-"+e.Step.Text+" "+string(e.Step.Outcome))
		case event.ToolCall:
			got = append(got, strings.TrimPrefix(e.Call.Name, "demo_")+" "+string(rune('0'+e.Call.Step)))
		}
	}
	want := []string{
		"look .", "+Log in", "echo 0", "look 0", "echo 0", "-Log in passed", "+Buy", "echo 1", "-Buy passed", "echo .", "+Log in", "echo 2", "-Log in passed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("log\n%q want\n%q", got, want)
	}
}

// A management tool that must act on a device takes its turn, and its reply names the device.
func TestUse(t *testing.T) {
	r := rig(t, hub.Options{LeaseWait: 1})
	s, other := r.Client("mcp", "a"), r.Client("mcp", "b")
	lease, err := r.Acquire(t.Context(), s, "", "trail run")
	if err != nil {
		t.Fatal(err)
	}
	if res, err := lease.Call(t.Context(), "replay", req("demo_echo").Call); err != nil || !strings.Contains(res.Text(), "on web") {
		t.Errorf("call in the lease: %v", err)
	}
	if _, err := r.Call(t.Context(), other, "web", "demo_look", `{}`); fault.KindOf(err) != fault.Busy || !strings.Contains(err.Error(), "trail run") {
		t.Errorf("the device of a lease: %v", err)
	}
	lease.Release()
	lease.Release()
	r.Must(other, "web", "demo_look", `{}`)
}

// Calls that would wait for themselves are refused at once.
func TestNoCallWaitsForItself(t *testing.T) {
	var h *hub.Hub
	type none struct{}
	tools := func(hb *hub.Hub) []tool.Tool {
		h = hb
		return []tool.Tool{tool.Define(tool.Spec{Name: "demo_knot", Description: "Takes the device, then asks for it.", Kind: tool.Action},
			func(ctx context.Context, _ tool.Env, _ none) (string, error) {
				s, _ := calls.ClientFrom(ctx)
				lease, err := h.Acquire(ctx, s, "", "knot")
				if err != nil {
					return "", err
				}
				defer lease.Release()
				_, err = h.Do(ctx, s, calls.Request{Call: tool.Call{Name: "demo_look"}})
				return "", err
			}),
			tool.Define(tool.Spec{Name: "demo_step", Description: "Calls a tool on the device.", Kind: tool.Action},
				func(ctx context.Context, _ tool.Env, _ none) (*tool.Result, error) {
					s, _ := calls.ClientFrom(ctx)
					rep, err := h.Do(ctx, s, calls.Request{Call: tool.Call{Name: "demo_look"}, Device: calls.From(ctx).Request().Device})
					if err != nil {
						return nil, err
					}
					return rep.Result, nil
				})}
	}
	r := rig(t, hub.Options{Management: tools})
	s := r.Client("mcp", "a")
	rep, err := r.Call(soon(t), s, "", "demo_knot", `{}`)
	if err == nil {
		err = rep.Result.Err()
	}
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "would wait for knot") {
		t.Errorf("a knot: %v", err)
	}
	if rep := r.Must(s, "web/x", "demo_step", `{}`); rep.Device != "web/x" || !strings.Contains(rep.Result.Text(), "on web/x") {
		t.Errorf("a management tool that calls a device tool: %s, %s", rep.Device, rep.Result.Text())
	}
}

// A login state is for the device it was given to: a browser that died has it again, who opens the slot after a
// disconnect does not.
func TestLoginStateGoesWithTheDevice(t *testing.T) {
	var states []string
	r := rig(t, hub.Options{})
	r.Provider.OnOpen = func(_ context.Context, s devices.Spec) error {
		states = append(states, string(s.StorageState))
		return nil
	}
	a := r.Client("mcp", "a")
	if _, err := r.Connect(t.Context(), a, devices.Spec{ID: "web/shop", Viewport: "800x600", StorageState: []byte(`{"cookies":[]}`)}); err != nil {
		t.Fatal(err)
	}
	r.Provider.Device("web/shop").Kill()
	r.Must(a, "web/shop", "demo_echo", `{}`)
	if err := r.Disconnect(t.Context(), a, "web/shop"); err != nil {
		t.Fatal(err)
	}
	r.Must(r.Client("mcp", "b"), "web/shop", "demo_echo", `{}`)
	if want := []string{`{"cookies":[]}`, `{"cookies":[]}`, ""}; !slices.Equal(states, want) {
		t.Errorf("the device was opened with %q, want %q", states, want)
	}
}
