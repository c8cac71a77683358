package script_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

const fine = head + `export const good_tool = trailblaze.tool({ kind: "query" }, async () => "fine");`

// bombs are files that overflow the stack of what reads them, by what is repeated.
var bombs = map[string]string{
	"list": "[", "paren": "(", "not": "!", "brace": "{", "arrow": "a=>", "if": "if(1)", "power": "1**", "optional": "?.a",
	"template": "`${", "jsx": "<a>", "type": "type A = A<", "object": "({a:", "new": "new ", "await": "await ",
	"class": "class{x=", "regex": "/[", "comment": "/*", "minus": "- ", "typeof": "typeof ", "cond": "1?", "comma": "1,",
	"function": "function(){", "call": "f(", "else": "if(1);else ", "label": "a:", "for": "for(;;)", "assign": "a=",
	"null": "a??", "generic": "let x: A<", "array type": "let x: [", "arrow type": "let x: (a:", "spread": "[...",
	"async": "async()=>", "try": "try{", "switch": "switch(1){case ", "do": "do ", "member": "a[", "yield": "yield ",
}

// TestBombs: a file that is nested without end is an error of that file, within seconds, and the next one is as it was.
func TestBombs(t *testing.T) {
	for name, part := range bombs {
		t.Run(name, func(t *testing.T) {
			text := head + "trailblaze.tool;\n"
			if part == "?.a" || part == "1**" {
				text += "a"
			}
			if strings.HasPrefix(part, "let x: ") || strings.HasPrefix(part, "type A = ") {
				i := strings.LastIndexAny(part, " ") + 1
				text, part = text+part[:i], part[i:]
			}
			text += strings.Repeat(part, (1<<20-len(text)-1)/len(part))
			loads(t, map[string]string{"tools/bad.ts": text})
		})
	}
	deep := strings.Repeat("[", 400_000)
	t.Run("JSON", func(t *testing.T) {
		loads(t, map[string]string{"tools/bad.ts": head + `import a from "./a.json"; trailblaze.tool(a);`,
			"tools/a.json": deep + strings.Repeat("]", 400_000)})
	})
	t.Run("import", func(t *testing.T) {
		loads(t, map[string]string{"tools/bad.ts": head + `import a from "./a.js"; trailblaze.tool(a);`, "tools/a.js": deep})
	})
	t.Run("package", func(t *testing.T) {
		loads(t, map[string]string{"tools/bad.ts": head + `import a from "./a.js"; trailblaze.tool(a);`,
			"tools/a.js": "a", "tools/package.json": deep, "package.json": deep})
	})
}

// loads loads a good tool beside a bad file.
func loads(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	write(t, dir, map[string]string{"tools/good.ts": fine})
	began := time.Now()
	tools, problems, err := load(t, dir)
	if err != nil || len(tools) == 0 || tools[len(tools)-1].Spec().Name != "good_tool" {
		t.Fatalf("%v tools, %v", len(tools), err)
	}
	for _, p := range problems {
		text := p.Err.Error()
		t.Logf("%.200s | %s", text, fault.HintOf(p.Err))
		if strings.Contains(text, "goroutine") || strings.Count(text, "\n") > 1 {
			t.Errorf("it says %.500s", text)
		}
	}
	if took := time.Since(began); took > testtime.Within(20*time.Second) {
		t.Errorf("it took %v", took)
	}
}

// endless are calls of built-ins that go on for ever, and that the engine does not interrupt.
var endless = map[string]string{
	"includes":    `Array.prototype.includes.call({length: 2**53-1}, 1)`,
	"indexOf":     `Array.prototype.indexOf.call({length: 2**53-1}, 1)`,
	"lastIndexOf": `Array.prototype.lastIndexOf.call({length: 2**53-1}, 1)`,
	"join":        `Array.prototype.join.call({length: 2**32-2}, "")`,
	"fill":        `Array.prototype.fill.call(new Proxy({length: 2**53-1}, {set: () => true}), 0)`,
	"copyWithin":  `Array.prototype.copyWithin.call({length: 2**53-1}, 0, 1)`,
	"sort":        `Array.prototype.sort.call({length: 2**53-1})`,
	"reverse":     `Array.prototype.reverse.call({length: 2**53-1})`,
	"shift":       `Array.prototype.shift.call({length: 2**53-1})`,
	"unshift":     `Array.prototype.unshift.call({length: 2**53-3}, 1)`,
	"splice":      `Array.prototype.splice.call({length: 2**53-3}, 0, 1)`,
	"find":        `Array.prototype.every.call({length: 2**53-1}, () => true)`,
	"pattern":     `/^(a+)+$/.test("a".repeat(40) + "b")`,
	"padded":      `/(x+x+)+y/.test("".padStart(50, "x"))`,
	"stringify":   `JSON.stringify(new Proxy([], {get: (_, k) => k === "length" ? 2**53-1 : 0, isArray: true}))`,
	"power":       `2n ** 200000000n % 7n; for (;;) 3n ** 30000000n`,
	"from":        `Array.from({length: 2**32-1}, () => 0)`,
	"set":         `for (;;) new Set(Array(1e5).fill(0))`,
	"replaceAll":  `for (;;) "a".repeat(1e6).replaceAll("a", "b")`,
	"typed":       `for (;;) new Float64Array(1e6).sort()`,
	"toSorted":    `Array.prototype.flat.call({length: 2**53-1})`,
	"concat":      `for (;;) [].concat(Array(1e6))`,
	"reduce":      `Array.prototype.reduceRight.call({length: 2**53-1, 0: 1}, () => 1)`,
}

