package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// files is a source that makes a tool of each line of the files in its folders.
type files struct{ o source.Options }

func (f files) Origin() string { return "files" }

func (f files) Load(context.Context) ([]tool.Tool, []tool.Problem, error) {
	var out []tool.Tool
	for _, dir := range f.o.Folders {
		all, _ := filepath.Glob(filepath.Join(f.o.Root, filepath.FromSlash(dir.Dir), "*.txt"))
		deep, _ := filepath.Glob(filepath.Join(f.o.Root, filepath.FromSlash(dir.Dir), "*", "*.txt"))
		for _, path := range append(all, deep...) {
			data, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			out = append(out, tools(path, strings.Fields(string(data))...)...)
		}
	}
	return out, nil, nil
}

func (f files) Close() error { return nil }

// follows opens a workspace whose files are followed.
func follows(t *testing.T, root, home string, makers ...source.Maker) *Sources {
	t.Helper()
	live := config.Follow(config.Sources{Dir: root, Env: func(name string) string {
		return map[string]string{homedir.Env: home}[name]
	}})
	s, err := Open(Options{Root: root, Home: home, Config: live.Current, Follow: true, Makers: Makers{Kinds: makers}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// becomes waits until the workspace has exactly these tools.
func becomes(t *testing.T, s *Sources, want ...string) {
	t.Helper()
	changed := make(chan struct{}, 1)
	stop := s.Watch(nil, func([]tool.Tool) {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer stop()
	limit := time.After(10 * time.Second)
	for !slices.Equal(s.Registry().Names(), want) {
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("tools %v, want %v; problems %v", s.Registry().Names(), want, s.Problems())
		}
	}
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A file of a tool that comes, changes, moves into a folder below or goes is noticed by itself; so is a folder of tools
// that comes, of the workspace or of a target.
func TestFilesAreFollowed(t *testing.T) {
	root := project(t, map[string]string{"trails/config/tools/a.txt": "shop_a"})
	s := follows(t, root, t.TempDir(), func(o source.Options) []tool.Source {
		if len(o.Folders) == 0 {
			return nil
		}
		return []tool.Source{files{o}}
	})
	becomes(t, s, "shop_a")
	put(t, root, "trails/config/tools/b.txt", "shop_b")
	becomes(t, s, "shop_a", "shop_b")
	put(t, root, "trails/config/tools/b.txt", "shop_c")
	becomes(t, s, "shop_a", "shop_c")
	put(t, root, "trails/config/tools/deep/d.txt", "shop_d")
	becomes(t, s, "shop_a", "shop_c", "shop_d")
	put(t, root, "trails/config/trailmaps/cafe/tools/e.txt", "cafe_e")
	becomes(t, s, "cafe_e", "shop_a", "shop_c", "shop_d")
	if err := os.RemoveAll(filepath.Join(root, "trails", "config", "tools")); err != nil {
		t.Fatal(err)
	}
	becomes(t, s, "cafe_e")
}

// A server that is added to the settings is there at once, and leaves those alone that stay as they are.
func TestDeclarationsAreFollowed(t *testing.T) {
	root := project(t, map[string]string{configName: "mcpServers: { one: { command: x } }\n"})
	made := map[string]*fake{}
	s := follows(t, root, t.TempDir(), func(o source.Options) (out []tool.Source) {
		for _, server := range o.Servers {
			f := &fake{name: "MCP server " + server.Name, tools: tools(server.Name, server.Name+"_"+server.Command)}
			if key := server.Name + " " + server.Command; made[key] == nil { // later ones are compared and given up
				made[key] = f
			}
			out = append(out, f)
		}
		return out
	})
	becomes(t, s, "one_x")
	first := made["one x"]
	put(t, root, configName, "mcpServers: { one: { command: x }, two: { command: y } }\n")
	becomes(t, s, "one_x", "two_y")
	if first.closed > 0 {
		t.Error("a server was ended because another one was added")
	}
	put(t, root, configName, "mcpServers: { one: { command: changed } }\n")
	becomes(t, s, "one_changed")
	if err := s.Close(); err != nil || first.closed != 1 || made["two y"].closed == 0 {
		t.Errorf("Close = %v; the old ones were closed %d and %d times", err, first.closed, made["two y"].closed)
	}
}

// R122: a reload starts a server again when its script, or what that imports, has changed, and leaves it alone otherwise.
func TestReloadStartsAChangedServerAgain(t *testing.T) {
	root := project(t, map[string]string{
		configName: "mcpServers: { one: { command: x, args: [server.py] } }\n", "server.py": "import lib", "lib.py": "print(1)",
	})
	made := 0
	s := follows(t, root, t.TempDir(), func(o source.Options) []tool.Source {
		made++
		return []tool.Source{&fake{name: "MCP server one", tools: tools("one", fmt.Sprint("one_", made))}}
	})
	becomes(t, s, "one_1")
	for _, c := range []struct {
		text  string
		fresh bool
	}{{"print(1)", false}, {"print(2)", true}} {
		before := s.Registry().Names()
		if err := file.Replace(filepath.Join(root, "lib.py"), []byte(c.text)); err != nil { // half of it would be a change
			t.Fatal(err)
		}
		if _, err := s.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now := s.Registry().Names(); slices.Equal(now, before) == c.fresh {
			t.Errorf("with %q it was %v and is %v", c.text, before, now)
		}
	}
}

// R121: reloadTools says what has come and gone.
func TestReload(t *testing.T) {
	f := &fake{name: "a", tools: tools("a", "shop_a", "shop_b")}
	s := open(t, f)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	f.tools = tools("a", "shop_b", "shop_c")
	f.mu.Unlock()
	got, err := s.Reload(t.Context())
	if err != nil || !slices.Equal(got.Added, []string{"shop_c"}) || !slices.Equal(got.Removed, []string{"shop_a"}) ||
		got.Total != 4 {
		t.Errorf("Reload = %+v %v", got, err)
	}
}

// What was refused for want of trust loads as soon as a person trusts it.
func TestTrustIsFollowed(t *testing.T) {
	root, home := project(t, map[string]string{configName: ""}), t.TempDir()
	p := source.Process{What: "x", Command: []string{"x"}, Content: "of its maker"}
	s := follows(t, root, home, func(o source.Options) []tool.Source {
		return []tool.Source{asks{o, p}}
	})
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.Problems()) != 1 || len(s.Registry().All()) > 0 {
		t.Fatalf("problems %v", s.Problems())
	}
	if err := (Trust{home}).Record(t.Context(), root, []source.Process{p}); err != nil {
		t.Fatal(err)
	}
	becomes(t, s, "shop_trusted")
}

// asks is a source that starts a process if it may.
type asks struct {
	o source.Options
	p source.Process
}

func (a asks) Origin() string { return "asks" }

func (a asks) Load(context.Context) ([]tool.Tool, []tool.Problem, error) {
	if err := a.o.Trusted(a.p); err != nil {
		return nil, nil, err
	}
	return tools("asks", "shop_trusted"), nil, nil
}

func (a asks) Close() error { return nil }
