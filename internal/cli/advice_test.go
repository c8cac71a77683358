package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
)

// named is a command line in a message: the program and the words that may name commands.
var named = regexp.MustCompile(`\btrailblaze((?: [a-z][a-z-]*)+)`)

// TestAdviceNamesCommands: the commands that messages and documents tell people to type are there.
func TestAdviceNamesCommands(t *testing.T) {
	root := newRoot(&shell.Shell{})
	lines := 0
	check := func(where, text string) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			lines++
			if wrong := astray(root, strings.Fields(m[1])); wrong != "" {
				t.Errorf("%s: %q: %s", where, m[0], wrong)
			}
		}
	}
	walk(t, "..", ".go", func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, is := n.(*ast.BasicLit); is && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				check(path, text)
			}
			return true
		})
	})
	span := regexp.MustCompile("`trailblaze [^`\n]*`")
	for _, dir := range []string{"../../docs", "../../examples"} {
		walk(t, dir, ".md", func(path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range span.FindAllString(string(text), -1) {
				check(path, s)
			}
		})
	}
	if lines < 100 {
		t.Errorf("only %d commands were found in messages and documents", lines)
	}
}

// astray says which word is no command, when the word before it is nothing but the name of a group of commands.
func astray(root *cobra.Command, words []string) string {
	at := root
	for _, w := range words {
		next, _, err := at.Find([]string{w})
		switch {
		case err == nil && next != at:
			at = next
		case at != root && at.HasSubCommands():
			return strconv.Quote(w) + " is not a command of " + at.CommandPath()
		default: // prose, or an argument
			return ""
		}
	}
	return ""
}

func walk(t *testing.T, dir, ext string, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata" || e.Name() == ".venv") {
			return filepath.SkipDir
		}
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ext) {
			visit(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyTheNamedCommand: a command line that names a command makes that one alone, under the name it is listed by.
func TestOnlyTheNamedCommand(t *testing.T) {
	for _, c := range commands() {
		made := newRoot(&shell.Shell{}, "--json", c.name, "report").Commands()
		if len(made) != 1 || made[0].Name() != c.name {
			t.Errorf("%s: made %v", c.name, made)
		}
	}
	for _, line := range [][]string{nil, {"--help"}, {"vresion"}, {"--", "version"}, {"__complete", "v"}} {
		if made := newRoot(&shell.Shell{}, line...).Commands(); len(made) != len(commands()) {
			t.Errorf("%q: %d commands, want all %d", line, len(made), len(commands()))
		}
	}
}
