package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyImports: esbuild loads the files of a tool side by side, and each is kept and counted once. The race detector
// sees what goes wrong in most runs only.
func TestManyImports(t *testing.T) {
	dir := t.TempDir()
	write := func(imports int) *os.Root {
		var tool strings.Builder
		for i := range imports {
			name := fmt.Sprintf("part%d.ts", i)
			if err := os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, "export const n = %d", i), 0o600); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&tool, "import { n as n%d } from './%s'; console.log(n%d)\n", i, strings.TrimSuffix(name, ".ts"), i)
		}
		if err := os.WriteFile(filepath.Join(dir, "tool.ts"), []byte(tool.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = root.Close() })
		return root
	}
	b, err := bundleFile(t.Context(), write(maxFiles-1), "tool.ts", nil)
	if err != nil || len(b.inputs) != maxFiles {
		t.Fatalf("%v, want %d files", err, maxFiles)
	}
	for name, data := range b.inputs {
		if len(data) == 0 {
			t.Errorf("%s is kept empty", name)
		}
	}
	if _, err := bundleFile(t.Context(), write(maxFiles), "tool.ts", nil); err == nil || !strings.Contains(err.Error(), "at most 200 files") {
		t.Errorf("one file more: %v", err)
	}
}
