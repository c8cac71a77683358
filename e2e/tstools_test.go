package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

// R1, R2, R46, R67, R124, R125: the example of tools in TypeScript does what its README says, on the shop that it is written for: a
// login, a conditional, a retry and a delegate. Its secret stands nowhere but in the field.
func TestExampleTypeScriptTools(t *testing.T) {
	if !*withExamples {
		t.Skip("make examples runs this")
	}
	t.Parallel()
	s := newSitting(t)
	if err := os.RemoveAll(filepath.Join(s.work, "trails")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(s.work, os.DirFS(filepath.Join("..", "examples", "ts-tools"))); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node on PATH, and one of the tools runs on it")
	}
	s.shell("trailblaze check trails", 3) // a tool of a process is not there before somebody trusts it
	if !strings.Contains(s.last, "nobody has trusted this project") {
		t.Errorf("check: %s", s.last)
	}
	s.shell("trailblaze trust --yes", 0)
	s.shell("trailblaze check trails", 0)
	s.shell("trailblaze check --test", 0)
	s.shell("trailblaze check --types trails", 0)
	if _, err := os.Stat(filepath.Join(s.work, ".trailblaze", "trailblaze.d.ts")); err != nil {
		t.Error(err)
	}
	s.shell("trailblaze run trails --repeat 2 --base-url "+s.shop+" --secret password="+demo.Password, 0)
	if !strings.Contains(s.last, "2 passed") {
		t.Errorf("run: %s", s.last)
	}
	listed := func() bool {
		s.agent("device", map[string]any{"action": "LIST"})
		list, err := s.mcp.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(list.Tools, func(tl *mcp.Tool) bool {
			return tl.Name == "shop_login" && strings.Contains(tl.Description, "Signs in to the shop")
		})
	}
	// The list never waits for tools that are still being loaded.
	for end := time.Now().Add(20 * time.Second); !listed(); {
		if time.Now().After(end) {
			t.Fatal("tools/list has no shop_login")
		}
	}
}

// beyondTools act, check and look beside the device: with evidence of their own, and without any.
const beyondTools = `import { trailblaze } from "@trailblaze/scripting";
const tool = trailblaze.tool;
export const acme_keep = tool<{ n: number }>({ supportedPlatforms: ["web"], kind: "action" }, async ({ n }, ctx) => { ctx.memory.set("n", n); });
export const acme_even = tool<{ n: number }>({ supportedPlatforms: ["web"], kind: "assertion" }, async ({ n }) => {
  if (n % 2) throw new Error(n + " is odd");
  return n + " is even";
});
export const acme_think = tool<{ n: number }>({ supportedPlatforms: ["web"], kind: "action" }, async ({ n }) => n + 1);
`

// R18, R113: in a replay the effects of a script beside the device are its evidence, an assertion passes on its own word,
// and an action that did nothing is inconclusive and says what to declare.
func TestScriptsBesideTheDevice(t *testing.T) {
	t.Parallel()
	s := newSitting(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(s.work, "trails", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config/tools/acme.ts", beyondTools)
	for _, c := range []struct {
		kind, call string
		status     int
		says       string
	}{
		{"step", "acme_keep: { n: 4 }", 0, ""},
		{"verify", "acme_even: { n: 4 }", 0, ""},
		{"verify", "acme_even: { n: 5 }", 1, "5 is odd"},
		{"step", "acme_think: { n: 4 }", 2, "declare it in"},
	} {
		write("one.trail.yaml", "config: { id: one }\ntrail:\n  - "+c.kind+": It\n    recording: { web: [{ "+c.call+" }] }\n")
		s.shell("trailblaze run trails/one.trail.yaml", c.status)
		if !strings.Contains(s.last, c.says) {
			t.Errorf("%s: %s", c.call, s.last)
		}
	}
}
