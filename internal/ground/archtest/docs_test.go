package archtest

import (
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page is a document that people read: Markdown outside testdata, and not a text that goes to a model.
type page struct {
	path string // slash-separated, relative to the module root
	text string
}

// pages are the documents at the root, in docs and in bench.
func pages(t *testing.T) []page {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	var out []page
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		top, _, nested := strings.Cut(rel, "/")
		switch {
		case d.IsDir() && rel != "." && (top != "docs" && top != "bench" || strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir(), filepath.Ext(file) != ".md", nested && top != "docs" && top != "bench":
			return nil
		}
		text, err := os.ReadFile(file)
		out = append(out, page{rel, string(text)})
		return err
	})
	if err != nil {
		t.Fatalf("read documents: %v", err)
	}
	if len(out) < 10 {
		t.Fatalf("found only %d documents: the walk looks at the wrong folder", len(out))
	}
	return out
}

// exists is whether the tree has a file or folder of that name.
func exists(rel string) bool {
	_, err := os.Stat(filepath.Join("..", "..", "..", filepath.FromSlash(rel)))
	return err == nil
}

var (
	mdLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	mdFence   = regexp.MustCompile("(?ms)^```.*?^```")
	notInSlug = regexp.MustCompile(`[^\pL\pN _-]`)
)

// TestLinks: what a document links to is there, down to the heading.
func TestLinks(t *testing.T) {
	headings := map[string]map[string]bool{} // of a page, as they are linked to
	all := pages(t)
	for _, p := range all {
		headings[p.path] = map[string]bool{}
		for _, m := range mdHeading.FindAllStringSubmatch(mdFence.ReplaceAllString(p.text, ""), -1) {
			slug := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
			headings[p.path][slug] = true
		}
	}
	for _, p := range all {
		for _, m := range mdLink.FindAllStringSubmatch(mdFence.ReplaceAllString(p.text, ""), -1) {
			to, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue // elsewhere
			}
			target := p.path
			if to != "" {
				target = path.Join(path.Dir(p.path), to)
			}
			if !exists(target) {
				t.Errorf("%s links to %s, which is not there", p.path, m[1])
			} else if heading != "" && !headings[target][heading] {
				t.Errorf("%s links to %s: %s has no such heading", p.path, m[1], target)
			}
		}
	}
}

var (
	namedMake = regexp.MustCompile("(?m)(?:`|^)make ([a-z0-9-]+)")
	makeRule  = regexp.MustCompile(`(?m)^([a-z0-9-]+):`)
	namedPath = regexp.MustCompile("`(?:\\./)?((?:cmd|docs|driver|e2e|fault|internal|memory|screen|tool|trail)/[A-Za-z0-9_./-]+)`")
	namedTest = regexp.MustCompile(`go test (?:-[a-z]+(?:=\S+)? )*\./([a-z0-9/_]+)(?: .*?-run '?([A-Za-z0-9]+))?`)
	namedCode = regexp.MustCompile("`([a-z][a-z0-9]*)\\.([A-Z][A-Za-z0-9]*)")
)

// TestNamedThings: the make targets, folders, files, tests and Go names that a document tells of are there.
func TestNamedThings(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join("..", "..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, m := range makeRule.FindAllStringSubmatch(string(makefile), -1) {
		rules[m[1]] = true
	}
	names, tests := declared(load(t))
	for _, p := range pages(t) {
		for _, m := range namedMake.FindAllStringSubmatch(p.text, -1) {
			if !rules[m[1]] {
				t.Errorf("%s: the Makefile has no target %s", p.path, m[1])
			}
		}
		for _, m := range namedPath.FindAllStringSubmatch(p.text, -1) {
			if !exists(m[1]) {
				t.Errorf("%s names %s, which is not there", p.path, m[1])
			}
		}
		for _, m := range namedTest.FindAllStringSubmatch(p.text, -1) {
			if !exists(m[1]) || m[2] != "" && !strings.Contains(tests[m[1]], m[2]) {
				t.Errorf("%s: nothing runs with %q", p.path, m[0])
			}
		}
		for _, m := range namedCode.FindAllStringSubmatch(p.text, -1) {
			if own := names[m[1]]; own != nil && !own[m[2]] {
				t.Errorf("%s names %s.%s, which is not there", p.path, m[1], m[2])
			}
		}
	}
}

// declared are the names at the top of each package, by the package's name, and the names of the tests of each folder.
func declared(all []source) (names map[string]map[string]bool, tests map[string]string) {
	names, tests = map[string]map[string]bool{}, map[string]string{}
	for _, s := range all {
		pkg := s.file.Name.Name
		if names[pkg] == nil {
			names[pkg] = map[string]bool{}
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[pkg][d.Name.Name] = true
				if s.test() {
					tests[s.dir] += d.Name.Name + " "
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[pkg][spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, n := range spec.Names {
							names[pkg][n.Name] = true
						}
					}
				}
			}
		}
	}
	return names, tests
}

// The documents state what is decided for their readers; that the product does so is proven elsewhere or, where it is a rule
// for people, nowhere. R163, R245: the callback is JSON, and how it may change. R173, R268: which kind of tool to write. R187:
// what becomes of a tool that is replaced. R242, R243, R244: what is not provided. R262, R263: a server's own version.
func TestDocumentsStateDecisions(t *testing.T) {
	stated := map[string][]string{
		"docs/custom-tools.md": {
			"| you have | use |", "YAML, `tools:` |", "YAML, `class:` |", "YAML, `script:` |", "| TypeScript |", // R268
			"What takes more than one question about the screen to decide is no list any more",                                // R173
			"Version 1 of the callback stays as it is", "with no code to generate, no protobuf, and no second channel of MCP", // R245
			"What cannot be added becomes version 2", "The [typed API](api.md) is the way to protobuf", // R163
			"stays under its name for one release",                               // R187
			"we neither deploy nor test them",                                    // R243
			"Kotlin and other languages without an SDK of ours take the MCP SDK", // R242
			"There is nothing beyond these to learn",                             // R244
			"The types of `@trailblaze/scripting` are written by hand",           // R262
			"is upgraded by that dependency alone",                               // R263
		},
	}
	for _, p := range pages(t) {
		text := strings.Join(strings.Fields(p.text), " ")
		for _, want := range stated[p.path] {
			if !strings.Contains(text, want) {
				t.Errorf("%s no longer says %q", p.path, want)
			}
		}
		delete(stated, p.path)
	}
	for path := range stated {
		t.Errorf("there is no %s", path)
	}
}
