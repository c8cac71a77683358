package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/demo"
)

// copyTree copies the files of a folder.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// The example of YAML tools does what its README says, on the shop that it is written for.
func TestExampleYAMLTools(t *testing.T) {
	if !*withExamples {
		t.Skip("make examples runs this")
	}
	t.Parallel()
	s := newSitting(t)
	if err := os.RemoveAll(filepath.Join(s.work, "trails")); err != nil {
		t.Fatal(err)
	}
	copyTree(t, filepath.Join("..", "examples", "yaml-tools"), s.work)
	s.shell("trailblaze check trails", 0)
	s.shell("trailblaze run trails --repeat 2 --base-url "+s.shop+" --secret password="+demo.Password, 0)
	if !strings.Contains(s.last, "6 passed") {
		t.Errorf("run: %s", s.last)
	}
	example, err := os.ReadFile(filepath.Join(s.work, "trails", "config", "tools", "shop_emptyCart.tool.yaml"))
	page, also := os.ReadFile(filepath.Join("..", "docs", "custom-tools.md"))
	if err != nil || also != nil || !strings.Contains(string(page), "```yaml\n"+string(example)+"```") {
		t.Errorf("docs/custom-tools.md does not show this example: %v, %v", err, also)
	}
}

// R183, R186, R188: an agent writes a tool, checks it on the live device and calls it, without anything being started anew; what
// it did is saved as one call, and replays.
func TestAuthoredTool(t *testing.T) {
	t.Parallel()
	s := newSitting(t)
	const bad = "id: shop_open\ndescription: Opens a product.\nparameters: []\ntools:\n  - web_navigat: {}\n"
	content := "id: shop_open\ndescription: Opens a product.\nparameters:\n  - { name: product, type: string }\ntools:\n" +
		"  - web_navigate: { url: \"" + s.shop + "/\" }\n" +
		"  - web_click: { ref: 'link \"{{product}}\"' }\n" +
		"  - web_verifyTextVisible: { text: Quantity }\n"
	s.refused("createTool", map[string]any{"name": "shop_open", "content": bad},
		`trails/config/tools/shop_open.tool.yaml:5:5: tools[0].web_navigat: there is no tool "web_navigat" (Did you mean web_navigate`)
	if left, err := os.ReadDir(filepath.Join(s.work, "trails", "config", "tools")); err != nil || len(left) > 0 {
		t.Fatalf("a tool with a mistake was kept: %v, %v", left, err)
	}
	s.refused("createTool", map[string]any{"name": "../x", "content": content}, "name")
	s.refused("createTool", map[string]any{"name": "shop_x", "kind": "TS", "content": "export const x = 1;"}, "a module for other files")
	s.agent("createTool", map[string]any{"name": "shop_open", "content": content})
	if !strings.Contains(s.last, "makes shop_open (action) with the parameters product") {
		t.Errorf("createTool: %s", s.last)
	}
	s.refused("createTool", map[string]any{"name": "shop_open", "content": content}, "exists")
	s.agent("checkTool", map[string]any{"name": "shop_open", "args": map[string]any{"product": "Cirrus Tarp"}})
	list, err := s.mcp.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tl := range list.Tools {
		names = append(names, tl.Name)
	}
	if !slices.Contains(names, "shop_open") || slices.Contains(names, "batch") {
		t.Errorf("listed: %q", names)
	}
	s.agent("session", map[string]any{"action": "START", "title": "Look at a mug"})
	s.agent("shop_open", map[string]any{"product": "Cedar Mug", "intent": "Look at the mug"})
	s.agent("session", map[string]any{"action": "SAVE", "title": "Look at a mug"})
	saved := s.trailFile()
	if !strings.Contains(saved, "- shop_open:\n") || strings.Contains(saved, "web_click") || !strings.Contains(saved, "toolHash: ") {
		t.Fatalf("saved\n%s", saved)
	}
	s.shell("trailblaze run trails --repeat 5 --jobs 2 --no-report", 0)
	if !strings.Contains(s.last, "5 passed") {
		t.Errorf("run: %s", s.last)
	}
	s.agent("createTool", map[string]any{"name": "shop_open", "content": content + "# changed\n", "overwrite": true})
	s.shell("trailblaze check trails", 0)
	if !strings.Contains(s.last, "shop_open has changed since this was recorded (trails/config/tools/shop_open.tool.yaml:1)") {
		t.Errorf("check: %s", s.last)
	}
	s.shell("trailblaze run trails --no-report", 0)
	if !strings.Contains(s.last, "shop_open has changed since this was recorded") {
		t.Errorf("run: %s", s.last)
	}
}

// refused has an agent make a call that is refused with these words.
func (s *sitting) refused(name string, args map[string]any, want string) {
	s.t.Helper()
	if s.mcp == nil {
		s.agent("addToolCategory", map[string]any{"category": "AUTHORING"})
	}
	text, isError := s.call(name, args)
	if !isError || !strings.Contains(text, want) {
		s.t.Errorf("%s: %s\nwant %s", name, text, want)
	}
}

// trailFile is the text of the only trail in the workspace.
func (s *sitting) trailFile() string {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.work, "trails", "*.trail.yaml"))
	if err != nil || len(found) != 1 {
		s.t.Fatalf("trails: %q, %v", found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// A form is one turn of a model: one call, answered with what each did and one view of what changed.
func TestBatchOverMCP(t *testing.T) {
	s := newSitting(t)
	s.agent("web_navigate", map[string]any{"url": s.shop + "/account"})
	s.agent("addToolCategory", map[string]any{"category": "BATCH"})
	s.agent("batch", map[string]any{"calls": []any{
		map[string]any{"tool": "web_type", "args": map[string]any{"ref": `textbox "Email"`, "text": demo.Email}},
		map[string]any{"tool": "web_type", "args": map[string]any{"ref": `textbox "Password"`, "text": demo.Password}},
		map[string]any{"tool": "web_click", "args": map[string]any{"ref": `button "Sign in"`}},
	}})
	for _, want := range []string{`"Email"`, `"Sign in"`, "Good to see you, Robin"} {
		if !strings.Contains(s.last, want) {
			t.Errorf("the answer lacks %s:\n%s", want, s.last)
		}
	}
	if n := strings.Count(s.last, "What changed"); n != 1 {
		t.Errorf("what changed is told %d times:\n%s", n, s.last)
	}
}
