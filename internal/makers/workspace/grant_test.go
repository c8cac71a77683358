package workspace_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/config"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
)

const grantedTS = `import { trailblaze } from "@trailblaze/scripting";
import { plain } from "./part";
const kind = "query";
export const shop_plain = trailblaze.tool({ kind }, async () => plain);
export const shop_read = trailblaze.tool({ kind, files: { read: ["data.txt"] } }, async (_, ctx) => await ctx.files.read("data.txt"));
export const shop_write = trailblaze.tool({ files: { write: ["data.txt"] } }, async (_, ctx) => {
  await ctx.files.write("data.txt", "data");
  return "written";
});
export const shop_named = trailblaze.tool<{ path: string }>({ kind, effects: { reads: ["path"] } }, async (args, ctx) =>
  await ctx.files.read(args.path));
export const shop_fetch = trailblaze.tool<{ url: string }>({ kind, hosts: ["127.0.0.1"] }, async (args) =>
  await (await fetch(args.url)).text());
export const shop_secret = trailblaze.tool({ kind, secrets: ["password"] }, async (_, ctx) => ctx.memory.get("password").slice(0, 7));
export const shop_pw = trailblaze.tool<{ pw: string }>({ kind, secretArguments: ["pw"] }, async (args) => args.pw.slice(0, 7));
`

const grantedYAML = `id: shop_yaml
description: d
parameters: [{name: pw, type: string, secret: true}]
script:
  source: return args.pw.slice(0, 7);
`

// Before a person has trusted it a script has no files, no network and no secrets; the rest of it works. A change of what
// it imports asks again.
func TestBeforeTrustAScriptGetsNothing(t *testing.T) {
	asked := false
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked = true
		_, _ = w.Write([]byte("data"))
	}))
	defer srv.Close()
	h := hosts(t, map[string]string{}, map[string]string{"a.ts": grantedTS, "part.ts": `export const plain = "fine";`,
		"b.tool.yaml": grantedYAML})
	h.mem.SetSecret("password", "c4n4ry-Pass-9")
	if err := os.WriteFile(filepath.Join(h.root, "data.txt"), []byte("data"), 0o600); err != nil {
		t.Fatal(err)
	}
	calls := []struct{ name, args, want string }{
		{"shop_read", `{}`, `"data"`}, {"shop_write", `{}`, `"written"`}, {"shop_named", `{"path":"data.txt"}`, `"data"`},
		{"shop_fetch", `{"url":"` + srv.URL + `"}`, `"data"`}, {"shop_secret", `{}`, `"<secret"`},
		{"shop_pw", `{"pw":"{{password}}"}`, `"<secret"`}, {"shop_yaml", `{"pw":"{{password}}"}`, `"<secret"`},
	}
	for _, c := range calls {
		if got, wrong := h.call(h.s, c.name, c.args); !strings.Contains(wrong, "gets no files, no network and no secrets") {
			t.Errorf("%s before trust: %q %q", c.name, got, wrong)
		}
	}
	if asked {
		t.Error("a request was sent")
	}
	h.gives("shop_plain", `{}`, `"fine"`)
	h.trustAll(len(calls))
	for _, c := range calls {
		h.gives(c.name, c.args, c.want)
	}
	h.write("part.ts", `export const plain = "other";`)
	if _, err := h.sources.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.d.SetRegistry(h.sources.Registry())
	if got, wrong := h.call(h.s, "shop_read", `{}`); !strings.Contains(wrong, "new or changed since") {
		t.Errorf("after a change of an import: %q %q", got, wrong)
	}
}

// trustAll trusts what the workspace asks for, which are so many.
func (h *hosting) trustAll(want int) {
	h.Helper()
	s, err := workspace.Open(workspace.Options{Root: h.root, Home: h.home, Idle: true, Makers: workspace.AllMakers(),
		Config: func() (*config.Config, error) { return &config.Config{}, nil }})
	if err != nil {
		h.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	all, err := s.Processes(h.Context())
	if err != nil || len(all) != want {
		h.Fatalf("there are %d to trust, want %d: %+v %v", len(all), want, all, err)
	}
	if err := (workspace.Trust{Home: h.home}).Record(h.Context(), h.root, all); err != nil {
		h.Fatal(err)
	}
}
