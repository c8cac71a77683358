package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
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
		o.Root, o.Home, o.Makers = t.TempDir(), t.TempDir(), Makers{}
		s, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.trusted(source.Process{What: "x"}); (err == nil) != (name != "neither") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