// TestEndlessBuiltins: nothing that a script calls outlives its time, and no processor is used afterwards.
func TestEndlessBuiltins(t *testing.T) {
	for name, code := range endless {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expr := code
			if !strings.Contains(code, "for (;;)") {
				expr = "(globalThis as any).a = " + code
			}
			r := setup(t, map[string]string{"tools/good.ts": fine, "tools/bad.ts": head + fmt.Sprintf(
				`export const bad_tool = trailblaze.tool({ kind: "query", timeout: 300 }, async () => { %s; });`, expr)})
			began := time.Now()
			t.Logf("%.150s", r.fails("bad_tool", `{}`))
			if took := time.Since(began); took > testtime.Within(4*time.Second) {
				t.Errorf("it took %v", took)
			}
			r.must("good_tool", `{}`)
		})
	}
	t.Cleanup(func() { quiet(t) })
}

// TestEndlessTop: likewise at the top of a file.
func TestEndlessTop(t *testing.T) {
	for name, code := range endless {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loads(t, map[string]string{"tools/bad.ts": head + "trailblaze.tool;\n" + code})
		})
	}
	t.Cleanup(func() { quiet(t) })
}

// TestCancelEndsLoading: who gives up waits no longer for a file that never ends.
func TestCancelEndsLoading(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"tools/bad.ts": head + "trailblaze.tool;\n" + endless["includes"]})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	time.AfterFunc(50*time.Millisecond, func() { cancel(gone) })
	began := time.Now()
	_, problems, err := scripts(dir).Load(ctx)
	if took := time.Since(began); took > testtime.Within(time.Second) {
		t.Errorf("it took %v: %v %v", took, problems, err)
	}
}

// quiet waits until no child of ours uses a processor.
func quiet(t *testing.T) {
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Log("who uses a processor is known on Linux")
		return
	}
	before, at := used(t), time.Now()
	waittest.Until(t, func() bool {
		now, since := used(t), time.Since(at)
		if since < 300*time.Millisecond {
			return false
		}
		idle := now-before <= 2 // hundredths of a second
		before, at = now, time.Now()
		return idle
	}, "no worker uses a processor")
}

// used is the time that our children have used, in hundredths of a second.
func used(t *testing.T) (sum int) {
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for pid := range strings.FieldsSeq(string(text)) {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			if err != nil {
				continue // it has ended
			}
			f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
			for _, field := range f[11:13] {
				n, _ := strconv.Atoi(field)
				sum += n
			}
		}
	}
	return sum
}

// TestNestedCallsWaitForNobody: more scripts that call scripts than may run at a time all come to their end.
func TestNestedCallsWaitForNobody(t *testing.T) {
	r := setup(t, map[string]string{"tools/a.ts": head + `
export const shop_leaf = trailblaze.tool({ kind: "query" }, async () => 1);
export const shop_mid = trailblaze.tool({ kind: "query" }, async (_, ctx) => ctx.tools.shop_leaf({}));
export const shop_top = trailblaze.tool({ kind: "query" }, async (_, ctx) =>
  (await Promise.all(Array.from({ length: 4 }, () => ctx.tools.shop_mid({})))).length);`})
	var work sync.WaitGroup
	for range 24 {
		work.Go(func() {
			if res, err := r.call("shop_top", `{}`); err != nil || string(res.Value) != "4" {
				t.Errorf("%v %v", res, err)
			}
		})
	}
	work.Wait()
}

// TestBombsInTypes: likewise of types, in a file that is imported for them alone, which the bundler never sees.
func TestBombsInTypes(t *testing.T) {
	for _, bomb := range []string{"type A = [", "type A = (", "type A = {a:", "type A = A<", "interface A extends A|", "enum A {a=",
		"type A = keyof ", "type A = a[", "type A = `${", "/*", "type A = (a:", "type A = Record<a,", "type A = []"} {
		t.Run(bomb, func(t *testing.T) {
			i := strings.LastIndex(strings.TrimSpace(bomb), " ") + 1
			loads(t, map[string]string{
				"tools/bad.ts": head + `import type { A } from "../lib/types"; export const bad_tool = trailblaze.tool<A, A>(async () => 1);`,
				"lib/types.ts": bomb[:i] + strings.Repeat(bomb[i:], (1<<20-100)/len(bomb[i:])),
			})
		})
	}
}
