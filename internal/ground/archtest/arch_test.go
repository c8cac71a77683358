package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/trailblaze-dev/trailblaze"

// source is one Go file of the tree.
type source struct {
	path string // slash-separated, relative to the module root
	dir  string
	file *ast.File
	text []byte
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) generated() bool { return ast.IsGenerated(s.file) }

// load gives every Go file of the module, which is parsed once for all tests.
func load(t *testing.T) []source {
	t.Helper()
	out, err := parsed()
	if err != nil {
		t.Fatalf("read source tree: %v", err)
	}
	if len(out) < 20 {
		t.Fatalf("found only %d Go files: the walk looks at the wrong folder", len(out))
	}
	return out
}

var parsed = sync.OnceValues(parse)

func parse() ([]source, error) {
	root := filepath.Join("..", "..", "..")
	var out []source
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		out = append(out, source{path: rel, dir: pathDir(rel), file: f, text: text})
		return nil
	})
	return out, err
}

func pathDir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

func under(dir, prefix string) bool {
	return prefix == "" || dir == prefix || strings.HasPrefix(dir, prefix+"/")
}

func layerOf(dir string) *layer {
	var best *layer
	for i := range layers {
		if l := &layers[i]; (l.From != "" || dir == "") && under(dir, l.From) && (best == nil || len(l.From) > len(best.From)) {
			best = l
		}
	}
	return best
}

func imports(f *ast.File) []string {
	var out []string
	for _, im := range f.Imports {
		out = append(out, strings.Trim(im.Path.Value, `"`))
	}
	return out
}

// TestImportDirection (R137): our own tools are made of the public vocabulary, as those of others are; nothing points up.
func TestImportDirection(t *testing.T) {
	for _, s := range load(t) {
		l := layerOf(s.dir)
		if l == nil {
			t.Errorf("%s: folder %q has no layer; add it to rules_test.go with its reason", s.path, s.dir)
			continue
		}
		if s.test() {
			continue // a test may stand anywhere: it wires the real things together
		}
		for _, im := range imports(s.file) {
			rest, ours := strings.CutPrefix(im, module+"/")
			if !ours {
				continue
			}
			if !slices.ContainsFunc(l.May, func(may string) bool { return under(rest, may) }) && (s.dir == "" || !under(rest, s.dir)) {
				t.Errorf("%s imports %s: %s may not (%s)", s.path, rest, l.From, l.Why)
			}
		}
	}
}

// TestWings: every package in internal/ lies in a wing, and no wing imports one that comes after it.
func TestWings(t *testing.T) {
	for _, s := range load(t) {
		dir, inside := strings.CutPrefix(s.dir, "internal/")
		if !inside {
			continue
		}
		wing, _, _ := strings.Cut(dir, "/")
		at := slices.Index(wings, wing)
		if at < 0 {
			t.Errorf("%s lies in no wing: move it, or name the wing %s in rules_test.go with its place", s.path, wing)
			continue
		}
		if s.test() || strings.HasSuffix(s.dir, "test") {
			continue
		}
		for _, im := range imports(s.file) {
			rest, ours := strings.CutPrefix(im, module+"/internal/")
			other, _, _ := strings.Cut(rest, "/")
			if ours && slices.Index(wings, other) > at {
				t.Errorf("%s imports internal/%s: the wing %s comes before %s", s.path, rest, wing, other)
			}
		}
	}
}

func TestBannedImports(t *testing.T) {
	for _, s := range load(t) {
		if s.test() {
			continue
		}
		for _, im := range imports(s.file) {
			b, banned := bannedImports[im]
			if banned && !slices.ContainsFunc(b.Allowed, func(a string) bool { return under(s.dir, a) }) {
				t.Errorf("%s imports %s: %s", s.path, im, b.Why)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	docs := map[string]string{}
	for _, s := range load(t) {
		if s.test() || s.generated() {
			continue
		}
		if _, seen := docs[s.dir]; !seen {
			docs[s.dir] = ""
		}
		if s.file.Doc != nil {
			docs[s.dir] += s.file.Doc.Text()
		}
	}
	for dir, doc := range docs {
		if len(strings.Fields(doc)) < 8 {
			t.Errorf("package %q has no comment that says what it is and who calls it", dir)
		}
	}
}

func TestNames(t *testing.T) {
	for _, s := range load(t) {
		if slices.Contains(bannedNames, s.file.Name.Name) {
			t.Errorf("%s: package name %q says nothing about what is inside", s.path, s.file.Name.Name)
		}
	}
}

func TestFileLength(t *testing.T) {
	for _, s := range load(t) {
		n := bytes.Count(s.text, []byte("\n"))
		switch {
		case s.generated():
		case n > hardLines:
			t.Errorf("%s has %d lines, the limit is %d: split it by concept", s.path, n, hardLines)
		case n > softLines && !s.test():
			t.Errorf("%s has %d lines, over %d a file is rarely one concept", s.path, n, softLines)
		}
	}
}

// TestNoSleepingTests keeps fixed waits out of tests and of the product: an event is waited for, or a deadline set.
func TestNoSleepingTests(t *testing.T) {
	for _, s := range load(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && sel.Sel.Name == "Sleep" {
				t.Errorf("%s calls time.Sleep: wait for the event instead", s.path)
			}
			return true
		})
	}
}

// TestOneListener keeps ports and sockets in the one package that gives them their defences.
func TestOneListener(t *testing.T) {
	for _, s := range load(t) {
		if s.test() || under(s.dir, "internal/ground/listen") || under(s.dir, "e2e") || under(s.dir, "bench") ||
			under(s.dir, "examples") || strings.HasSuffix(s.dir, "test") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && (x.Name == "net" && sel.Sel.Name != "Listener" && strings.HasPrefix(sel.Sel.Name, "Listen") ||
				(x.Name == "http" || x.Name == "tls") && strings.HasPrefix(sel.Sel.Name, "Listen")) {
				t.Errorf("%s uses %s.%s: only internal/ground/listen listens", s.path, x.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// TestNoStrayPrints keeps output in the hands of cli and main.
func TestNoStrayPrints(t *testing.T) {
	for _, s := range load(t) {
		if s.test() || under(s.dir, "internal/cli") || under(s.dir, "cmd") || s.file.Name.Name == "main" ||
			under(s.dir, "internal/makers/script/worker") { // it does before main what main would do
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				x, isName := sel.X.(*ast.Ident)
				if isName && (x.Name == "fmt" && strings.HasPrefix(sel.Sel.Name, "Print") || x.Name == "os" && sel.Sel.Name == "Exit") {
					t.Errorf("%s calls %s.%s: only cli talks to the terminal", s.path, x.Name, sel.Sel.Name)
				}
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
					t.Errorf("%s panics: return an error", s.path)
				}
			}
			return true
		})
	}
}

// TestNobodyNamesThePlatform keeps "web" out of code that decides: one provider dispatches on the platform, and others
// name it by driver.WebPlatform. Another platform is then found at the places of the constant.
func TestNobodyNamesThePlatform(t *testing.T) {
	for _, s := range load(t) {
		own := slices.ContainsFunc(slices.Collect(maps.Keys(namesThePlatform)), func(p string) bool { return under(s.path, p) })
		if s.test() || s.generated() || own {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && (l.Value == `"web"` || l.Value == `"web/"`) {
				t.Errorf("%s: %s names a platform: use driver.WebPlatform", s.path, l.Value)
			}
			return true
		})
	}
}
