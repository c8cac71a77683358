package script_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script/worker"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// closing ends the idle workers before leaks are looked for.
type closing struct{ *testing.M }

func (c closing) Run() int {
	defer worker.Close()
	return c.M.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{m}) }

// Each hostile tool fails with a clear error within its deadline, and the next call works.
func TestHostileTools(t *testing.T) {
	const quick = `{ kind: "query", timeout: 300 }`
	for _, test := range []struct{ name, spec, body, want string }{
		{"endless loop", quick, `for (;;) {}`, "the script was still running in tools/bad.ts:3, before its first call"},
		{"endless loop after waiting", quick, "\n  await ctx.sleep(1);\n  for (;;) {}", "still running after the call at tools/bad.ts:4:13"},
		// The engine frees a million promises after it stopped, and the dispatcher may answer before it.
		{"endless promises", quick, `const again = (): Promise<void> => Promise.resolve().then(again); await again();`,
			"it took longer than 300ms"},
		{"catastrophic pattern", quick, `return /^(a+)+$/.test("a".repeat(40) + "b");`, "still running in tools/bad.ts:3"},
		{"memory", `{}`, `const a = []; for (;;) a.push("x".repeat(1000) + a.length);`, "out of memory"},
		{"one big string", `{}`, `return "x".repeat(100 << 20);`, "out of memory"},
		{"big result", `{}`, `return "x".repeat(2 << 20);`, "the most is 1048576"},
		{"recursion", `{}`, `const f = (n: number): number => 1 + f(n + 1); return f(0);`, "stack overflow"},
		{"deep result", `{ timeout: 3000 }`, `let a: any = []; for (let i = 0; i < 9000; i++) a = [a]; return a;`, ""},
		{"deeper result", `{ timeout: 3000 }`, `let a: any = []; for (let i = 0; i < 1e5; i++) a = [a]; return a;`, ""},
		{"cyclic result", `{}`, `const a: any = {}; a.a = a; return a;`, "circular"},
		{"calls itself", `{}`, `await ctx.tools.bad_tool({});`, "nested 16 deep"},
		{"never answers", `{}`, `await new Promise(() => {});`, "waits for something that never comes"},
		{"does not wait", `{}`, `ctx.tools.bad_slow({}); return 1;`, "still under way"},
		{"throws no error", `{}`, `throw { code: 7 };`, `{"code":7}`},
		{"too many at once", `{}`, `await Promise.all(Array.from({ length: 300 }, () => ctx.sleep(1)));`, "256 calls are under way"},
		{"no process", `{}`, `return (globalThis as any).process.env.HOME;`, "TypeError"},
		{"nothing of Node", `{}`, `return (process as any).env.HOME;`, "'process' is not defined"},
		{"no files", `{}`, `return await ctx.files.read("/etc/passwd");`, "does not declare that it reads /etc/passwd"},
		{"no network", `{}`, `return await fetch("http://127.0.0.1:1/");`, "does not declare the host 127.0.0.1:1"},
		{"the bridge", `{}`, `return (globalThis as any).__host("memory.keys", "null");`, "TypeError"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := setup(t, map[string]string{"tools/bad.ts": head + fmt.Sprintf(`
export const bad_tool = trailblaze.tool(%s, async (args, ctx) => { %s });
export const bad_slow = trailblaze.tool({ kind: "query" }, async (_, ctx) => { await ctx.sleep(60000); });
export const good_tool = trailblaze.tool({ kind: "query" }, async () => "fine");`, test.spec, test.body)})
			began := time.Now()
			res, err := r.call("bad_tool", `{}`)
			if err == nil {
				err = res.Err()
			}
			took := time.Since(began)
			switch {
			case test.want == "":
				t.Logf("%v after %v", err, took)
			case err != nil && testtime.Factor() > 3 && strings.Contains(err.Error(), "it took longer than"):
				t.Logf("the machine is so slow that the dispatcher answered before the script had stopped: %v", err)
			case err == nil || !strings.Contains(err.Error(), test.want):
				t.Errorf("got %v, want %q", err, test.want)
			}
			if took > testtime.Within(5*time.Second) {
				t.Errorf("it took %v", took)
			}
			if got := r.must("good_tool", `{}`).Text(); got != "fine" {
				t.Errorf("then %q", got)
			}
		})
	}
}

