package hub_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/devices"
)

// Which device a call goes to: the one it names, the client's, the only one, a new one. More than one is an error that
// lists them, and nothing runs.
func TestTarget(t *testing.T) {
	r := rig(t, hub.Options{})
	a, b, c := r.Client("mcp", "a"), r.Client("mcp", "b"), r.Client("mcp", "c")
	device := func(s *clients.Client, named, want string) {
		t.Helper()
		rep := r.Must(s, named, "demo_look", `{}`)
		if rep.Device != want || !strings.Contains(rep.Result.Text(), "on "+want) || rep.Platform != "web" {
			t.Errorf("on %q: reply says %s, tool says %s, want %s", named, rep.Device, rep.Result.Text(), want)
		}
	}
	device(a, "", "web") // none: made, and a's from now on
	device(b, "", "web") // the only one
	device(b, "web/checkout", "web/checkout")
	device(a, "", "web") // its own, although there are two now

	_, err := r.Call(t.Context(), b, "", "demo_look", `{}`)
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "web, web/checkout") || fault.HintOf(err) == "" {
		t.Errorf("ambiguous target: %v", err)
	}
	if _, err := r.Connect(t.Context(), b, devices.Spec{ID: "web/checkout"}); err != nil {
		t.Fatal(err)
	}
	device(b, "", "web/checkout")
	device(b, "web/", "web") // a name counts more
	device(b, "", "web/checkout")
	if err := r.Disconnect(t.Context(), b, ""); err != nil {
		t.Fatal(err)
	}
	device(c, "", "web")
	if n := len(r.Provider.Opened("web")); n != 1 {
		t.Errorf("web was opened %d times", n)
	}
	for _, bad := range []string{"../x", "a/b/c", "web/../x", " ", "web\x00", strings.Repeat("w", 80)} {
		if _, err := r.Call(t.Context(), a, bad, "demo_look", `{}`); fault.KindOf(err) != fault.Invalid && bad != " " {
			t.Errorf("device %q: %v", bad, err)
		}
	}
}

// A slot of another workspace is not taken for a client that names none.
func TestWorkspacesDoNotShareByAccident(t *testing.T) {
	r := rig(t, hub.Options{})
	other := filepath.Join(t.TempDir(), "my shop!")
	client, err := r.Hub.Client("", clients.Identity{Kind: "mcp", Workspace: other})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range []*clients.Client{r.Client("mcp", "a"), client, r.Client("mcp", "b")} {
		got = append(got, r.Must(s, "", "demo_look", `{}`).Device)
	}
	if !slices.Equal(got, []string{"web", "web/my-shop", "web"}) {
		t.Errorf("devices %v", got)
	}
	if rep := r.Must(client, "web", "demo_look", `{}`); rep.Device != "web" {
		t.Errorf("a device named on purpose: %s", rep.Device)
	}
}

// Two clients that begin at once get one browser of one workspace and different ones of two.
func TestTargetsAreChosenOneAtATime(t *testing.T) {
	r := rig(t, hub.Options{})
	known := []*clients.Client{}
	for _, w := range []string{r.Workspace, r.Workspace, t.TempDir(), t.TempDir()} {
		s, err := r.Hub.Client("", clients.Identity{Kind: "mcp", Workspace: w})
		if err != nil {
			t.Fatal(err)
		}
		known = append(known, s)
	}
	var all []<-chan answer
	for _, s := range known {
		all = append(all, background(t, r.Hub, s, req("demo_look")))
	}
	var got []string
	for _, ch := range all {
		a := get(t, ch)
		if a.err != nil {
			t.Fatal(a.err)
		}
		got = append(got, a.rep.Device)
	}
	if got[0] != got[1] || got[0] == got[2] || got[2] == got[3] || got[0] == got[3] {
		t.Errorf("devices %v of workspaces A A B C", got)
	}
}

// Desk tools and tools that do not exist open nothing.
func TestNothingIsOpenedInVain(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	r.Must(s, "", "demo_who", `{}`)
	if _, err := r.Call(t.Context(), s, "", "demo_loook", `{}`); fault.KindOf(err) != fault.NotFound || !strings.Contains(fault.HintOf(err), "demo_look") {
		t.Errorf("unknown tool: %v, hint %q", err, fault.HintOf(err))
	}
	if d := r.Status().Devices; len(d) != 0 || len(r.Provider.Opened("web")) != 0 {
		t.Errorf("opened %+v", d)
	}
}
