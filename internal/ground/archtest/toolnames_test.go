package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools"
	"github.com/trailblaze-dev/trailblaze/internal/serve/manage"
)

// wordsOfTheirOwn are the packages in which a word such as "scroll" is not the name of a tool, with the reason.
var wordsOfTheirOwn = map[string]string{
	"internal/drivers":             "the actions of a device, in its errors",
	"phone":                        "the programs of Android's shell",
	"internal/serve/hub/hubtest":   "likewise",
	"internal/cli/setup/doctor.go": "the parts that doctor prints",
	"internal/cli/run":             "the flag --repeat",
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// TestNobodyNamesATool keeps facts about a tool in its Spec: outside of the packages that make tools no string of the
// product names one. Code that needs "the tool that takes a snapshot" asks the registry for the purpose. Examples in the
// help of a command are what a person types, and stay.
func TestNobodyNamesATool(t *testing.T) {
	builtin, managing, asking := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, tl := range tools.Builtin() {
		builtin[tl.Spec().Name] = true
	}
	for _, name := range tools.NeedsModel() {
		asking[name] = true
	}
	for _, tl := range manage.Tools(nil, manage.Options{}) {
		managing[tl.Spec().Name] = true
	}
	for _, s := range load(t) {
		// A team's own program names tools as a trail does.
		theirs := under(s.dir, "examples") || s.path == "e2e/housetest/toolserver.go"
		if s.test() || s.generated() || theirs || under(s.dir, "internal/makers/tools") && !under(s.dir, "internal/serve/manage") {
			continue
		}
		for _, text := range namingStrings(s.file) {
			for _, word := range identifier.FindAllString(text.value, -1) {
				ours := builtin[word] || asking[word] && s.dir != "internal/agent" || // which makes those
					managing[word] && !under(s.dir, "internal/serve/manage") // which makes those
				switch {
				case !ours:
				case strings.ToLower(word) != word || strings.Contains(word, "_"):
					t.Errorf("%s: %q names the tool %s: read its Spec, or ask for its purpose", s.path, text.value, word)
				case text.asName, builtin[word] && word == text.value && !ownWord(s.path):
					t.Errorf("%s: %q is the name of a tool: read its Spec, or ask for its purpose", s.path, text.value)
				}
			}
		}
	}
}

func ownWord(path string) bool {
	for p := range wordsOfTheirOwn {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// literal is a string of a file.
type literal struct {
	value  string
	asName bool // it is compared with, or given as, the name of a tool
}

func namingStrings(f *ast.File) []literal {
	var out []literal
	named := map[ast.Expr]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				n.Tag.Kind = token.ILLEGAL // a tag is no string of the program
			}
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			if ok && key.Name == "Example" {
				return false
			}
			named[n.Value] = ok && key.Name == "Tool"
		case *ast.BinaryExpr:
			named[n.Y] = isName(n.X)
		case *ast.SwitchStmt:
			for _, clause := range n.Body.List {
				if c, ok := clause.(*ast.CaseClause); ok && isName(n.Tag) {
					for _, e := range c.List {
						named[e] = true
					}
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				if value, err := strconv.Unquote(n.Value); err == nil {
					out = append(out, literal{value, named[n]})
				}
			}
		}
		return true
	})
	return out
}

// isName says whether an expression is the name in a call or a spec.
func isName(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Name" && sel.Sel.Name != "Tool" {
		return false
	}
	of := ""
	switch x := sel.X.(type) {
	case *ast.Ident:
		of = x.Name
	case *ast.SelectorExpr:
		of = x.Sel.Name
	}
	return sel.Sel.Name == "Tool" || of == "Call" || of == "c" || of == "s" || of == "spec"
}
