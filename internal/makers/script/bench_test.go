package script_test

import (
	"fmt"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/script"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace/source"
	"github.com/trailblaze-dev/trailblaze/tool"
)

const small = head + `
/** Says it. */
export const shop_say%d = trailblaze.tool<{ text: string }>({ kind: "query" }, async (args) => ({ text: args.text }));`

// BenchmarkCall compares a call of a scripted tool with one of a built-in tool. The bar: 1 ms more.
func BenchmarkCall(b *testing.B) {
	r := setup(b, map[string]string{"tools/a.ts": fmt.Sprintf(small, 0), "tools/b.ts": head + `
export const shop_nest = trailblaze.tool<{ text: string }>({ kind: "query" }, async (args, ctx) => ctx.tools.demo_echo(args));`})
	for _, name := range []string{"demo_echo", "shop_say0", "shop_nest"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.must(name, `{"text":"a"}`)
			}
		})
	}
}

// BenchmarkLoad is a workspace of 100 tools: read for the first time, by a new process with the cache, and again after
// nothing has changed. The bars: 10 ms a file, 20 ms for all.
func BenchmarkLoad(b *testing.B) {
	dir, home := b.TempDir(), b.TempDir()
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("tools/t%d.ts", i)] = fmt.Sprintf(small, i)
	}
	write(b, dir, files)
	open := func(home string) tool.Source {
		return script.New(source.Options{Root: dir, Home: home, Folders: []source.Folder{{Dir: "tools"}}})[0]
	}
	run := func(name string, src func() tool.Source) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if tools, problems, err := src().Load(b.Context()); len(tools) != 100 || len(problems) > 0 {
					b.Fatal(problems, err)
				}
			}
		})
	}
	run("cold", func() tool.Source { return open("") })
	if _, _, err := open(home).Load(b.Context()); err != nil {
		b.Fatal(err)
	}
	run("cached", func() tool.Source { return open(home) })
	same := open(home)
	run("unchanged", func() tool.Source { return same })
}
