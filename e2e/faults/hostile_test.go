package faults

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// hostileEnv makes this test program a tool server that does what this variable says.
const hostileEnv = "FAULTS_HOSTILE"

// hostileServer speaks the protocol by hand, since no library would let it do these things.
func hostileServer(mode string) int {
	switch mode {
	case "hangs":
		<-time.After(time.Hour)
	case "garbage":
		for {
			fmt.Println("Compiling ...")
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var q struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(in.Bytes(), &q) != nil || q.ID == nil {
			continue
		}
		result := `{}`
		switch q.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`
		case "tools/list":
			result = `{"tools":[` + strings.Join(hostileList(mode), ",") + `]}`
		case "tools/call":
			result = hostileCall(q.Params.Name)
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", q.ID, result)
	}
	return 0
}

func hostileList(mode string) (out []string) {
	one := func(name, more string) string {
		return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}%s}`,
			name, more)
	}
	switch mode {
	case "many":
		for i := range 5000 {
			out = append(out, one(fmt.Sprintf("many_%d", i), ""))
		}
	case "clash":
		out = append(out, one("web_click", ""), one("clash_fine", ""))
	default:
		for _, name := range []string{"fine", "utf8", "huge", "die", "hang", "flood", "chatter"} {
			limit := 20_000
			if name == "hang" {
				limit = 500
			}
			out = append(out, one("raw_"+name, fmt.Sprintf(`,"_meta":{"trailblaze/kind":"query","trailblaze/timeoutMs":%d}`, limit)))
		}
		out = append(out, one("raw_lie", `,"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`))
	}
	return out
}

func hostileCall(name string) string {
	said := "fine"
	switch name {
	case "raw_utf8":
		said = "a\xff\xfe\xc3b"
	case "raw_huge":
		chunk := strings.Repeat("x", 1<<20)
		for range 100 {
			if _, err := fmt.Print(chunk); err != nil {
				break
			}
		}
		fmt.Println()
	case "raw_die":
		fmt.Fprintln(os.Stderr, "the disk is full")
		os.Exit(7)
	case "raw_hang":
		<-time.After(time.Hour)
	case "raw_flood":
		for range 100_000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("warning ", 30))
		}
	case "raw_chatter":
		fmt.Println("half a line, then {\"jsonrpc\": nonsense")
		fmt.Println(`{"jsonrpc":"2.0","id":99999,"result":{}}`)
	case "raw_lie":
		return `{"content":[],"structuredContent":{"n":"seven"}}`
	}
	return `{"content":[{"type":"text","text":"` + said + `"}]}`
}

const hostileTS = `import { trailblaze } from "@trailblaze/scripting";
const quick = { kind: "query", timeout: 500 } as const;
export const ts_fine = trailblaze.tool<{ n?: number }>(quick, async () => "fine");
export const ts_loop = trailblaze.tool(quick, async () => { for (;;); });
export const ts_memory = trailblaze.tool({ kind: "query" }, async () => { const a = []; for (;;) a.push("x".repeat(1000) + a.length); });
export const ts_pattern = trailblaze.tool(quick, async () => /^(a+)+$/.test("a".repeat(40) + "b"));
export const ts_recursion = trailblaze.tool({ kind: "query" }, async () => { const f = (n: number): number => 1 + f(n); return f(0); });
export const ts_again = trailblaze.tool({ kind: "query" }, async (_, ctx) => ctx.tools.ts_again());
export const ts_huge = trailblaze.tool({ kind: "query" }, async () => "x".repeat(100 << 20));
export const ts_lie = trailblaze.tool<{}, { n: number }>({ kind: "query" }, async () => ({ n: "seven" as any }));
`

const hostileProcess = `import { trailblaze } from "@trailblaze/scripting";
const quick = { runtime: "subprocess", kind: "query", timeout: 1000 } as const;
export const apart_fine = trailblaze.tool<{ n?: number }>({ ...quick, timeout: 20000 }, async () => "fine");
export const apart_loop = trailblaze.tool(quick, async () => { for (;;); });
export const apart_pattern = trailblaze.tool(quick, async () => /^(a+)+$/.test("a".repeat(60) + "b"));
export const apart_die = trailblaze.tool(quick, async () => process.exit(7));
export const apart_huge = trailblaze.tool({ ...quick, timeout: 20000 }, async () => "x".repeat(100 << 20));
export const apart_lie = trailblaze.tool<{}, { n: number }>(quick, async () => ({ n: "seven" as any }));
`

