package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var block = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// firstTools are the languages in which docs/custom-tools.md shows a first tool, with what it says of each; then is what it
// has everybody do at the end.
func firstTools(t *testing.T) (languages map[string]string, then string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "custom-tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## A first tool in five minutes\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	languages = map[string]string{}
	for _, part := range strings.Split(rest, "\n### ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		if title == "And then" {
			then = text
		} else {
			_, language, _ := strings.Cut(title, " ")
			languages[language] = text
		}
	}
	return languages, then
}

// R2, R268: the first tool in each language is made in an empty folder by what docs/custom-tools.md says, word for word: its files
// are saved, its commands typed, and the tool is recorded and replayed. Packages that a command would fetch are linked.
func TestExampleFirstTools(t *testing.T) {
	languages, then := firstTools(t)
	for _, language := range []string{"YAML", "TypeScript", "Python", "Go", "Node"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			s := newSitting(t)
			if err := os.RemoveAll(filepath.Join(s.work, "trails")); err != nil {
				t.Fatal(err)
			}
			for _, m := range block.FindAllStringSubmatch(languages[language]+then, -1) {
				if m[1] != "sh" {
					first, _, _ := strings.Cut(m[2], "\n")
					s.save(strings.TrimLeft(first, "#/ "), m[2])
					continue
				}
				for line := range strings.Lines(strings.ReplaceAll(m[2], "http://127.0.0.1:8080", s.shop)) {
					if !s.installs(line) {
						s.shell(strings.TrimSpace(line), 0)
					}
				}
			}
			if !strings.Contains(s.last, "1 passed") {
				t.Errorf("run: %s", s.last)
			}
			if saved := s.trailFile(); !strings.Contains(saved, "- shop_login:") && !strings.Contains(saved, "- acme_open:") {
				t.Errorf("saved\n%s", saved)
			}
		})
	}
}

// The other tools in docs/custom-tools.md load, and the test of a tool passes beside the tool that it is for.
func TestExampleSnippets(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node on PATH, and one of the tools runs on it")
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", "custom-tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := newSitting(t)
	const tools = "trails/config/tools/"
	s.save(tools+"shop_add.js", "export async function shop_add(args, ctx, client) { return args.a + (args.b ?? 0); }")
	loaded := 0
	for i, m := range block.FindAllStringSubmatch(string(page), -1) {
		name := ""
		switch lang, text := m[1], m[2]; {
		case strings.HasPrefix(text, "// "+tools), strings.HasPrefix(text, "# "+tools+"shop_add"):
			first, _, _ := strings.Cut(text, "\n")
			name = strings.TrimLeft(first, "#/ ")
		case lang == "ts" && strings.Contains(text, "scripting/testing"):
			name = tools + "shop_login.test.ts"
		case lang == "ts":
			name = fmt.Sprint(tools, "snippet", i, ".ts")
		case lang == "yaml" && strings.HasPrefix(text, "id: "):
			name = fmt.Sprint(tools, "snippet", i, ".tool.yaml")
		default:
			continue
		}
		s.save(name, m[2])
		loaded++
	}
	s.shell("trailblaze check --trust", 0)
	s.shell("trailblaze check --test --trust", 0)
	if loaded != 6 || !strings.Contains(s.last, "1 test, 0 failed") {
		t.Errorf("%d snippets: %s", loaded, s.last)
	}
}

// save writes a file of the workspace.
func (s *sitting) save(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.work, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// installs does what a line that fetches packages comes to, with those that are here. It says whether the line is one.
func (s *sitting) installs(line string) bool {
	s.t.Helper()
	switch name, _, _ := strings.Cut(line, " "); name {
	case "python3":
		s.link("acme-python", ".venv")
	case "npm":
		s.link("acme-typescript", "node_modules")
	case "go":
		s.buildInside("main.go", filepath.Join("bin", "acme-tools"))
	default:
		return false
	}
	return true
}

// link takes what was installed for an example.
func (s *sitting) link(example, name string) {
	s.t.Helper()
	from, err := filepath.Abs(filepath.Join("..", "examples", example, name))
	if err == nil {
		_, err = os.Stat(from)
	}
	switch {
	case err != nil && *withExamples:
		s.t.Fatalf("%v: `make examples` makes it", err)
	case err != nil:
		s.t.Skipf("%v: `make examples` makes it", err)
	}
	if err := os.Symlink(from, filepath.Join(s.work, name)); err != nil {
		s.t.Fatal(err)
	}
}

// buildInside builds a program of the workspace as if it stood in this module, which has the packages that it imports.
func (s *sitting) buildInside(file, program string) {
	s.t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		s.t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(root, "examples", "first", "main.go"): filepath.Join(s.work, file),
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.save("../overlay.json", string(overlay))
	cmd := exec.CommandContext(s.t.Context(), "go", "build", "-trimpath", "-overlay", filepath.Join(s.work, "..", "overlay.json"),
		"-o", filepath.Join(s.work, program), "./examples/first")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("build: %v\n%s", err, out)
	}
}
