package extern_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// What a server listed is kept for as long as nothing has changed that is known to decide it: its tools are there
// without its process, which starts when one of them is called.
func TestListingIsKept(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	identity := "v1"
	program, server := filepath.Join(t.TempDir(), "acme"), acme("")
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	server.Command = program
	begin := func(c source.Server) *rig {
		return startWith(t, options{servers: []source.Server{c}, change: func(o *source.Options) {
			o.Home, o.Root, o.Identity = home, root, func(source.Process) string { return identity }
		}})
	}
	started := func(r *rig) bool { return r.sources[0].(source.Started).Started() != "" }

	first := begin(server)
	if !started(first) {
		t.Fatal("a server that nothing is known of was not started")
	}
	files, err := filepath.Glob(filepath.Join(home, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept are %v %v", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it is kept with %v %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(text), fixtureEnv) || strings.Contains(string(text), program) {
		t.Errorf("it tells of the environment or the command: %s %v", text, err)
	}

	second := begin(server)
	if started(second) {
		t.Fatal("it was started for its list")
	}
	want, got := first.spec("acme_say"), second.spec("acme_say")
	if want.Hash != got.Hash || want.Version != got.Version || len(first.d.Registry().All()) != len(second.d.Registry().All()) {
		t.Errorf("its tools are others: %+v, not %+v", got, want)
	}
	changed := 0
	defer second.sources[0].(tool.Notifier).Notify(func() { changed++ })()
	second.must("acme_echo", `{}`)
	if !started(second) || changed > 0 {
		t.Errorf("started by a call: %v; it told %d changes of what is the same", started(second), changed)
	}

	again := begin(server)
	if _, _, err := again.sources[0].Load(t.Context()); err != nil || !started(again) { // as a reload does
		t.Errorf("a second load reads it from the server: %v", err)
	}
	for name, change := range map[string]func(){
		"day": func() {
			if err := os.Chtimes(files[0], time.Time{}, time.Now().Add(-25*time.Hour)); err != nil {
				t.Fatal(err)
			}
		},
		"content": func() { identity = "v2" },
		"program": func() {
			if err := errors.Join(os.Remove(program), os.Symlink(os.Args[0], program)); err != nil { // its time is another
				t.Fatal(err)
			}
		},
		"unknown": func() { identity = "" },
	} {
		if change(); !started(begin(server)) {
			t.Errorf("with another %s it was not started", name)
		}
	}
}

// A listing that repeats what the server was given is not kept, nor is one of code that was changed while it started.
func TestListingIsNotKept(t *testing.T) {
	for name, c := range map[string]struct {
		env      string
		identity func(asked int) string
	}{
		"a variable":   {"Tool acme_say.", func(int) string { return "v1" }},
		"changed code": {"x", func(asked int) string { return strings.Repeat("v", asked) }},
	} {
		home, asked := t.TempDir(), 0
		server := acme("")
		server.Env["ACME_KEY"] = c.env
		startWith(t, options{servers: []source.Server{server}, change: func(o *source.Options) {
			o.Home, o.Identity = home, func(source.Process) string { asked++; return c.identity(asked) }
		}})
		if left, _ := os.ReadDir(home); len(left) > 0 || asked == 0 {
			t.Errorf("%s: kept is %v", name, left)
		}
	}
}
