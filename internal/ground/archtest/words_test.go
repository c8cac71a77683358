package archtest

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// retired are words that the names of packages, types, functions, methods and fields no longer hold, with the word to
// use. A word that has an ordinary meaning beside the retired one, such as host or check, cannot be found by its name
// alone and is not listed.
var retired = map[string]string{
	"aside": "other frames", "beat": "health check", "books": "before", "claim": "lease, or criterion", "dense": "gapless",
	"dress": "run environment", "errand": "pending call", "eye": "visibility", "greens": "baselines", "meant": "resolve, nearest",
	"meet": "overlap, move into frame", "news": "subscriptions, added", "obey": "apply policy", "patience": "timeout", "peek": "read-only access",
	"prose": "descriptions, text", "pulse": "broadcast, health check", "seat": "client", "slot": "managed device, class",
	"spell": "encodings", "stray": "origin check", "sulk": "mark unresponsive", "thinker": "model", "told": "result, label",
	"trouble": "diagnostics", "undo": "decode", "unsaid": "unset", "whereabouts": "page state",
}

// retiredPackages are names of packages whose words are ordinary elsewhere.
var retiredPackages = map[string]string{
	"desk": "manage", "look": "inspect", "traffic": "network", "recall": "values", "check": "assert", "perform": "action", "locate": "locator",
	"door": "auth", "link": "daemon client", "house": "app", "stage": "app",
}

var partOfName = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// TestRetiredWords keeps one word for one thing: a name that holds a word that was retired fails.
func TestRetiredWords(t *testing.T) {
	for _, s := range load(t) {
		if s.test() || s.generated() {
			continue
		}
		report := func(name, word, use string) {
			t.Errorf("%s: %s holds the retired word %q; use: %s", s.path, name, word, use)
		}
		if use := retiredPackages[s.file.Name.Name]; use != "" {
			report("package "+s.file.Name.Name, s.file.Name.Name, use)
		}
		for _, id := range namesIn(s.file) {
			for _, part := range partOfName.FindAllString(id.Name, -1) {
				if word := strings.ToLower(part); retired[word] != "" {
					report(id.Name, word, retired[word])
				}
			}
		}
	}
}

// namesIn returns the names of a file's package, types, functions, methods, fields and package-level values.
func namesIn(f *ast.File) []*ast.Ident {
	out := []*ast.Ident{f.Name}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, spec.Name)
					out = append(out, members(spec.Type)...)
				case *ast.ValueSpec:
					out = append(out, spec.Names...)
				}
			}
		}
	}
	return out
}

// members returns the names of a type's fields and methods, also of the types written inside it.
func members(e ast.Expr) []*ast.Ident {
	var out []*ast.Ident
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			return false // its parameters are no members
		case *ast.Field:
			out = append(out, n.Names...)
		}
		return true
	})
	return out
}
