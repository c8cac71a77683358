package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sdkCores are the files of each SDK, and how many lines of hand-written code they may have. Generated files and tests
// are not counted, nor what stands beside the client as a product of its own: the plug-in of pytest, the fixture for
// tests in TypeScript, and what serves tools (client/server; in Go define.go and the folders).
var sdkCores = []struct {
	name, files, beside string
	most                int
}{
	{"Python", "sdk/python/src/trailblaze/*.py", "pytest_plugin.py server.py", 200},
	{"TypeScript", "sdk/typescript/client/src/*.ts", "test.ts server.ts", 200},
	{"Go", "client/*.go", "define.go", 200},
}

var (
	comments = regexp.MustCompile(`(?ms)^\s*""".*?"""$|/\*.*?\*/|^\s*(//|#)[^\n]*$`) // texts that describe, in Python
	code     = regexp.MustCompile(`(?m)^.*\S.*$`)
)

// TestSDKSize: the SDKs stay thin over what is generated. Every line counts that is neither blank nor a comment. With -v
// it prints them.
func TestSDKSize(t *testing.T) {
	for _, sdk := range sdkCores {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(sdk.files)))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		lines := 0
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, text := filepath.Base(path), string(data)
			if first, _, _ := strings.Cut(text, "\n"); strings.Contains(first, "Code generated") ||
				strings.HasSuffix(name, "_test.go") || strings.Contains(" "+sdk.beside+" ", " "+name+" ") {
				continue
			}
			n := len(code.FindAllString(comments.ReplaceAllString(text, ""), -1))
			t.Logf("%s: %d lines in %s", sdk.name, n, name)
			lines += n
		}
		if lines > sdk.most || lines < sdk.most/3 {
			t.Errorf("the SDK for %s has %d lines written by hand, want at most %d: let sdk/gen make what is mechanical",
				sdk.name, lines, sdk.most)
		}
	}
}
