package hub_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/toolset"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub"
	"github.com/trailblaze-dev/trailblaze/internal/serve/hub/clients"
)

// No client sees another's state (R198, R199, R274), and none of it is shared by accident.
func TestClientsAreIsolated(t *testing.T) {
	r := rig(t, hub.Options{})
	a, b := r.Client("mcp", "a"), r.Client("mcp", "b")
	if a.ID() == b.ID() {
		t.Fatal("two clients, one id")
	}
	before := b.State()
	err := a.Update(func(s *clients.State) error {
		s.Mode, s.Categories, s.Prefix, s.MaxTokens = "M", []toolset.Category{"TABS"}, "demo_", 7
		s.Extra = map[string]string{"k": "v"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if after := b.State(); after.Mode != before.Mode || len(after.Categories) != len(before.Categories) || after.Prefix != "" || after.Extra != nil {
		t.Errorf("another client's change is seen: %+v", after)
	}
	st := a.State()
	st.Categories[0], st.Extra["k"] = "X", "X"
	if now := a.State(); now.Categories[0] != "TABS" || now.Extra["k"] != "v" {
		t.Error("a copy of the state is the state")
	}
	for _, s := range []*clients.Client{a, b} {
		if rep := r.Must(s, "", "demo_who", `{}`); !strings.Contains(rep.Result.Text(), s.ID()) || rep.Device != "" {
			t.Errorf("management tool was called by %s, on %q", rep.Result.Text(), rep.Device)
		}
	}
}

// A change that fails, or cannot be kept, is none; who a client is cannot be changed.
func TestUpdateIsAllOrNothing(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "a")
	var seen []string
	stop := s.Watch(func(old, new clients.State) { seen = append(seen, old.Prefix+">"+new.Prefix) })
	set := func(prefix string, err error) error {
		return s.Update(func(st *clients.State) error {
			st.Prefix, st.ID, st.Kind = prefix, "tb_other", "other"
			return err
		})
	}
	if err := set("one", nil); err != nil {
		t.Fatal(err)
	}
	if err := set("two", errors.New("no")); err == nil {
		t.Error("an error was swallowed")
	}
	if st := s.State(); st.Prefix != "one" || st.ID != s.ID() || st.Kind != "mcp" {
		t.Errorf("state %+v", st)
	}
	folder := filepath.Join(r.Home, "run", "clients")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // nothing can be kept there now
		t.Fatal(err)
	}
	if err := set("three", nil); err == nil || s.State().Prefix != "one" {
		t.Errorf("a change that cannot be kept: %v, %q", err, s.State().Prefix)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := set("four", nil); err != nil {
		t.Error(err)
	}
	if !slices.Equal(seen, []string{">one"}) {
		t.Errorf("watchers saw %v", seen)
	}
}

// A client outlives its daemon, in a file that only its user reads.
func TestClientSurvivesItsDaemon(t *testing.T) {
	r := rig(t, hub.Options{})
	s := r.Client("mcp", "claude-code")
	if err := s.Update(func(st *clients.State) error { st.Device, st.MaxTokens = "web/checkout", 9; return nil }); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(r.Home, "run", "clients", s.ID()+".json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file %v %v", info, err)
	}
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"clients", "live"} { // a file that a killed daemon was putting into place
		half := filepath.Join(r.Home, "run", dir, fmt.Sprintf(".new-%d-1", gone.Process.Pid))
		if err := errors.Join(os.MkdirAll(filepath.Dir(half), 0o700), os.WriteFile(half, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	r.Crash()
	again, err := r.Hub.Client(s.ID(), clients.Identity{Kind: "http", Name: "other", Workspace: "/elsewhere"})
	if err != nil {
		t.Fatal(err)
	}
	if st := again.State(); st.Device != "web/checkout" || st.MaxTokens != 9 || st.Kind != "mcp" || st.Name != "claude-code" ||
		st.Workspace != s.State().Workspace {
		t.Errorf("came back as %+v", st)
	}
	if found, ok := r.Lookup(s.ID()); !ok || found != again {
		t.Error("one id, two clients")
	}
	left, _ := filepath.Glob(filepath.Join(r.Home, "run", "*", ".new-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Clients are forgotten after a week without use; their id then begins anew.
func TestClientsAreForgotten(t *testing.T) {
	now := time.Now()
	r := rig(t, hub.Options{Now: func() time.Time { return now }})
	s := r.Client("mcp", "a")
	if err := s.Update(func(st *clients.State) error { st.MaxTokens = 9; return nil }); err != nil {
		t.Fatal(err)
	}
	now = now.Add(6 * 24 * time.Hour)
	if found, ok := r.Lookup(s.ID()); !ok || found.State().MaxTokens != 9 {
		t.Error("forgotten after six days")
	}
	now = now.Add(8 * 24 * time.Hour)
	again, err := r.Hub.Client(s.ID(), clients.Identity{Kind: "mcp"})
	if err != nil || again.ID() != s.ID() || again.State().MaxTokens != 0 {
		t.Errorf("after eight days without use: %+v, %v", again.State(), err)
	}
}

// What is no id never touches the file system.
func TestBadHandles(t *testing.T) {
	r := rig(t, hub.Options{})
	victim := filepath.Join(r.Home, "run", "victim.json")
	if err := os.WriteFile(victim, []byte(`{"clientId":"../victim","maxTokens":5}`), 0o600); err != nil {
		if err := os.MkdirAll(filepath.Dir(victim), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(victim, []byte(`{"clientId":"../victim","maxTokens":5}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{
		"../victim", "..", "/etc/passwd", "tb_", "tb_../../victim", "tb_" + strings.Repeat("A", 26), "tb_" + strings.Repeat("a", 27),
		"tb_" + strings.Repeat("a", 25) + "\x00", "tb_" + strings.Repeat("a", 25) + "\n", strings.Repeat("a", 29), "tb_aaaaaaaaaaaaaaaaaaaaaaaaa1",
	} {
		if clients.ValidID(id) {
			t.Errorf("%q is valid", id)
		}
		if _, err := r.Hub.Client(id, clients.Identity{}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Client(%q): %v", id, err)
		}
		if _, ok := r.Lookup(id); ok {
			t.Errorf("Lookup(%q) found something", id)
		}
	}
	unknown := "tb_" + strings.Repeat("a", 26)
	if _, ok := r.Lookup(unknown); ok {
		t.Error("found a client that nobody took")
	}
}

// Commands of one shell user in one workspace share a client; other clients never do.
func TestShellSharesASeat(t *testing.T) {
	r := rig(t, hub.Options{})
	if a, b := r.Client("cli", ""), r.Client("cli", ""); a != b || !clients.ValidID(a.ID()) {
		t.Errorf("two commands, clients %s and %s", a.ID(), b.ID())
	}
	other, err := r.Hub.Client("", clients.Identity{Kind: "cli", Workspace: t.TempDir()})
	if err != nil || other == r.Client("cli", "") {
		t.Errorf("another workspace, the same client (%v)", err)
	}
}

// A client may say only later where it works; once it is said it stays. Watchers may use the hub.
func TestWorkspaceComesLater(t *testing.T) {
	r := rig(t, hub.Options{})
	s, err := r.Hub.Client("", clients.Identity{Kind: "mcp"})
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	s.Watch(func(_, _ clients.State) { listed = len(r.Tools(s).Names()) })
	for _, w := range []string{r.Workspace, t.TempDir()} {
		if _, err := r.Hub.Client(s.ID(), clients.Identity{Workspace: w}); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.State().Workspace; got != r.Workspace || listed == 0 {
		t.Errorf("works in %s, a watcher listed %d tools", got, listed)
	}
}
