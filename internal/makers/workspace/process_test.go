package workspace_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
	"github.com/trailblaze-dev/trailblaze/internal/call/event"
	"github.com/trailblaze-dev/trailblaze/internal/call/session"
	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/internal/serve/callback"
	"github.com/trailblaze-dev/trailblaze/memory"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/tool"
)

// hosting is a workspace whose scripts run in processes, with a session on a page that has a button.
type hosting struct {
	*testing.T
	root    string
	sources *workspace.Sources
	d       *dispatch.Dispatcher
	s       *session.Session
	mem     *memory.Store
	env     map[string]string
	home    string
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("there is no %s on PATH: a tool with runtime: \"subprocess\" is not tried on it", program)
	}
}

// hosts opens a workspace with these files of tools. Nobody has trusted it unless env does.
func hosts(t *testing.T, env map[string]string, files map[string]string) *hosting {
	t.Helper()
	h := &hosting{T: t, root: t.TempDir(), home: t.TempDir(), mem: memory.New(), env: env}
	for name, text := range files {
		h.write(name, text)
	}
	back := callback.New(callback.Options{})
	s, err := workspace.Open(workspace.Options{
		Root: h.root, Home: h.home, BuiltIn: tools.BuiltinIn(h.root, nil), BaseURL: back.URL,
		Grant: func(r func(string) []string) (string, func()) { return back.Grant(r) }, Follow: true, Makers: workspace.AllMakers(),
		Env: func(name string) string { return h.env[name] }, Config: func() (*config.Config, error) { return &config.Config{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	h.sources = s
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.d = dispatch.New(dispatch.Options{Registry: s.Registry()})
	back.Bind(h.d)
	h.s = h.session("a")
	t.Cleanup(func() {
		for _, err := range []error{h.d.Close(context.Background()), s.Close(), back.Close(context.Background())} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return h
}

func (h *hosting) write(name, text string) {
	h.Helper()
	name = filepath.Join(h.root, "trails", "config", "tools", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		h.Fatal(err)
	}
}

func (h *hosting) session(title string) *session.Session {
	h.Helper()
	dev := tooltest.NewDevice(tooltest.Page(&screen.Node{
		Role: "button", Name: "Buy", Ref: "e1", Bounds: screen.Rect{X: 1, Y: 1, W: 50, H: 20}, Native: &screen.Web{Tag: "button"},
	}))
	s, err := session.Open(h.Context(), session.Options{Memory: h.mem, Device: dev, Title: title})
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = s.Close(event.Passed) })
	return s
}

// call gives the value or what is said of the failure.
func (h *hosting) call(s *session.Session, name, args string) (value, wrong string) {
	h.Helper()
	res, err := h.d.Call(h.Context(), s, dispatch.CLI, tool.Call{Name: name, Args: json.RawMessage(args)})
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		return "", err.Error()
	}
	return string(res.Value), ""
}

func (h *hosting) gives(name, args, want string) {
	h.Helper()
	if got, wrong := h.call(h.s, name, args); got != want {
		h.Errorf("%s %s = %q, want %q; %s", name, args, got, want, wrong)
	}
}

func (h *hosting) fails(name, args string, want ...string) {
	h.Helper()
	got, wrong := h.call(h.s, name, args)
	for _, w := range want {
		if !strings.Contains(wrong, w) {
			h.Errorf("%s %s: %q %q does not say %q", name, args, got, wrong, w)
		}
	}
}

const hostTS = `import { trailblaze } from "@trailblaze/scripting";
import { readFile } from "node:fs/promises";
import { double } from "./lib/double";
import { greet } from "polite";

process.stdout.write("no message\n");

/** Says something. */
export const shop_say = trailblaze.tool<{ word: string; times?: number }, { said: string }>(
  { runtime: "subprocess", kind: "query", timeout: 5000 },
  async (args, ctx) => {
    if (args.word === "boom") throw new Error("it went wrong");
    if (args.word === "lie") return { said: 7 as any };
    if (args.word === "own") return { said: (await readFile("host.ts", "utf8")).slice(0, 6) };
    if (args.word === "hang") for (;;) ;
    if (args.word === "die") process.exit(7);
    ctx.memory.set("word", args.word);
    return { said: greet(args.word) + double(args.times ?? 1) + (ctx.memory.get("stage") ?? "") + (ctx.device?.platform ?? "") };
  },
);
export const shop_buy = trailblaze.tool<{ ref: string }>({ runtime: "subprocess", secretArguments: ["ref"] }, async (args, ctx) => {
  await ctx.tools.web_click({ ref: args.ref });
  return "bought";
});
export const shop_ship = trailblaze.tool({ runtime: "subprocess", effect: "external" }, async () => "shipped");
`

func hostFiles() map[string]string {
	return map[string]string{
		"host.ts": hostTS, "lib/double.ts": "export const double = (n: number) => n * 2;\n",
		"node_modules/polite/package.json": `{"name":"polite","main":"index.cjs"}`,
		"node_modules/polite/index.cjs":    "exports.greet = (w) => 'dear ' + w + require('node:path').sep;\n",
	}
}

var trusting = map[string]string{workspace.EnvTrust: "1"}

// A script with runtime: "subprocess" runs on Node, with its modules and packages, types for schemas, memory, device,
// and calls of other tools. What it writes to stdout harms nobody, and what it throws names the author's line.
func TestProcessTools(t *testing.T) {
	needs(t, "node")
	h := hosts(t, trusting, hostFiles())
	h.mem.Set("stage", "x")
	spec, ok := h.sources.Registry().Get("shop_say")
	if !ok {
		t.Fatalf("the tool is missing: %v", h.sources.Problems())
	}
	if s := spec.Spec(); s.Description != "Says something." || s.Kind != tool.Query || !s.Effects.Process || s.Effects.Script ||
		!strings.HasSuffix(s.Origin, "host.ts:9") || s.Hash == "" || s.Output == nil {
		t.Errorf("spec: %+v %+v", s, s.Effects)
	}
	if st := h.sources.Started(); len(st) != 1 || !strings.HasPrefix(st[0], "started script trails/config/tools/host.ts (pid ") {
		t.Errorf("started: %v", st)
	}
	h.gives("shop_say", `{"word":"a","times":2}`, `{"said":"dear a/4xweb"}`)
	if v, _ := h.mem.Get("word"); v != "a" {
		t.Errorf("memory has %v", v)
	}
	h.gives("shop_say", `{"word":"own"}`, `{"said":"import"}`)
	h.fails("shop_say", `{"word":7}`, "parameter word: want string, got number")
	h.fails("shop_say", `{"word":"lie"}`, "not as the output schema of the tool says", "said")
	h.fails("shop_say", `{"word":"boom"}`, "trails/config/tools/host.ts:12:", "it went wrong")
	h.gives("shop_buy", `{"ref":"e1"}`, `"bought"`)
	res, err := h.d.Call(h.Context(), h.s, dispatch.CLI, tool.Call{Name: "shop_ship", Args: json.RawMessage("{}")})
	if err != nil || res.Evidence == nil || !strings.HasSuffix(res.Evidence.None, "says that it acted on something of its own") {
		t.Errorf("shop_ship: %+v %v", res, err)
	}
	h.fails("shop_buy", `{"ref":"e9"}`, "trails/config/tools/host.ts:2", "ref '••••••' not found")
	h.fails("shop_say", `{"word":"die"}`, "exit status 7")
	h.gives("shop_say", `{"word":"a"}`, `{"said":"dear a/2xweb"}`)
	h.mem.SetSecret("pin", "s3cret-pin")
	h.fails("shop_say", `{"word":"s3cret-pin"}`, "holds the secret pin")
	h.fails("shop_buy", `{"ref":"{{pin}}"}`, "tools/host.ts")
}

const lookTS = `import { captureViewHierarchy, selectors, trailblaze } from "@trailblaze/scripting";
const [BUY, GONE] = ["Buy", "Gone"].map((n) => selectors.web({ ariaRole: "button", ariaNameRegex: n }));
export const shop_look = trailblaze.tool<{}>({ kind: "query" }, async (_, ctx) => {
  const found = await ctx.tools.findMatches({ selector: BUY }), none = await ctx.tools.findMatches({ selector: GONE });
  const view = await captureViewHierarchy(ctx, [BUY, GONE]);
  return [found.length, found.matches.length, none.length, view.visible(BUY), view.visible(GONE)];
});
`

// A script sees what the screen has as upstream's scripts do, with the tool of the product and not with a stand-in.
func TestScriptsSeeTheScreen(t *testing.T) {
	needs(t, "node")
	apart := strings.NewReplacer("shop_look", "shop_lookApart", "{ kind", `{ runtime: "subprocess", kind`).Replace(lookTS)
	h := hosts(t, trusting, map[string]string{"look.ts": lookTS, "apart.ts": apart})
	h.gives("shop_look", `{}`, `[1,1,0,true,false]`)
	h.gives("shop_lookApart", `{}`, `[1,1,0,true,false]`)
}

// A script that does not come back is ended at its deadline, and the next call finds it started anew.
func TestHostileProcessTool(t *testing.T) {
	needs(t, "node")
	files := hostFiles()
	files["host.ts"] = strings.Replace(hostTS, "timeout: 5000", "timeout: 300", 1)
	h := hosts(t, trusting, files)
	h.fails("shop_say", `{"word":"hang"}`, "took longer than 300ms")
	h.gives("shop_buy", `{"ref":"e1"}`, `"bought"`)
}

// Calls of two sessions overlap: the script is started once more, over HTTP.
func TestProcessToolsOverlap(t *testing.T) {
	needs(t, "node")
	h := hosts(t, trusting, map[string]string{"meet.ts": `import { trailblaze } from "@trailblaze/scripting";
let here = 0;
export const shop_meet = trailblaze.tool<{}>({ runtime: "subprocess", kind: "query" }, async (_, ctx) => {
  here++;
  for (let i = 0; here < 2 && i < 100; i++) await ctx.sleep(5);
  const met = here >= 2;
  await ctx.sleep(20);
  here--;
  return { met };
});
`})
	got := make(chan string, 2)
	for range 20 { // the first two wait for each other: a process has one call at a time
		met := true
		for _, title := range []string{"b", "c"} {
			s := h.session(title)
			go func() {
				value, wrong := h.call(s, "shop_meet", `{}`)
				got <- value + wrong
			}()
		}
		for range 2 {
			v := waittest.Await(t, got, "both sessions are answered")
			if met = met && v == `{"met":true}`; !strings.Contains(v, "met") {
				t.Fatal(v)
			}
		}
		if met {
			return
		}
	}
	t.Error("calls of two sessions never overlapped")
}

// What is trusted of a script is its content, with all that it imports.
func TestProcessToolsNeedTrust(t *testing.T) {
	needs(t, "node")
	h := hosts(t, map[string]string{}, hostFiles())
	refused := func() {
		t.Helper()
		list := h.sources.Problems()
		if len(list) != 1 || fault.KindOf(list[0].Err) != fault.Denied || !strings.Contains(list[0].Error(), "script trails/config/tools/host.ts") {
			t.Errorf("got %v", list)
		}
	}
	refused()
	trust := func() {
		t.Helper()
		all, err := h.sources.Processes(t.Context())
		if err != nil || len(all) != 1 || all[0].Content == "" {
			t.Fatalf("processes: %+v %v", all, err)
		}
		if err := (workspace.Trust{Home: h.home}).Record(t.Context(), h.root, all); err != nil {
			t.Fatal(err)
		}
		if _, err := h.sources.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	trust()
	if _, ok := h.sources.Registry().Get("shop_say"); !ok {
		t.Fatalf("it was trusted: %v", h.sources.Problems())
	}
	h.write("lib/double.ts", "export const double = (n: number) => n * 3;\n")
	if _, err := h.sources.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused()
	trust()
	h.d.SetRegistry(h.sources.Registry())
	h.gives("shop_say", `{"word":"a"}`, `{"said":"dear a/3web"}`)
}

// Who looks at the tools of a workspace sees those of processes too, and starts none.
func TestProcessToolsAreLookedAt(t *testing.T) {
	h := hosts(t, map[string]string{}, hostFiles())
	s, err := workspace.Open(workspace.Options{Root: h.root, Makers: workspace.FileMakers()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	made, ok := s.Registry().Get("shop_say")
	if !ok || made.Spec().Description != "Says something." || len(s.Started()) > 0 || len(s.Problems()) > 0 {
		t.Errorf("%v, started %v, problems %v", s.Registry().Names(), s.Started(), s.Problems())
	}
}

// Without Node and Bun nothing but the tool is lost, and the reason is told.
func TestProcessToolsWithoutNode(t *testing.T) {
	h := hosts(t, map[string]string{workspace.EnvTrust: "1", "TRAILBLAZE_SCRIPT_RUNTIME": "no-such-node"}, hostFiles())
	list := h.sources.Problems()
	if len(list) != 1 || !strings.Contains(list[0].Error(), "there is no no-such-node on PATH") || !strings.Contains(fault.HintOf(list[0].Err), "Install Node") {
		t.Errorf("got %v", list)
	}
}

// The same on Bun, where there is one.
func TestProcessToolsOnBun(t *testing.T) {
	needs(t, "bun")
	h := hosts(t, map[string]string{workspace.EnvTrust: "1", "TRAILBLAZE_SCRIPT_RUNTIME": "bun"}, hostFiles())
	h.gives("shop_say", `{"word":"a","times":2}`, `{"said":"dear a/4web"}`)
	h.gives("shop_buy", `{"ref":"e1"}`, `"bought"`)
	h.fails("shop_say", `{"word":"boom"}`, "it went wrong")
}

// Upstream's older form: a YAML file describes a function of a script beside it.
func TestScriptDescriptors(t *testing.T) {
	const js = "export async function shop_add(args, ctx, client) { return { sum: args.a + (args.b ?? 0), by: typeof client.callTool }; }\n"
	const yaml = "script: ./add.js\nname: shop_add\ndescription: Adds.\nsupportedPlatforms: [web]\n_meta: { trailblaze/isRecordable: false }\n" +
		"inputSchema:\n  a: { type: integer, description: One }\n  b: { type: integer, required: false }\n"
	h := hosts(t, map[string]string{}, map[string]string{
		"add.js": js, "add.yaml": yaml,
		"lost.yaml":  "script: ./lost.js\nname: shop_lost\ndescription: d\n",
		"other.yaml": "script: ./other.js\nname: shop_other\ndescription: d\n", "other.js": "export const x = 1;\n",
	})
	h.gives("shop_add", `{"a":1,"b":2}`, `{"sum":3,"by":"function"}`)
	h.fails("shop_add", `{}`, "parameter a is missing")
	added, ok := h.sources.Registry().Get("shop_add")
	if s := added.Spec(); !ok || s.Description != "Adds." || s.Recordable || s.Input().Properties["a"].Description != "One" {
		t.Errorf("spec %+v", s)
	}
	said := ""
	for _, p := range h.sources.Problems() {
		said += p.Error() + "\n"
	}
	for _, want := range []string{"lost.js", "trails/config/tools/other.yaml describes shop_other, and the script has no function"} {
		if !strings.Contains(said, want) {
			t.Errorf("problems do not say %q: %s", want, said)
		}
	}
	needs(t, "node")
	h = hosts(t, trusting, map[string]string{"add.js": "import os from 'node:os';\n" + js, "add.yaml": yaml + "runtime: subprocess\n"})
	h.gives("shop_add", `{"a":1}`, `{"by":"function","sum":1}`)
}