// A caller that gives up stops the script, not only the wait for it.
func TestCancelStopsTheScript(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `
export const shop_spin = trailblaze.tool({ kind: "query" }, async (_, ctx) => { ctx.memory.set("on", 1); for (;;) {} });`})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := r.d.Call(ctx, r.s, dispatch.CLI, tool.Call{Name: "shop_spin", Args: json.RawMessage("{}")})
		done <- err
	}()
	for {
		if v, _ := r.mem.Get("on"); v != nil {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("it ended by itself: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := waittest.Await(t, done, "the script ends"); err == nil {
		t.Error("it succeeded")
	}
	closing, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if err := r.d.Close(closing); err != nil {
		t.Errorf("the script goes on: %v", err)
	}
}

// A script sees a name in place of a secret, and that name reaches the field as the value. What looks like a token in other
// texts stays what it is.
func TestASecretNeverReachesAScript(t *testing.T) {
	const canary = "c4n4ry-Pass-9"
	var got []string
	enter := tool.Define(tool.Spec{Name: "demo_enter", Kind: tool.Query, Facts: tool.Facts{Effects: &tool.Effects{Types: []string{"text"}}}},
		func(_ context.Context, _ tool.Env, in struct {
			Text  string `json:"text"`
			Other string `json:"other"`
		}) (string, error) {
			got = append(got, in.Text+"|"+in.Other)
			return "page says {{password}} and " + in.Text, nil
		})
	r := setup(t, map[string]string{"tools/a.ts": head + `
export const shop_login = trailblaze.tool<{ pw: string; mixed: string }>({ kind: "query", secrets: ["password"] }, async (args, ctx) => {
  const said = await ctx.tools.demo_enter({ text: args.pw, other: "{{password}}" });
  await ctx.tools.demo_enter({ text: ctx.memory.get("password"), other: said });
  await ctx.tools.demo_enter({ text: args.mixed, other: "mixed" });
  return { all: [args.pw, args.mixed, ctx.memory.get("password"), ctx.memory.interpolate("-{{password}}-"), said, ctx.memory.keys()] };
});`}, enter)
	r.mem.SetSecret("password", canary)
	res := r.must("shop_login", `{"pw":"{{password}}","mixed":"x{{password}}x"}`)
	if strings.Contains(string(res.Value), canary) {
		t.Errorf("the script saw it: %s", res.Value)
	}
	want := canary + "|page says {{password}} and "
	if len(got) != 3 || !strings.HasPrefix(got[1], want) || strings.Count(got[1], canary) != 1 {
		t.Errorf("the field got %q", got)
	}
	if len(got) != 3 || got[2] != "x"+canary+"x|mixed" {
		t.Errorf("a text around the secret arrived as %q", got)
	}
}

// A declared host is reached, also on this machine; a redirect to another one is not, nor what a wildcard would let in.
func TestFetchGoesWhereDeclared(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") }))
	defer other.Close()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/away":
			http.Redirect(w, q, other.URL, http.StatusFound)
		case "/big":
			fmt.Fprint(w, strings.Repeat("x", 2<<20))
		default:
			fmt.Fprintf(w, `{"method":%q,"had":%q}`, q.Method, q.Header.Get("X-A")+q.FormValue("q"))
		}
	}))
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	r := setup(t, map[string]string{"tools/a.ts": head + fmt.Sprintf(`
const get = (hosts: string[]) => trailblaze.tool<{ url: string }>({ kind: "query", hosts }, async (args) => {
  const r = await fetch(args.url, { method: "post", headers: { "X-A": "b" }, body: "{}" });
  return await r.json();
});
export const shop_named = get([%q]);
export const shop_wild = get(["127.0.0.*"]);
export const shop_form = trailblaze.tool<{ url: string }>({ kind: "query", hosts: [%q] }, async (args) => {
  const init = { method: "POST", headers: new Headers({ "X-A": "b" }), body: new URLSearchParams({ q: "a b&c" }) };
  return await (await fetch(new URL("/form", args.url), init)).json();
});`, host, host)})
	if got, want := string(r.must("shop_form", `{"url":"`+srv.URL+`"}`).Value), `{"method":"POST","had":"ba b&c"}`; got != want {
		t.Errorf("a form: got %s, want %s", got, want)
	}
	if got, want := string(r.must("shop_named", `{"url":"`+srv.URL+`"}`).Value), `{"method":"POST","had":"b"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, test := range []struct{ tool, url, want string }{
		{"shop_named", srv.URL + "/away", "does not declare the host"},
		{"shop_named", srv.URL + "/big", "is longer than"},
		{"shop_named", "file:///etc/passwd", "neither http nor https"},
		{"shop_wild", srv.URL, "is not reached from a tool"},
	} {
		if got := r.fails(test.tool, `{"url":"`+test.url+`"}`); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s", test.url, got)
		}
	}
}

// Declared files are read and written below the workspace, nothing else.
func TestFilesAsDeclared(t *testing.T) {
	r := setup(t, map[string]string{"data/a.json": `{"n":1}`, "data/b.json": `{}`, "tools/a.ts": head + `
