package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

// folderOf is a workspace whose files are changed.
type folderOf struct {
	*testing.T
	root string
	sums contents
}

func (p *folderOf) write(name, text string) {
	p.Helper()
	name = filepath.Join(p.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

// old makes a file old enough for its sum to be kept.
func (p *folderOf) old(name string) {
	p.Helper()
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(p.root, filepath.FromSlash(name)), then, then); err != nil {
		p.Fatal(err)
	}
}

func (p *folderOf) know(dir string, command ...string) source.Process {
	out := source.Process{What: "x", Dir: dir, Command: command}
	p.sums.know(p.root, &out)
	return out
}

// Whatever is in the folder that a command runs in may run, and is a part of what is trusted.
func TestTrustIsOfTheWholeFolder(t *testing.T) {
	p := &folderOf{T: t, root: t.TempDir()}
	in := []string{"tools/server.py", "tools/__pycache__/near.cpython-312.pyc", "tools/native.so", "tools/Makefile",
		"tools/package.json", "tools/lib.sh", "tools/deep/x.lua", "tools/data", "tools/.venv/lib/x.py",
		"tools/node_modules/x/index.js", "tools/env/pyvenv.cfg", "tools/env/lib/y.py"}
	out := []string{"abs.py", "web/app.js", "tools/.git/index", "tools/shop.trail.yaml", "tools/trailblaze.yaml"}
	for _, name := range slices.Concat(in, out) {
		p.write(name, "one")
		p.old(name)
	}
	for _, command := range [][]string{{"python", "server.py"}, {"python", "-m", "server"}, {"npm", "start"}, {"make", "run"},
		{"sh", "-c", ". ./lib.sh; serve"}, {"npx", "acme"}, {"./server.py"}} {
		last := p.know("tools", command...)
		if last.Unknown != "" || last.Content == "" || last.Content != p.know("tools", command...).Content {
			t.Fatalf("%v: %+v", command, last)
		}
		for i, name := range append(slices.Clone(in), "tools/new.pth") {
			p.write(name, fmt.Sprint(i, last.Content))
			now := p.know("tools", command...)
			if now.Content == last.Content {
				t.Errorf("%v: a change of %s goes unnoticed", command, name)
			}
			last = now
		}
		for _, name := range out {
			p.write(name, "other"+last.Content)
			if p.know("tools", command...).Content != last.Content {
				t.Errorf("%v: %s matters, which is no part of it", command, name)
			}
		}
	}
	// What a line of a shell or an argument names elsewhere counts, and so does what is beside it.
	for _, command := range [][]string{{"sh", "-c", ". ../other/lib.sh; serve"}, {"node", "--require=../other/lib.sh"}} {
		p.write("other/lib.sh", "one")
		p.write("other/beside", "one")
		was := p.know("tools", command...)
		p.write("other/beside", "two")
		if p.know("tools", command...).Content == was.Content {
			t.Errorf("%v: what it names elsewhere may change", command)
		}
	}
	if said := strings.Join(p.know("tools", "npx", "acme").Uncovered, "\n"); !strings.Contains(said, "npx downloads") ||
		!strings.Contains(said, "files outside of tools") {
		t.Errorf("not covered: %s", said)
	}
	if p := p.know("../elsewhere", "make"); p.Unknown == "" {
		t.Error("a folder outside of the workspace is known")
	}
}

// A file of the same size and time is read once.
func TestSumsAreKept(t *testing.T) {
	p := &folderOf{T: t, root: t.TempDir()}
	p.write("a", "one")
	p.old("a")
	was := p.know("", "make").Content
	if len(p.sums.kept) != 1 || p.know("", "make").Content != was {
		t.Errorf("kept %v", p.sums.kept)
	}
	p.write("a", "two") // of the same size, and just now
	if p.know("", "make").Content == was {
		t.Error("the change goes unnoticed")
	}
}

// Nothing is read that is large, and nothing is opened that is no file. Names cannot pass for others.
func TestOddFilesOfAProject(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names and files")
	}
	p := &folderOf{T: t, root: t.TempDir()}
	p.write("a", "one")
	plain := p.know("", "make")
	if err := os.Symlink("/etc", filepath.Join(p.root, "out")); err != nil {
		t.Fatal(err)
	}
	linked := p.know("", "make")
	if linked.Content == plain.Content || !slices.Contains(linked.Uncovered, "what the link out leads to: /etc") {
		t.Errorf("a link out of the workspace: %+v", linked)
	}
	if err := os.Remove(filepath.Join(p.root, "out")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "mkfifo", filepath.Join(p.root, "pipe")).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v %s", err, out)
	}
	if piped := p.know("", "make"); piped.Content == plain.Content || !slices.Contains(piped.Uncovered, "pipe, which is no file") {
		t.Errorf("a named pipe: %+v", piped)
	}
	p.write("b\nfile \"c\" \x1b[2J", "two")
	if p.know("", "make").Content == plain.Content {
		t.Error("a file with an odd name goes unnoticed")
	}
	began := time.Now()
	for i := range 8 {
		f, err := os.Create(filepath.Join(p.root, fmt.Sprintf("big%d", i)))
		if err == nil {
			err = f.Truncate(256 << 20)
		}
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	big := p.know("", "make")
	if big.Unknown == "" || big.Content != "" || time.Since(began) > testtime.Within(time.Second) {
		t.Errorf("sparse files: %+v after %v", big, time.Since(began))
	}
	// What cannot be known is not remembered, whoever says yes.
	trust := Trust{Home: t.TempDir()}
	if err := trust.Record(t.Context(), p.root, []source.Process{big}); err != nil {
		t.Fatal(err)
	}
	if err := trust.Check(p.root, big); fault.KindOf(err) != fault.Denied || !strings.Contains(err.Error(), "cannot be known") {
		t.Errorf("what cannot be known: %v", err)
	}
	big.What, big.Unknown = "evil\n\x1b[2J\u202e", ""
	if err := trust.Check(p.root, big); err == nil || strings.ContainsAny(err.Error(), "\n\x1b\u202e") {
		t.Errorf("a name is shown as it is: %q", err)
	}
}
