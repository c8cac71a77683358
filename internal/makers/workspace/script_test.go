package workspace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/makers/tools/tooltest"
	"github.com/trailblaze-dev/trailblaze/internal/makers/workspace"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// R4, R68, R169: a YAML tool may hold a script, and other YAML tools may call it. A mistake names file, line and column.
func TestScriptInYAML(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"sum.tool.yaml": `id: shop_total
description: Adds tax to a price.
parameters:
  - { name: price, type: integer, required: true, description: In cents }
script:
  source: |
    if (args.price < 0) throw new Error("no price");
    return { total: args.price * 2 };
`,
		"calls.tool.yaml": "id: shop_calls\ndescription: d\nparameters: []\ntools:\n  - shop_total: { price: 4 }\n",
		"wrong.tool.yaml": "id: shop_wrong\ndescription: d\nparameters: []\nscript:\n  source: |\n    return (;\n",
	} {
		name = filepath.Join(root, "trails", "config", "tools", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := workspace.Open(workspace.Options{Root: root, Makers: workspace.FileMakers()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	made, ok := s.Registry().Get("shop_total")
	if _, calls := s.Registry().Get("shop_calls"); !ok || !calls {
		t.Fatalf("tools are missing: %v", s.Problems())
	}
	spec := made.Spec()
	if spec.Origin != "trails/config/tools/sum.tool.yaml:1" || spec.Hash == "" || spec.Input().Properties["price"].Type != "integer" {
		t.Errorf("got %+v", spec)
	}
	env := tooltest.Env{Mem: memory.New()}
	res, err := made.Run(t.Context(), env, json.RawMessage(`{"price":4}`))
	if err != nil || string(res.Value) != `{"total":8}` {
		t.Errorf("got %v %v", res, err)
	}
	res, _ = made.Run(t.Context(), env, json.RawMessage(`{"price":-1}`))
	if !strings.Contains(res.Err().Error(), "sum.tool.yaml:7") {
		t.Errorf("the error names no place: %v", res.Err())
	}
	if p := s.Problems(); len(p) != 1 || !strings.HasPrefix(p[0].Error(), "trails/config/tools/wrong.tool.yaml:6:13: script.source: Unexpected") {
		t.Errorf("got %v", p)
	}
}
