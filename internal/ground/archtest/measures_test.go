package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of the measures. Lower one when the tree is below it; raising one needs a reason.
const (
	backShare     = 10  // per cent of the references between the files of a package that may run back
	backFew       = 3   // that may in any package
	methodsMost   = 40  // of a type; what it embeds has methods of its own
	manyCount     = 2   // types with more methods
	exportedMost  = 60  // names that a package exports; methods, fields and the values of an enumeration aside
	shortCount    = 56  // files of the product below 50 lines, the comments of packages (doc.go) aside
	columns       = 120 // of a line, a tab being one; tags of struct fields, which cannot be broken, are counted apart
	wideLineCount = 0   // lines of the product above columns
	testColumns   = 160 // of a line of a test, which may hold a row of a table
)

// TestMeasures measures the house and holds it to the limits above. With -v it prints the figures.
func TestMeasures(t *testing.T) {
	var product, tests, short, docs, wide, wideTags, wideTests int
	exported, methods := map[string]map[string]bool{}, map[string]int{}
	for _, s := range load(t) {
		n := bytes.Count(s.text, []byte("\n"))
		if s.test() {
			tests += n
			for i := range wideLines(s, testColumns) {
				wideTests++
				t.Errorf("%s:%d is over %d columns", s.path, i, testColumns)
			}
			continue
		}
		product += n
		switch {
		case n < 50 && path.Base(s.path) == "doc.go":
			docs++
		case n < 50 && !s.generated():
			short++
		}
		if s.generated() {
			continue
		}
		for i, line := range wideLines(s, columns) {
			if bytes.Contains(line, []byte("`json:")) {
				wideTags++
				continue
			}
			wide++
			if testing.Verbose() {
				t.Logf("wide: %s:%d", s.path, i)
			}
		}
		if exported[s.dir] == nil {
			exported[s.dir] = map[string]bool{}
		}
		for _, name := range exports(s.file) {
			exported[s.dir][name] = true
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				of, _, _ := strings.Cut(funcName(f), ".")
				methods[s.dir+"."+of]++
			}
		}
	}
	t.Logf("lines of Go: %d, tests: %d; files below 50 lines: %d and %d doc.go", product, tests, short, docs)
	if short > shortCount {
		t.Errorf("%d files are below 50 lines, the limit is %d: does a reader look for them elsewhere?", short, shortCount)
	}
	for _, dir := range slices.Sorted(maps.Keys(exported)) {
		switch n := len(exported[dir]); {
		case n > exportedMost:
			t.Errorf("%s exports %d names, the limit is %d", dir, n, exportedMost)
		case n > exportedMost*2/3:
			t.Logf("%s exports %d names", dir, n)
		}
	}
	maps.DeleteFunc(methods, func(_ string, n int) bool { return n <= methodsMost })
	t.Logf("types of more than %d methods: %v", methodsMost, methods)
	if len(methods) > manyCount {
		t.Errorf("%d types have more than %d methods, the limit is %d: %v", len(methods), methodsMost, manyCount, methods)
	}
	t.Logf("lines over %d columns: %d, tags: %d; over %d in tests: %d", columns, wide, wideTags, testColumns, wideTests)
	if wide > wideLineCount {
		t.Errorf("%d lines are over %d columns, the limit is %d; -v lists them", wide, columns, wideLineCount)
	}
}

// wideLines returns the lines above columns by their number.
func wideLines(s source, columns int) map[int][]byte {
	out := map[int][]byte{}
	i := 0
	for line := range bytes.Lines(s.text) {
		if i++; utf8.RuneCount(bytes.TrimRight(line, "\n")) > columns {
			out[i] = line
		}
	}
	return out
}

// exports are the names at the top of a file that other packages can use. The values of an enumeration are listed under
// its type by go doc, and are left out.
func exports(f *ast.File) []string {
	values := map[*ast.Ident]bool{}
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		typed := false
		for _, spec := range d.Specs {
			v := spec.(*ast.ValueSpec)
			if typed = v.Type != nil || typed && v.Values == nil; typed {
				for _, id := range v.Names {
					values[id] = true
				}
			}
		}
	}
	var out []string
	for _, id := range topNames(f) {
		if id.IsExported() && !values[id] {
			out = append(out, id.Name)
		}
	}
	return out
}

// topNames are the functions, types and values at the top of a file.
func topNames(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, spec.Name)
				case *ast.ValueSpec:
					out = append(out, spec.Names...)
				}
			}
		}
	}
	return out
}