export const shop_files = trailblaze.tool<{ name: string; to: string }>(
  { effects: { writes: ["to"] }, files: { read: ["data/a.json", "../../etc/passwd"] } },
  async (args, ctx) => { const text = await ctx.files.read(args.name); await ctx.files.write(args.to, text); return JSON.parse(text); });`})
	res := r.must("shop_files", `{"name":"data/a.json","to":"out/c.json"}`)
	if string(res.Value) != `{"n":1}` || res.Evidence == nil || !strings.Contains(res.Evidence.None, "wrote a file") {
		t.Errorf("got %s, %+v", res.Value, res.Evidence)
	}
	if data, err := os.ReadFile(filepath.Join(r.dir, "out/c.json")); err != nil || string(data) != `{"n":1}` {
		t.Errorf("written: %s, %v", data, err)
	}
	for _, name := range []string{"data/b.json", "../../etc/passwd"} {
		r.fails("shop_files", `{"name":"`+name+`","to":"out/c.json"}`)
	}
}

// Also a trusted tool gets only the secrets that it declares, and they go into arguments of tools alone. The name of one
// is no way to another.
func TestASecretGoesWhereDeclared(t *testing.T) {
	var got []string
	types := &tool.Effects{Types: []string{"text"}}
	enter := tool.Define(tool.Spec{Name: "demo_enter", Kind: tool.Query, Facts: tool.Facts{Effects: types}}, func(_ context.Context, _ tool.Env, in struct {
		Text string `json:"text"`
	}) (string, error) {
		got = append(got, in.Text)
		return "", nil
	})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request was sent") }))
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	r := setup(t, map[string]string{"tools/a.ts": head + fmt.Sprintf(`
const spec = { kind: "query", secrets: ["user"], secretArguments: ["pw"], hosts: [%q], files: { write: ["out.txt"] } } as const;
export const shop_do = trailblaze.tool<{ how: string; pw?: string; plain?: string }>(spec, async (args, ctx) => {
  const user = ctx.memory.get("user");
  if (args.how === "get") return ctx.memory.get("password");
  if (args.how === "text") return ctx.memory.interpolate("{{password}}");
  if (args.how === "guess") return await ctx.tools.demo_enter({ text: user.replace("user", "password") });
  if (args.how === "pw") return await ctx.tools.demo_enter({ text: args.pw });
  if (args.how === "file") return await ctx.files.write("out.txt", "x" + user);
  if (args.how === "body") return await fetch(%q, { method: "POST", body: user });
  if (args.how === "url") return await fetch(%q + "/?p=" + encodeURIComponent(user));
});`, host, srv.URL, srv.URL)}, enter)
	r.mem.SetSecret("password", "c4n4ry-Pass-9")
	r.mem.SetSecret("user", "c4n4ry-User-7")
	for _, test := range []struct{ args, want string }{
		{`{"how":"get"}`, "does not declare the secret password"},
		{`{"how":"pw","plain":"{{password}}"}`, "does not declare that the argument plain may hold the secret password"},
		{`{"how":"file"}`, "arguments of tools and nowhere else"},
		{`{"how":"body"}`, "arguments of tools and nowhere else"},
		{`{"how":"url"}`, "arguments of tools and nowhere else"},
	} {
		if text := r.fails("shop_do", test.args); !strings.Contains(text, test.want) {
			t.Errorf("%s: %s, want %q", test.args, text, test.want)
		}
	}
	if text := string(r.must("shop_do", `{"how":"text"}`).Value); text != `"{{password}}"` {
		t.Errorf("a text became %s", text)
	}
	r.must("shop_do", `{"how":"guess"}`)
	r.must("shop_do", `{"how":"pw","pw":"{{password}}"}`)
	if len(got) != 2 || strings.Contains(got[0], "c4n4ry") || got[1] != "c4n4ry-Pass-9" {
		t.Errorf("the field got %q", got)
	}
}

// Hidden files and what says what a session may do are out of reach of a trusted tool that declares them, too.
func TestHiddenFilesAreOutOfReach(t *testing.T) {
	files := map[string]string{".env": "KEY=1", ".git/config": "x", "trails/config/policy.yaml": "x"}
	for name := range files {
		r := setup(t, map[string]string{name: files[name], "tools/a.ts": head + fmt.Sprintf(`
const files = { read: [%[1]q], write: [%[1]q] };
export const shop_read = trailblaze.tool({ files }, async (_, ctx) => await ctx.files.read(%[1]q));
export const shop_write = trailblaze.tool({ files }, async (_, ctx) => await ctx.files.write(%[1]q, "y"));`, name)})
		for _, tool := range []string{"shop_read", "shop_write"} {
			if text := r.fails(tool, `{}`); !strings.Contains(text, "hidden file") && !strings.Contains(text, "no file for a tool") {
				t.Errorf("%s %s: %s", tool, name, text)
			}
		}
	}
}
