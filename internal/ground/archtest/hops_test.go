package archtest

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The most functions, packages and functions that only pass on which the road of a click may have. Lower one when the
// road is shorter.
const (
	hopsMost     = 40
	packagesMost = 13
	passOnMost   = 7
)

// hop is a row of the road of a click in ARCHITECTURE.md.
type hop struct {
	name, file string
	through    string // down: the expression that calls the next; back: the name of the caller
	as         string // back: the expression that calls the function, where it is a value; else ""
	work       string
}

func (h hop) passesOn() bool { return strings.HasPrefix(h.work, "passes on") }

// values are the names of functions that are values, such as the next handler of a middleware.
var values = []string{"next", "do", "run", "ask", "fn", "handler", "ServeHTTP", "Attend", "Receive", "Middleware"}

var hopRow = regexp.MustCompile("^\\| `([A-Za-z.]+)` \\| `([a-z0-9_/.]+)` \\| (?:`([A-Za-z0-9_.]+)`)?(?: as `([A-Za-z0-9_.]+)`)? ?\\| (.+) \\|$")

// hops are the rows below a heading.
func hops(t *testing.T, text, heading string) (out []hop) {
	t.Helper()
	_, text, found := strings.Cut(text, "\n### "+heading+"\n")
	if !found {
		t.Fatalf("ARCHITECTURE.md has no heading %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n#")
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "| `") {
			continue
		}
		m := hopRow.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("this is no row of a hop: %s", line)
			continue
		}
		out = append(out, hop{m[1], m[2], m[3], m[4], m[5]})
	}
	return out
}

// TestHops: each function on the road of a click is in the file that is named and calls the next, the text above the
// tables tells their length, and the road grows no longer.
func TestHops(t *testing.T) {
	var text string
	for _, p := range pages(t) {
		if p.path == "ARCHITECTURE.md" {
			text = p.text
		}
	}
	down, back := hops(t, text, "Down to the device"), hops(t, text, "Back to the model")
	funcs := map[string]*ast.FuncDecl{} // by file and name
	for _, s := range load(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && !s.test() {
				funcs[s.path+" "+funcName(f)] = f
			}
		}
	}
	for i, h := range down {
		f := funcs[h.file+" "+h.name]
		if f == nil {
			t.Errorf("%s has no function %s", h.file, h.name)
			continue
		}
		if i == len(down)-1 {
			continue
		}
		if !slices.Contains(callsIn(f), h.through) {
			t.Errorf("%s of %s does not call %s", h.name, h.file, h.through)
		}
		if by := lastName(h.through); by != lastName(down[i+1].name) && !slices.Contains(values, by) {
			t.Errorf("%s of %s calls %s, and %s follows", h.name, h.file, h.through, down[i+1].name)
		}
	}
	all := slices.Concat(down, back)
	for _, h := range back {
		i := slices.IndexFunc(all, func(by hop) bool { return by.name == h.through })
		switch {
		case funcs[h.file+" "+h.name] == nil:
			t.Errorf("%s has no function %s", h.file, h.name)
		case i < 0:
			t.Errorf("%s is called by %s, which is not on the road", h.name, h.through)
		case !slices.ContainsFunc(callsIn(funcs[all[i].file+" "+all[i].name]), func(c string) bool {
			return c == h.as || h.as == "" && lastName(c) == lastName(h.name)
		}):
			t.Errorf("%s of %s does not call %s", all[i].name, all[i].file, h.name)
		}
	}
	packages, passOn := map[string]bool{}, 0
	for i, h := range all {
		packages[pathDir(h.file)] = true
		if h.passesOn() {
			passOn++
		} else if f := funcs[h.file+" "+h.name]; f != nil && i < len(down) && statements(f) <= 2 {
			t.Errorf("%s of %s has two statements and is not said to pass on", h.name, h.file)
		}
	}
	told := strconv.Itoa(len(all)) + " functions in " + strconv.Itoa(len(packages)) + " packages, of which " +
		strconv.Itoa(passOn) + " only pass it on"
	if !strings.Contains(strings.Join(strings.Fields(text), " "), told) {
		t.Errorf("ARCHITECTURE.md does not say %q", told)
	}
	if len(all) > hopsMost || len(packages) > packagesMost || passOn > passOnMost {
		t.Errorf("%s: the limits are %d, %d and %d", told, hopsMost, packagesMost, passOnMost)
	}
}

// funcName is Type.Name for a method.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	switch g := of.(type) {
	case *ast.IndexExpr:
		of = g.X
	case *ast.IndexListExpr:
		of = g.X
	}
	return types.ExprString(of) + "." + f.Name.Name
}

// callsIn are the functions that a function calls, as it writes them.
func callsIn(f *ast.FuncDecl) (out []string) {
	if f == nil {
		return nil
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			out = append(out, types.ExprString(c.Fun))
		}
		return true
	})
	return out
}

// statements counts the statements of a function.
func statements(f *ast.FuncDecl) (n int) {
	ast.Inspect(f.Body, func(x ast.Node) bool {
		switch x.(type) {
		case *ast.BlockStmt:
		case ast.Stmt:
			n++
		}
		return true
	})
	return n
}

func lastName(expr string) string { return expr[strings.LastIndexByte(expr, '.')+1:] }
