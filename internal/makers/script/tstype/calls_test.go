package tstype_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/makers/script/tstype"
)

// Calls are read as they are written: what is computed is a token, and what cannot be read is open.
func TestCalls(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`ctx.tools.a()`, `1:11 a {} false`},
		{`ctx.callTool("a", { "b-c": 'd', e: -1_0, f: [true, null, { g: 1.5 }], })`,
			`1:14 a {"b-c":"d","e":-10,"f":[true,null,{"g":1.5}]} false`},
		{"\n  /* é */ ctx.tools.a({ b, c: d, e: f(1, 2), g: `h` })", `2:21 a {"b":"{{1}}","c":"{{2}}","e":"{{3}}","g":"{{4}}"} false`},
		{`ctx.tools.a({ b: [...c], d: { ...e }, f: "\x41", g: 0x10 })`,
			`1:11 a {"b":"{{1}}","d":"{{2}}","f":"{{3}}","g":"{{4}}"} false`},
		{`ctx.tools.a({ ...b, c: 1, [d]: 2 })`, `1:11 a {"c":1} true`},
		{`ctx.tools.a({ b() { return 1 }, c: 1 })`, `1:11 a {} true`},
		{`ctx.tools.a({ b: x as Map<string, C>, c: y<D, E, F>(1) })`, `1:11 a {} true`},
		{`ctx.tools.a({ b: 1 } as any); ctx.tools.c(d)`, "1:11 a {} true\n1:41 c {} true"},
		{`ctx.tools.a({ b: await ctx.tools.c({ d: 1 }) })`, "1:11 a {\"b\":\"{{1}}\"} false\n1:34 c {\"d\":1} false"},
		{`const f = (c: Context, d: Client) => { c.tools.a(); d.tools.b() }`, "1:48 a {} false\n1:61 b {} false"},
		{`trailblaze.tool<{}>({ x: [y, z] }, async ({ a, b }, c, d) => { c.tools.e(); d.tools.f(); b.tools.g(); z.tools.h() })`,
			"1:72 e {} false\n1:85 f {} false"},
		{`other.tools.a(); ctx.tools[a](); ctx.tools.a?.(); ctx.tools.a; ctx.callTool(a); "ctx.tools.a()"`, ``},
		{"`a ${await ctx.tools.b({ c: 1 })} ${`${ctx.tools.d({ e: `f ${ctx.tools.g()}` })}`}`; ctx.tools.h()",
			"1:22 b {\"c\":1} false\n1:50 d {\"e\":\"{{1}}\"} false\n1:72 g {} false\n1:96 h {} false"},
		{`ctx.tools.a({ b: {`, `1:11 a {} true`},
		{`ctx.tools.a([{`, `1:11 a {} true`},
	} {
		var got []string
		for _, c := range tstype.Calls(test.text) {
			got = append(got, fmt.Sprintf("%d:%d %s %s %t", c.Line, c.Col, c.Tool, c.Args, c.Open))
		}
		if d := cmp.Diff(test.want, strings.Join(got, "\n")); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, d)
		}
	}
}

func FuzzCalls(f *testing.F) {
	for _, s := range []string{"ctx.tools.a({ b: [{ c: -1 }] })", "ctx.tools.a({ [", "trailblaze.tool(a, (b, c", "ctx.callTool('a', {...`"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, text string) { tstype.Calls(text) })
}
