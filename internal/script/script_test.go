package script_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/event"
	"github.com/trailblaze-dev/trailblaze/internal/script"
	"github.com/trailblaze-dev/trailblaze/internal/session"
	"github.com/trailblaze-dev/trailblaze/internal/workspace/source"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// write puts files into a folder.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// echo gives its arguments back.
var echo = tool.Define(tool.Spec{Name: "demo_echo", Kind: tool.Query, Facts: tool.Facts{Effects: &tool.Effects{}}},
	func(_ context.Context, _ tool.Env, in struct {
		Text string `json:"text"`
	}) (map[string]string, error) {
		return map[string]string{"text": in.Text}, nil
	})

// rig calls the tools of a folder through a dispatcher.
type rig struct {
	testing.TB
	d   *dispatch.Dispatcher
	s   *session.Session
	mem *memory.Store
	reg *tool.Registry
}

func setup(t testing.TB, files map[string]string) *rig {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	tools, problems, err := load(t, dir)
	if err != nil || len(problems) > 0 {
		t.Fatalf("load: %v %v", err, problems)
	}
	reg, err := tool.NewRegistry(append(tools, echo)...)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, d: dispatch.New(dispatch.Options{Registry: reg}), mem: memory.New(), reg: reg}
	if r.s, err = session.Open(t.Context(), session.Options{Memory: r.mem, Title: t.Name()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := r.d.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
		_ = r.s.Close(event.Passed)
	})
	return r
}

// load loads the folder "tools" of a workspace.
func load(t testing.TB, dir string) ([]tool.Tool, []tool.Problem, error) {
	return script.New(source.Options{Root: dir, Folders: []source.Folder{{Dir: "tools"}}})[0].Load(t.Context())
}

func (r *rig) call(name, args string) (*tool.Result, error) {
	return r.d.Call(r.Context(), r.s, dispatch.CLI, tool.Call{Name: name, Args: json.RawMessage(args)})
}

func (r *rig) must(name, args string) *tool.Result {
	r.Helper()
	res, err := r.call(name, args)
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		r.Fatalf("%s: %v", name, err)
	}
	return res
}

// fails is the text of a call that has to fail.
func (r *rig) fails(name, args string) string {
	r.Helper()
	res, err := r.call(name, args)
	if err == nil {
		err = res.Err()
	}
	if err == nil {
		r.Fatalf("%s succeeded: %s", name, res.Text())
	}
	return err.Error()
}

const head = `import { trailblaze } from "@trailblaze/scripting";` + "\n"

// R104, R120, R222, R223: a handler gets its arguments and a context, calls other tools by name or as a property, and its
// value is the typed result.
func TestATypeScriptToolRuns(t *testing.T) {
	r := setup(t, map[string]string{"tools/shop.ts": head + `
import { shout } from "./words";
export const shop_greet = trailblaze.tool<{ who: string }>({ kind: "query" }, async (args, ctx) => {
  const a = await ctx.tools.demo_echo({ text: args.who });
  const b = await ctx.callTool("demo_echo", { text: a.text + "!" });
  ctx.memory.set("greeted", b.text);
  return { greeting: shout(b.text), had: ctx.memory.get("before") ?? null };
});`, "tools/words.ts": `export const shout = (s: string): string => s.toUpperCase();`})
	r.mem.Set("before", 7)
	res := r.must("shop_greet", `{"who":"you"}`)
	if got, want := string(res.Value), `{"greeting":"YOU!","had":7}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if v, _ := r.mem.Get("greeted"); v != "you!" {
		t.Errorf("memory has %v", v)
	}
}

// R123: what a handler throws fails the call, and names the place in the author's file.
func TestAThrownErrorNamesItsPlace(t *testing.T) {
	r := setup(t, map[string]string{"tools/shop.ts": head + `
interface In { a?: string }
export const shop_break = trailblaze.tool<In>(async (args) => {
  console.log("about to", args);
  return (args.a as any).length.nothing();
});
export const shop_pass = trailblaze.tool(async (_, ctx) => {
  await ctx.tools.nowhere_at_all({});
});`})
	if got := r.fails("shop_break", `{}`); !strings.Contains(got, "tools/shop.ts:6:") || !strings.Contains(got, "TypeError") {
		t.Errorf("got %s", got)
	}
	if got := r.fails("shop_pass", `{}`); !strings.Contains(got, "tools/shop.ts:9:") || !strings.Contains(got, `no tool "nowhere_at_all"`) {
		t.Errorf("got %s", got)
	}
}
