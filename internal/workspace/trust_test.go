package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/config"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
)

func TestTrustIsOfAProcessInAFolder(t *testing.T) {
	home, root, other := t.TempDir(), t.TempDir(), t.TempDir()
	trust := Trust{Home: home}
	p := source.Process{What: `MCP server "acme"`, Place: "trailblaze.yaml:3", Command: []string{"./acme", "-v"},
		Env: map[string]string{"KEY": "value"}}
	refused := func(root string, p source.Process, want string) {
		t.Helper()
		err := trust.Check(root, p)
		if fault.KindOf(err) != fault.Denied || !strings.Contains(err.Error(), want) ||
			!strings.Contains(fault.HintOf(err), "trailblaze trust") {
			t.Errorf("Check = %v (hint %q), want a refusal that says %q", err, fault.HintOf(err), want)
		}
	}
	refused(root, p, `MCP server "acme" (trailblaze.yaml:3) is not started: nobody has trusted`)
	if err := trust.Record(t.Context(), root, []source.Process{p}); err != nil {
		t.Fatal(err)
	}
	if err := trust.Check(root, p); err != nil {
		t.Errorf("what was trusted is refused: %v", err)
	}
	moved := p
	moved.Place = "trailblaze.yaml:30"
	if err := trust.Check(root, moved); err != nil {
		t.Errorf("another line in the file is no other process: %v", err)
	}
	refused(other, p, "nobody has trusted")
	for name, change := range map[string]func(*source.Process){
		"command":  func(p *source.Process) { p.Command = []string{"./acme", "-x"} },
		"variable": func(p *source.Process) { p.Env = map[string]string{"KEY": "value", "LD_PRELOAD": "x.so"} },
		"folder":   func(p *source.Process) { p.Dir = "tools" },
		"content":  func(p *source.Process) { p.Content = "abc" },
	} {
		changed := p
		change(&changed)
		t.Log(name)
		refused(root, changed, "new or changed since")
	}
	info, err := os.Stat(filepath.Join(home, trustName))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v %v, want 0600", info.Mode(), err)
	}
	list, err := trust.List()
	if err != nil || len(list) != 1 || list[0].Folder != folderKey(root) {
		t.Errorf("List = %v %v", list, err)
	}
	if was, err := trust.Revoke(t.Context(), root); !was || err != nil {
		t.Errorf("Revoke = %v %v", was, err)
	}
	refused(root, p, "nobody has trusted")
}

// A damaged file trusts nothing.
func TestDamagedTrust(t *testing.T) {
	for _, text := range []string{"{", `{"version":2,"folders":{}}`, ""} {
		trust := Trust{Home: t.TempDir()}
		if err := os.WriteFile(trust.path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := trust.Check(t.TempDir(), source.Process{}); fault.KindOf(err) != fault.Denied {
			t.Errorf("with %q: %v", text, err)
		}
	}
}

// The flag and the variable trust without the file.
func TestTrustedForNow(t *testing.T) {
	ci := func(name string) string { return map[string]string{EnvTrust: "1"}[name] }
	for name, o := range map[string]Options{"flag": {Trust: true}, "variable": {Env: ci}, "neither": {}} {
		o.Root, o.Home, o.Makers = t.TempDir(), t.TempDir(), []source.Maker{}
		s, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.trusted(source.Process{What: "x"}); (err == nil) != (name != "neither") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The files of the project that a command line names, and the code beside them that they may import, are a part of what
// is trusted, so that a change which is pulled in does not run unasked.
func TestTrustIsOfContent(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	content := func(command ...string) string {
		t.Helper()
		acme := config.Server{Name: "acme", Transport: "stdio", Command: command[0], Dir: "tools", Args: command[1:]}
		cfg := &config.Config{Project: config.Project{Servers: []config.Server{acme}}}
		s, err := Open(Options{Root: root, Idle: true, Config: func() (*config.Config, error) { return cfg, nil }})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		all, err := s.Processes(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("processes: %v %v", all, err)
		}
		return all[0].Content
	}
	for _, name := range []string{"tools/bin/run", "tools/server.py", "tools/near.py", "tools/lib/deep.py", "tools/hook.js",
		"tools/near.ts", "tools/near.go", "tools/pkg/__main__.py", "tools/node_modules/x/x.js", "tools/env/lib/x.py",
		"tools/env/pyvenv.cfg", "tools/.hidden/x.py", "tools/notes.md", "tools/package.json", "abs.py", "web/app.js"} {
		write(name, "one")
	}
	for _, c := range []struct {
		command      []string
		ours, others []string
	}{
		{[]string{"bin/run", "server.py", "--require=hook.js", "gone.py", "..", filepath.Join(root, "abs.py")},
			[]string{"tools/bin/run", "tools/server.py", "tools/near.py", "tools/lib/deep.py", "tools/lib/new.py", "tools/hook.js",
				"tools/near.ts", "tools/package.json", "abs.py", "tools/gone.py"},
			[]string{"tools/near.go", "tools/env/lib/x.py", "tools/.hidden/x.py", "tools/node_modules/x/x.js", "tools/notes.md",
				"web/app.js"}},
		{[]string{"node", "server.py"}, []string{"tools/server.py", "tools/near.py"}, []string{"tools/hook.js", "abs.py"}},
		{[]string{"bin/run", "-v"}, []string{"tools/bin/run"}, []string{"tools/near.py", "tools/near.go"}},
		{[]string{"python", "-m", "pkg.more"}, nil, []string{"tools/pkg/__main__.py", "tools/near.py"}},
		{[]string{"python", "-m", "pkg"}, []string{"tools/pkg/__main__.py", "tools/pkg/new.py"}, []string{"tools/near.py"}},
		{[]string{"go", "run", "."}, []string{"tools/near.go", "tools/lib/new.go"}, []string{"tools/notes.md", "abs.py"}},
		{[]string{"npx", "acme"}, nil, []string{"tools/near.ts", "tools/package.json"}},
	} {
		last := content(c.command...)
		if (last == "") != (c.ours == nil) || last != content(c.command...) {
			t.Fatalf("%v: content %q", c.command, last)
		}
		for _, name := range c.ours {
			write(name, last)
			now := content(c.command...)
			if now == last {
				t.Errorf("%v: a change of %s goes unnoticed", c.command, name)
			}
			last = now
		}
		for _, name := range c.others {
			write(name, "other"+last)
			if content(c.command...) != last {
				t.Errorf("%v: %s matters, which is no part of it", c.command, name)
			}
		}
	}
}
