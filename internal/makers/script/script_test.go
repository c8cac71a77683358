package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
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
	dir string
}

func setup(t testing.TB, files map[string]string, more ...tool.Tool) *rig {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	tools, problems, err := load(t, dir)
	if err != nil || len(problems) > 0 {
		t.Fatalf("load: %v %v", err, problems)
	}
	reg, err := tool.NewRegistry(append(append(tools, echo), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, d: dispatch.New(dispatch.Options{Registry: reg}), mem: memory.New(), reg: reg, dir: dir}
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

// scripts are those of the folder "tools" of a workspace.
func scripts(dir string) tool.Source {
	trusted := func(source.Process) error { return nil }
	return script.New(source.Options{Root: dir, Folders: []source.Folder{{Dir: "tools"}}, Trusted: trusted})[0]
}

// load loads the folder "tools" of a workspace.
func load(t testing.TB, dir string) ([]tool.Tool, []tool.Problem, error) {
	return scripts(dir).Load(t.Context())
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

// R3, R54–R58, R251, R252: names, descriptions and schemas come from the file, a wrong argument is refused before the
// handler runs, and what is wrong with one tool keeps no other away.
func TestWhatAFileDefines(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"tools/shop.ts": head + `
import type { Size } from "./sizes";
/** Adds a thing to the basket. */
export const shop_add = trailblaze.tool<{ /** Stock number. */ sku: string; size?: Size }, { total: number }>({
  supportedPlatforms: ["web"], surfaceToLlm: false, isRecordable: false, toolset: "shop", timeout: 45000,
}, async () => ({ total: 1 }));
export const renamed = trailblaze.tool({ name: "shop_other", description: "Own words.",
  inputSchema: { a: { type: "integer" }, b: { type: "string", required: false } } }, async () => {});
export const web_click = trailblaze.tool(async () => {});
export const nospace = trailblaze.tool(async () => {});
export const shop_node = trailblaze.tool({ runtime: "sub" + "process" }, async () => {});
export const shop_pin = trailblaze.tool<{ password: string }>({ secretArguments: ["pasword"], requiresHost: true }, async () => {});
export const shop_odd = trailblaze.tool({ isRecordabel: false }, async () => {});
export const shop_own = trailblaze.tool({ effect: "external" }, async () => {});
`, "tools/apart.ts": head + `trailblaze.tool("shop_apart", { runtime: "subprocess" }, async () => {});`,
		"tools/sizes.ts": `export type Size = "s" | "m";`, "tools/broken.ts": head + "trailblaze.tool(",
		"tools/node.ts":       head + `import fs from "node:fs"; trailblaze.tool("shop_fs", {}, async () => fs);`,
		"tools/words.test.ts": "trailblaze.tool(", "tools/loud.ts": head + `fetch("http://x"); while (true) {} trailblaze.tool();`})
	tools, problems, err := load(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*tool.Spec{}
	for _, tl := range tools {
		got[tl.Spec().Name] = tl.Spec()
	}
	add, other := got["shop_add"], got["shop_other"]
	if add == nil || other == nil || len(got) != 2 {
		t.Fatalf("got %v", got)
	}
	input, _ := json.Marshal(add.Input)
	for _, want := range []string{`"Stock number."`, `"enum":["s","m"]`, `"required":["sku"]`} {
		if !strings.Contains(string(input), want) {
			t.Errorf("input %s has no %s", input, want)
		}
	}
	if add.Description != "Adds a thing to the basket." || add.ExposedToLLM || add.Recordable || add.Output == nil ||
		add.Origin != "tools/shop.ts:5" || add.Hash == "" || add.Timeout != 45*time.Second || !slices.Contains(add.Groups, "shop") {
		t.Errorf("%+v", add)
	}
	if other.Description != "Own words." || !slices.Equal(other.Input.Get().Required, []string{"a"}) {
		t.Errorf("%+v", other)
	}
	var wrong []string
	for _, p := range problems {
		wrong = append(wrong, p.Error())
	}
	all := strings.Join(wrong, "\n")
	for _, want := range []string{`"nospace" has no namespace`, `reserved for built-in`, `which is read before the file is run`, "tools/broken.ts:2:17:",
		"tools/shop.ts:13: secretArguments of shop_pin: it has no argument pasword",
		"tools/shop.ts:14: the spec of shop_odd has the key isRecordabel, which there is not: did you mean isRecordable?",
		"shop_own has the effect external, which is for runtime: \"subprocess\"", `no module "node:fs"`, "tools/loud.ts:2:"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in:\n%s", want, all)
		}
	}
	r := setup(t, map[string]string{"tools/a.ts": head + `export const shop_n = trailblaze.tool<{ n: number }>({}, async () => { throw new Error("ran"); });`})
	for _, args := range []string{`{"n":"x"}`, `{"n":1,"m":2}`, `{}`} {
		if got := r.fails("shop_n", args); strings.Contains(got, "ran") {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// R113, R118, R253, R254: delegates are made in place of the tool; a value that says it failed is a failure that can be read.
func TestWhatAHandlerMayReturn(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `import { selectors } from "@trailblaze/scripting";
const give = (value: unknown) => trailblaze.tool({ kind: "query" }, async () => value);
export const shop_delegate = give({ success: true, _trailblaze_delegates: [{ name: "demo_echo", args: { text: "one" } },
  { tool: "demo_echo", args: { text: "two" } }] });
export const shop_fail = give({ success: false, error: "sold_out", left: 0 });
export const shop_mcp = give({ content: [{ type: "text", text: "said" }], structuredContent: { n: 1 } });
export const shop_none = give(undefined);
export const shop_list = give([1, 2]);
export const shop_select = give(selectors.web({ ariaRole: "button" }));
export const shop_caller = trailblaze.tool({ kind: "query" }, async (_, ctx) => {
  try { await ctx.tools.shop_fail({}); } catch (e) { return { left: e.value.left, kind: e.kind, tool: e.tool }; }
});
`})
	if got := r.must("shop_delegate", `{}`); len(got.Made) != 2 || string(got.Made[1].Call.Args) != `{"text":"two"}` {
		t.Errorf("made %+v", got.Made)
	}
	for name, want := range map[string]string{"shop_mcp": `{"n":1}`, "shop_none": "", "shop_list": "[1,2]", "shop_select": `{"web":{"ariaRole":"button"}}`,
		"shop_caller": `{"left":0,"kind":"assertion","tool":"shop_fail"}`} {
		if got := string(r.must(name, `{}`).Value); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := r.fails("shop_fail", `{}`); !strings.Contains(got, "sold_out") {
		t.Errorf("got %s", got)
	}
}

// R162: calls that run side by side come back to who made them.
func TestParallelCallsAreNotMixed(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `
export const shop_many = trailblaze.tool({ kind: "query" }, async (_, ctx) => {
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => ctx.tools.demo_echo({ text: String(i) })));
  return all.every((r, i) => r.text === String(i));
});`})
	if got := string(r.must("shop_many", `{}`).Value); got != "true" {
		t.Errorf("got %s", got)
	}
}

// R121: a second load makes what has changed anew and nothing else; a cache saves a new process from running the files.
func TestLoadAgain(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	one := func(text string) string {
		return head + `import { say } from "./words"; export const shop_say = trailblaze.tool<{}>({ kind: "query" }, async () => say + "` + text + `");`
	}
	write(t, dir, map[string]string{"tools/a.ts": one("a"), "tools/b.ts": head + `export const shop_b = trailblaze.tool(async () => {});`,
		"tools/words.ts": `export const say = "x";`})
	open := func() tool.Source {
		return script.New(source.Options{Root: dir, Home: home, Folders: []source.Folder{{Dir: "tools"}}})[0]
	}
	load := func(s tool.Source) []tool.Tool {
		tools, problems, err := s.Load(t.Context())
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		return tools
	}
	src := open()
	first := load(src)
	write(t, dir, map[string]string{"tools/words.ts": `export const say = "y";`})
	second := load(src)
	if first[0] == second[0] || first[1] != second[1] || first[0].Spec().Hash == second[0].Spec().Hash {
		t.Errorf("the same of the changed tool: %v (hash %s, then %s), of the other: %v", first[0] == second[0],
			first[0].Spec().Hash, second[0].Spec().Hash, first[1] == second[1])
	}
	third := load(open())
	res, err := third[0].Run(t.Context(), tooltest.Env{Mem: memory.New()}, json.RawMessage("{}"))
	if err != nil || res.Text() != "ya" || third[0].Spec().Hash != second[0].Spec().Hash {
		t.Errorf("from the cache: %v %v", res, err)
	}
}

// Integers beyond 2^53 keep their digits or are refused: in arguments, results, nested calls and memory.
func TestIntegersKeepTheirDigits(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `
export const big_echo = trailblaze.tool<{ id: unknown }>({ kind: "query" }, async ({ id }) => ({ id }));
export const big_result = trailblaze.tool<{}>({ kind: "query" }, async () => ({ id: 2 ** 60 }));
export const big_call = trailblaze.tool<{}>({ kind: "query" }, async (_, ctx) => ctx.tools.big_echo({ id: 2 ** 60 }));
export const big_set = trailblaze.tool<{}>({ kind: "query" }, async (_, ctx) => ctx.memory.set("id", 2 ** 60));
export const big_get = trailblaze.tool<{}>({ kind: "query" }, async (_, ctx) => ({ id: ctx.memory.get("order") }));`})
	r.mem.Set("order", int64(9007199254740993))
	for _, c := range []struct{ tool, args, want string }{
		{"big_echo", `{"id":9007199254740993}`, "9007199254740993"}, {"big_echo", `{"id":[{"x":-12345678901234567890}]}`, "-12345678901234567890"},
		{"big_result", `{}`, "1152921504606847000"}, {"big_call", `{}`, "1152921504606847000"}, {"big_set", `{}`, "1152921504606847000"},
		{"big_get", `{}`, "9007199254740993"},
	} {
		if got := r.fails(c.tool, c.args); !strings.Contains(got, "integer "+c.want) {
			t.Errorf("%s %s: %s", c.tool, c.args, got)
		}
	}
	for _, id := range []string{"9007199254740991", `"9007199254740993"`} {
		if got := string(r.must("big_echo", `{"id":`+id+`}`).Value); got != `{"id":`+id+`}` {
			t.Errorf("%s: %s", id, got)
		}
	}
}

// One tool called from many goroutines at once gives each caller its own answer: each call has a machine of its own.
func TestOneToolFromManyGoroutines(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `
let calls = 0;
export const many_one = trailblaze.tool<{ n: number }>({ kind: "query" }, async ({ n }, ctx) => {
  calls++;
  const { n: back } = await ctx.tools.many_two({ n });
  return { n, back, calls };
});
export const many_two = trailblaze.tool<{ n: number }>({ kind: "query" }, async ({ n }, ctx) => { await ctx.sleep(n % 3); return { n }; });`})
	var work sync.WaitGroup
	for n := range 24 {
		work.Go(func() {
			res, err := r.d.Call(t.Context(), r.s, dispatch.CLI, tool.Call{Name: "many_one", Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))})
			if want := fmt.Sprintf(`{"n":%d,"back":%d,"calls":1}`, n, n); err != nil || string(res.Value) != want {
				t.Errorf("%v, %v, want %s", res, err, want)
			}
		})
	}
	waittest.Join(t, work.Wait, "all calls are answered")
}
