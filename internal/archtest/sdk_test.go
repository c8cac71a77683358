package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sdkMost is how many lines of hand-written code the core of an SDK may have.
const sdkMost = 150

// sdkCores are the files of each SDK that drive a device, generated ones aside. What tests and servers of tools have
// beside it is not counted: the plug-in of pytest, client/test, client/server, and in Go define.go and the folders.
var sdkCores = []struct{ name, files, beside string }{
	{"Python", "sdk/python/src/trailblaze/*.py", "pytest_plugin.py"},
	{"TypeScript", "sdk/typescript/client/src/*.ts", "test.ts server.ts"},
	{"Go", "client/*.go", "define.go"},
}

var (
	notCode = []*regexp.Regexp{ // with what is left out before each line is looked at
		regexp.MustCompile(`(?ms)^\s*""".*?"""|/\*.*?\*/`), // texts that describe, in Python; comments in TypeScript
		regexp.MustCompile(`(?ms)^(import|from|export (type )?\*) ?[({].*?[)}].*?$|^import \(.*?^\)`),
		regexp.MustCompile(`(?m)^(import|from|package|export (type )?\*) .*$|^\s*(//|#).*$`),
	}
	counts = regexp.MustCompile(`(?m)^.*[^\s\[\](){}<>;,].*$`) // more than brackets that close
)

// TestSDKSize: the SDKs stay thin over what is generated. Lines of code are counted: no comments, imports, or lines of
// nothing but brackets. With -v it prints them.
func TestSDKSize(t *testing.T) {
	for _, sdk := range sdkCores {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(sdk.files)))
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
			for _, not := range notCode {
				text = not.ReplaceAllString(text, "")
			}
			n := len(counts.FindAllString(text, -1))
			t.Logf("%s: %d lines in %s", sdk.name, n, name)
			lines += n
		}
		if lines > sdkMost || lines < sdkMost/3 {
			t.Errorf("the SDK for %s has %d lines written by hand, want at most %d: let sdk/gen make what is mechanical",
				sdk.name, lines, sdkMost)
		}
	}
}