// TestBackReferences counts how the files of a package lean on each other. A reference runs back when it goes against
// the order of the files that leaves the fewest such; a package without one reads from top to bottom. Methods count
// where one type alone of the package has one of that name, and no field has it. At most one reference in ten runs
// back; a small package may have a few.
func TestBackReferences(t *testing.T) {
	files := map[string][]source{}
	for _, s := range load(t) {
		if !s.test() && !s.generated() {
			files[s.dir] = append(files[s.dir], s)
		}
	}
	sum, sumBack := 0, 0
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		refs := references(files[dir])
		all, back := total(refs), backward(refs)
		sum, sumBack = sum+all, sumBack+back
		if back > backFew {
			t.Logf("%s: %d of %d references between its files run back", dir, back, all)
		}
		if back > max(backFew, all*backShare/100) {
			t.Errorf("%s: %d of %d references between its files run back, the limit is %d %%: move what many files "+
				"use to the file that uses the fewest others", dir, back, all, backShare)
		}
	}
	t.Logf("%d of %d references between files of one package run back", sumBack, sum)
}

// TestReferences: a method is counted, but not where a field may be meant.
func TestReferences(t *testing.T) {
	var files []source
	for path, text := range map[string]string{
		"a.go": "package p\ntype a struct{ closed bool }\nfunc (a) Close() {}\nfunc (b) closed() {}\ntype b struct{}",
		"b.go": "package p\nfunc use(x a) bool { x.Close(); return x.closed }",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, source{path: path, file: f})
	}
	if refs := references(files); len(refs) != 1 || refs[reference{"b.go", "a.go"}] != 2 { // its type and its method
		t.Errorf("references %v", refs)
	}
}

// reference is from a file to a file.
type reference [2]string

// references counts how often a file uses what another file of its package declares.
func references(files []source) map[reference]int {
	home := map[string]string{} // the file of a name; a method's begins with a dot, and is "" when two types have it
	for _, s := range files {
		for _, id := range topNames(s.file) {
			home[id.Name] = s.path
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				name := "." + f.Name.Name
				if _, twice := home[name]; twice {
					home[name] = ""
				} else {
					home[name] = s.path
				}
			}
		}
	}
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if fields, ok := n.(*ast.StructType); ok {
				for _, f := range fields.Fields.List {
					for _, id := range f.Names {
						home["."+id.Name] = "" // x.name may be the field's
					}
				}
			}
			return true
		})
	}
	out := map[reference]int{}
	for _, s := range files {
		use := func(name string) {
			if to := home[name]; to != "" && to != s.path {
				out[reference{s.path, to}]++
			}
		}
		imported := importNames(s.file)
		for _, id := range s.file.Unresolved { // of this file, so of another
			use(id.Name)
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Obj != nil || !imported[x.Name] { // else it is another package's
				use("." + sel.Sel.Name)
			}
			return true
		})
	}
	return out
}

// importNames are the names under which a file knows other packages.
func importNames(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, spec := range f.Imports {
		if spec.Name != nil {
			names[spec.Name.Name] = true
		} else {
			names[path.Base(strings.Trim(spec.Path.Value, `"`))] = true
		}
	}
	return names
}

func total(refs map[reference]int) int {
	n := 0
	for _, count := range refs {
		n += count
	}
	return n
}

// backward orders the files so that few references run back, and counts those.
func backward(refs map[reference]int) int {
	seen := map[string]bool{}
	for r := range refs {
		seen[r[0]], seen[r[1]] = true, true
	}
	order := slices.Sorted(maps.Keys(seen))
	other := slices.Clone(order)
	slices.Reverse(other)
	return min(backwardFrom(order, refs), backwardFrom(other, refs))
}

// backwardFrom moves each file to the place where it helps most, until none does.
func backwardFrom(order []string, refs map[reference]int) int {
	for moved := true; moved; {
		moved = false
		for _, f := range slices.Clone(order) {
			at := slices.Index(order, f)
			rest := slices.Delete(slices.Clone(order), at, at+1)
			best, bestGain, gain := at, 0, 0
			for i := at - 1; i >= 0; i-- { // f goes before rest[i]
				if gain += refs[reference{f, rest[i]}] - refs[reference{rest[i], f}]; gain > bestGain {
					best, bestGain = i, gain
				}
			}
			gain = 0
			for i := at; i < len(rest); i++ { // f goes behind rest[i]
				if gain += refs[reference{rest[i], f}] - refs[reference{f, rest[i]}]; gain > bestGain {
					best, bestGain = i+1, gain
				}
			}
			if bestGain > 0 {
				order, moved = slices.Insert(rest, best, f), true
			}
		}
	}
	place := map[string]int{}
	for i, f := range order {
		place[f] = i
	}
	back := 0
	for r, n := range refs {
		if place[r[0]] > place[r[1]] {
			back += n
		}
	}
	return back
}
