package workspace_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
)

const costTS = `import { trailblaze } from "@trailblaze/scripting";
export const cost_script%d = trailblaze.tool<{ text: string }>({ kind: "query" }, async (args) => ({ text: args.text }));
`

const costProcess = `import { trailblaze } from "@trailblaze/scripting";
const spec = { runtime: "subprocess", kind: "query" } as const;
export const cost_apart = trailblaze.tool<{ text: string }>(spec, async (args) => ({ text: args.text }));
export const cost_back = trailblaze.tool<{ text: string; times: number }>(spec, async (args, ctx) => {
  for (let i = 0; i < args.times; i++) await ctx.tools.isVisible({ text: args.text });
});
`

const costYAML = `id: cost_yaml
description: Looks.
parameters: [{name: text, type: string}]
tools: [{isVisible: {text: "{{text}}"}}]
`

// TestCosts prints what a tool of each kind costs beside the built-in call that it is measured with, in one run, and
// holds it to its bar: make costs.
func TestCosts(t *testing.T) {
	if os.Getenv(testtime.Env) == "" {
		t.Skip("it measures times: make costs")
	}
	needs(t, "node")
	h := hosts(t, trusting, map[string]string{
		"a.ts": fmt.Sprintf(costTS, 0), "b.ts": costProcess, "c.tool.yaml": costYAML,
	})
	one := func(name, args string) time.Duration {
		return median(t, 200, func() {
			if _, wrong := h.call(h.s, name, args); wrong != "" {
				t.Fatalf("%s: %s", name, wrong)
			}
		})
	}
	const text = `{"text":"Buy"}`
	builtIn := one("isVisible", text)
	once, often := one("cost_back", `{"text":"Buy","times":1}`), one("cost_back", `{"text":"Buy","times":11}`)
	t.Logf("%-46s %10s %10s", "beside the built-in call ("+builtIn.Round(time.Microsecond).String()+")", "measured", "bar")
	row := func(what string, took, bar time.Duration) {
		t.Logf("%-46s %10s %10s", what, took.Round(time.Microsecond), bar)
		if took > testtime.Within(bar) {
			t.Errorf("%s takes %s, the bar is %s", what, took, bar)
		}
	}
	row("tool in YAML, more", one("cost_yaml", text)-builtIn, 50*time.Microsecond)
	row("tool in TypeScript, more", one("cost_script0", text)-builtIn, time.Millisecond)
	row("tool in a process over stdio, more", one("cost_apart", text)-builtIn, time.Millisecond)
	row("a callback of it", (often-once)/10, 2*time.Millisecond)
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("t%d.ts", i)] = fmt.Sprintf(costTS, i)
	}
	all := hosts(t, map[string]string{}, files)
	load := func(root, home string, want int) func() {
		return func() {
			src := script.New(source.Options{Root: root, Home: home, Folders: []source.Folder{{Dir: "trails/config/tools"}}})[0]
			if tools, wrong, err := src.Load(t.Context()); len(tools) != want || err != nil {
				t.Fatal(len(tools), wrong, err)
			}
		}
	}
	single := hosts(t, map[string]string{}, map[string]string{"a.ts": fmt.Sprintf(costTS, 0)})
	row("a TypeScript file, read for the first time", median(t, 20, load(single.root, "", 1)), 10*time.Millisecond)
	row("100 TypeScript tools, at a daemon's start", median(t, 20, load(all.root, all.home, 100)), 20*time.Millisecond)
}

// median is the median time of n runs, after some that warm up.
func median(t *testing.T, n int, run func()) time.Duration {
	t.Helper()
	for range n / 10 {
		run()
	}
	times := make([]time.Duration, n)
	for i := range times {
		began := time.Now()
		run()
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times[n/2]
}