const hostileYAML = `id: yaml_fine
description: Says where it is.
parameters: [{name: n, type: integer, required: false}]
tools: [{web_verifyTextVisible: {text: Hello}}]
`

// Tools of every kind that misbehave, through the built binary: each is answered with a clear error within its
// deadline, and the next call of the same kind works.
func TestHostileTools(t *testing.T) {
	longOnly(t)
	h := newHouse(t)
	h.Env = append(h.Env, "TRAILBLAZE_MCP_SUBPROCESS_HANDSHAKE_TIMEOUT_MS=4000", "TRAILBLAZE_TRUST=1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config := "mcpServers:\n"
	for _, mode := range []string{"raw", "hangs", "garbage", "many", "clash"} {
		config += fmt.Sprintf("  - {name: %s, command: %q, env: {%s: %s}%s}\n", mode, self, hostileEnv, mode,
			map[bool]string{true: `, prefix: ""`}[mode == "clash"]) // its web_click would become clash_web_click
	}
	files := map[string]string{
		"trailblaze.yaml": config, "trails/config/tools/bad.ts": hostileTS, "trails/config/tools/fine.tool.yaml": hostileYAML,
	}
	_, noNode := exec.LookPath("node")
	if noNode == nil {
		files["trails/config/tools/apart.ts"] = hostileProcess
	}
	for name, text := range files {
		path := filepath.Join(h.Work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.Start()
	h.must("web_navigate", map[string]any{"url": served(t, map[string]string{"/": "<h1>Hello</h1>"})})
	h.call("reloadTools", nil)
	told := h.call("toolbox", nil).raw + h.log()
	for _, want := range []string{"has not answered in time", "stdout what is not MCP", "more than 1000 tools", "not <namespace>_<action>: web_click"} {
		if !strings.Contains(told, want) && !strings.Contains(told, strings.ReplaceAll(want, `"`, `\"`)) {
			t.Errorf("nobody is told of %q", want)
		}
	}
	h.must("many_999", nil)
	h.must("clash_fine", nil)
	wrong, lie := map[string]any{"n": "x"}, "output schema"
	for _, c := range []struct {
		tool string
		args map[string]any
		want string // "": it works
	}{
		{"raw_utf8", nil, ""}, {"raw_huge", nil, "more than 16 MiB"}, {"raw_die", nil, "the disk is full"},
		{"raw_hang", nil, "it took longer than"}, {"raw_flood", nil, ""}, {"raw_chatter", nil, ""}, {"raw_lie", nil, lie},
		{"raw_fine", wrong, "want integer"},
		{"ts_loop", nil, "still running in trails/config/tools/bad.ts:4"},
		{"ts_memory", nil, "out of memory"}, {"ts_pattern", nil, "still running in trails/config/tools/bad.ts:6"},
		{"ts_recursion", nil, "stack overflow"}, {"ts_again", nil, "nested 16 deep"}, {"ts_huge", nil, "out of memory"}, {"ts_lie", nil, lie},
		{"ts_fine", wrong, "want number"}, {"yaml_fine", wrong, "want integer"},
		{"apart_loop", nil, "it took longer than"}, {"apart_pattern", nil, "it took longer than"}, {"apart_die", nil, "exit status 7"},
		{"apart_huge", nil, "more than 16 MiB"}, {"apart_lie", nil, lie}, {"apart_fine", wrong, "want number"},
	} {
		kind, _, _ := strings.Cut(c.tool, "_")
		if kind == "apart" && noNode != nil {
			continue
		}
		a := h.call(c.tool, c.args)
		if a.ok() != (c.want == "") || !strings.Contains(a.raw, c.want) {
			t.Errorf("%s: want %q, got %.600s", c.tool, c.want, a.raw)
		}
		if a.took > testtime.Within(8*time.Second) {
			t.Errorf("%s took %s", c.tool, a.took)
		}
		h.must(kind+"_fine", nil)
	}
	h.must("web_snapshot", nil, "Hello")
}
