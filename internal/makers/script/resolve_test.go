package script

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// laid writes files and links below a folder; a text that begins with "-> " is where a link leads.
func laid(t *testing.T, dir string, files map[string]string) *os.Root {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if to, isLink := strings.CutPrefix(text, "-> "); isLink {
			if err := os.Symlink(to, p); err != nil {
				t.Skip(err)
			}
			continue
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// TestImportsOfAProcess: what a script of a process imports is found as Node finds it.
func TestImportsOfAProcess(t *testing.T) {
	files := map[string]string{
		"node_modules/main/package.json": `{"main":"lib/a"}`,
		"node_modules/main/lib/a.js":     `exports.a = 1`,
		"node_modules/both/package.json": `{"main":"a.cjs","module":"a.mjs"}`,
		"node_modules/both/a.mjs":        `export const a = 1`,
		"node_modules/none/index.js":     `exports.a = 1`,
		"node_modules/main/sub/b.js":     `exports.a = 1`,
		"node_modules/@s/p/package.json": `{"exports":{".":{"types":"./t.d.ts","import":"./i.mjs",` +
			`"require":"./r.cjs"},"./x/*":"./y/*.js","./x/no":null}}`,
		"node_modules/@s/p/i.mjs":                            `export const a = 1`,
		"node_modules/@s/p/r.cjs":                            `exports.a = 1`,
		"node_modules/@s/p/y/z.js":                           `exports.a = 1`,
		"node_modules/@s/p/hidden.js":                        `exports.a = 1`,
		"node_modules/short/package.json":                    `{"exports":["./gone/../a.js"]}`,
		"node_modules/short/a.js":                            `exports.a = 1`,
		"node_modules/up/package.json":                       `{"exports":"./../../../../etc/passwd"}`,
		"node_modules/dir/package.json":                      `{"main":"./lib"}`,
		"node_modules/dir/lib/index.js":                      `exports.a = 1`,
		"node_modules/.pnpm/l@1/l/index.js":                  `exports.a = require("inner")`,
		"node_modules/.pnpm/l@1/node_modules/inner/index.js": `exports.a = 1`,
		"node_modules/.pnpm/l@1/l/package.json":              `{}`,
		"node_modules/l":                                     "-> .pnpm/l@1/l",
		"node_modules/out":                                   "-> /usr",
		"node_modules/zero/package.json":                     "-> /dev/zero",
		"node_modules/zero/index.js":                         `exports.a = 1`,
		"tools/package.json":                                 `{"imports":{"#own":"./own.ts","#main":"main"}}`,
		"tools/own.ts":                                       `export const a = 1`,
		"tools/b.ts":                                         `export const a = 1`,
		"tools/c/index.ts":                                   `export const a = 1`,
	}
	dir := t.TempDir()
	root := laid(t, dir, files)
	for spec, want := range map[string]string{
		"main": "node_modules/main/lib/a.js", "both": "node_modules/both/a.mjs", "none": "node_modules/none/index.js",
		"main/sub/b": "node_modules/main/sub/b.js", "@s/p": "node_modules/@s/p/i.mjs", "@s/p/x/z": "node_modules/@s/p/y/z.js",
		"short": "node_modules/short/a.js", "dir": "node_modules/dir/lib/index.js", "l": "node_modules/.pnpm/l@1/l/index.js",
		"#own": "tools/own.ts", "#main": "node_modules/main/lib/a.js", "./b": "tools/b.ts", "./b.js": "tools/b.ts",
		"./c": "tools/c/index.ts", "node:fs": "", "fs/promises": "", dir + "/tools/b.ts": "tools/b.ts",
		"@s/p/hidden.js": "!could not resolve", "@s/p/x/no": "!could not resolve", "gone": "!could not resolve",
		"#gone": "!could not resolve", "up": "!outside of the workspace", "out": "!outside of the workspace",
		"../../x": "!outside of the workspace", "/etc/passwd": "!outside of the workspace", "zero": "!path escapes",
		"../../../..": "!outside of the workspace", "@": "!could not resolve", "..": "!could not resolve", "a\x00b": "!could not",
	} {
		if runtime.GOOS == "windows" && strings.HasPrefix(spec, dir) {
			continue
		}
		text := "import * as a from " + literal(spec) + "; console.log(a)"
		b, err := (&bundler{root: root, name: "tools/t.ts", node: true, text: &text}).bundle(t.Context())
		if no, fails := strings.CutPrefix(want, "!"); fails {
			if err == nil || !strings.Contains(err.Error(), no) {
				t.Errorf("%s: %v, want %s", spec, err, no)
			}
			continue
		}
		if err != nil || want != "" && !slices.Contains(slices.Collect(maps.Keys(b.inputs)), want) {
			t.Errorf("%s: %v, want %s", spec, err, want)
		}
	}
	text := `const a = require("@s/p"); console.log(a)`
	b, err := (&bundler{root: root, name: "tools/t.ts", node: true, text: &text}).bundle(t.Context())
	if err != nil || b.inputs["node_modules/@s/p/r.cjs"] == nil {
		t.Errorf("require: %v", err)
	}
}
