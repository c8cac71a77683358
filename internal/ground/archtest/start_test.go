package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// TestPatternsAreLazy: every command initializes all packages, so a pattern of a package is compiled at its first use. Then
// only this test finds one that does not compile.
func TestPatternsAreLazy(t *testing.T) {
	checked := 0
	for _, s := range load(t) {
		if s.test() || under(s.dir, "sdk") || under(s.dir, "e2e") || under(s.dir, "internal/agent/llm/llmtest") {
			continue // not linked into the program
		}
		for _, d := range s.file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			ast.Inspect(g, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false // it runs later
				}
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				switch called(c) {
				case "regexp.MustCompile":
					t.Errorf("%s: a pattern is compiled when every command starts; use regex.Lazy", s.path)
				case "regex.Lazy":
					if p, ok := text(c.Args[0]); ok {
						if _, err := regexp.Compile(p); err != nil {
							t.Errorf("%s: %v", s.path, err)
						}
						checked++
					}
				}
				return true
			})
		}
	}
	if checked < 40 {
		t.Errorf("only %d patterns were compiled: the walk looks at the wrong calls", checked)
	}
}

// called is the name of a function of another package.
func called(c *ast.CallExpr) string {
	if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
		if pkg, ok := sel.X.(*ast.Ident); ok {
			return pkg.Name + "." + sel.Sel.Name
		}
	}
	return ""
}

// text is a string that is written as literals.
func text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, left := text(e.X)
		b, right := text(e.Y)
		return a + b, left && right
	}
	return "", false
}
