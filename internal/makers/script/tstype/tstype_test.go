package tstype_test

import (
	"encoding/json"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/makers/script/tstype"
)

func read(t *testing.T, files fstest.MapFS) ([]tstype.Tool, []string) {
	t.Helper()
	list, notes, err := tstype.Read("tools/a.ts", func(name string) ([]byte, error) { return fs.ReadFile(files, name) })
	if err != nil {
		t.Fatal(err)
	}
	return list, notes
}

func text(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func want(t *testing.T, raw string) any { t.Helper(); return text(t, json.RawMessage(raw)) }

// R3, R251, R252: the schema of a tool's arguments comes from its types, descriptions and all.
func TestTypesBecomeSchemas(t *testing.T) {
	for _, test := range []struct{ name, decls, typ, want string }{
		{"literal", ``, `{ a: string; b?: number, readonly c: boolean }`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"boolean"}},"required":["a","c"],"additionalProperties":false}`},
		{"interface with comments",
			"/** What. */ interface In {\n /** The name.\n  * Of a person.\n  * @default bob */\n name: string;\n /** @minimum 1\n * @integer */ n: number }", `In`,
			`{"type":"object","description":"What.","properties":{"name":{"type":"string","description":"The name.\nOf a person.",` +
				`"default":"bob"},"n":{"type":"integer","minimum":1}},"required":["n"],"additionalProperties":false}`},
		{"union of words", `type Size = "s" | 'm' | "l";`, `{ size: Size | undefined }`,
			`{"type":"object","properties":{"size":{"type":"string","enum":["s","m","l"]}},"additionalProperties":false}`},
		{"lists, maps and null", ``,
			`{ a: string[]; b: Array<{ c: number }>; d: Record<string, boolean>; e: string | null; f: [string, number]; g: { [k: string]: number } }`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}` +
				`,"b":{"type":"array","items":{"type":"object","properties":{"c":{"type":"number"}}` +
				`,"required":["c"],"additionalProperties":false}},"d":{"type":"object","additionalProperties":{"type":"boolean"}}` +
				`,"e":{"anyOf":[{"type":"string"},{"type":"null"}]},"f":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}` +
				`],"minItems":2,"maxItems":2},"g":{"type":"object","additionalProperties":{"type":"number"}}}` +
				`,"required":["a","b","d","e","f","g"],"additionalProperties":false}`},
		{"extends and intersection", `interface A { a: string } interface B extends A { b: number } type C = B & { c?: true };`, `C`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"boolean","enum":[true]}}` +
				`,"required":["a","b"],"additionalProperties":false}`},
		{"generics and picking", `interface P<T> { v: T; w: string } `, `Omit<P<number[]>, "w"> & Partial<{ x: string }>`,
			`{"type":"object","properties":{"v":{"type":"array","items":{"type":"number"}},"x":{"type":"string"}},"required":["v"],"additionalProperties":false}`},
		{"enum", `export enum Color { Red = "red", Blue = "blue" } enum N { A, B = 4, C }`, `{ c: Color; n: N }`,
			`{"type":"object","properties":{"c":{"type":"string","enum":["red","blue"]},"n":{"type":"number","enum":[0,4,5]}}` +
				`,"required":["c","n"],"additionalProperties":false}`},
		{"imported", `import { type Far as Near } from "./b";`, `{ x: Near["y"] }`,
			`{"type":"object","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false}`},
		{"methods are no data", ``, `{ a: string; f(x: { y: string }): void }`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`},
		{"none", ``, `{}`, `{"type":"object","additionalProperties":false}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			list, notes := read(t, fstest.MapFS{
				"tools/a.ts": {Data: []byte(test.decls + "\nconst r = /[/\"'`]{/.test(`${{a:1}.a} {`);\n/** Does it.\n * @x y */\nexport " +
					"const shop_do = trailblaze.tool<" + test.typ + ", string>({}, async () => { });")},
				"tools/b.ts": {Data: []byte(`export * from "./c";`)},
				"tools/c.ts": {Data: []byte(`export interface Far { y: number }`)},
			})
			if len(list) != 1 || len(notes) > 0 {
				t.Fatalf("%d tools, notes %v", len(list), notes)
			}
			if d := cmp.Diff(want(t, test.want), text(t, list[0].Input)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if list[0].Export != "shop_do" || list[0].Description != "Does it." || list[0].Output.Type != "string" {
				t.Errorf("%+v", list[0])
			}
		})
	}
}

// What cannot be read is accepted and said.
func TestWhatCannotBeReadIsSaid(t *testing.T) {
	list, notes := read(t, fstest.MapFS{"tools/a.ts": {Data: []byte(`interface Tree { kids: Tree[]; f: () => void; m: Map<string, string>; k: keyof Tree }
trailblaze.tool<Tree>("shop_tree", {}, async () => {});`)}})
	if got, want := len(notes), 3; got != want || list[0].Name != "shop_tree" {
		t.Errorf("got %d notes, want %d: %q, %+v", got, want, notes, list)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`trailblaze.tool<{a: string`, "type A<T> = A<A<T>>; trailblaze.tool<A<A<{}>>>(", "`${`${", "enum X { A = ",
		"trailblaze.tool<[...a: string[]]>", "import { type } from './b'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _, err := tstype.Read("a.ts", func(string) ([]byte, error) { return []byte(text), nil })
		if err != nil {
			t.Fatal(err)
		}
	})
}
