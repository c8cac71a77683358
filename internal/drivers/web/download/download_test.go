package download

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSafeName proves that a server cannot choose where a file goes.
func TestSafeName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a.txt": "a.txt", "../../etc/passwd": "passwd", `..\..\win.ini`: "win.ini", "": "download", ".": "download",
		"..": "download", ".bashrc": "bashrc", "a\x00b:c": "a_b_c", "a/": "a",
	} {
		if got := safeName(in); got != want {
			t.Errorf("safeName(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzSafeName proves that no suggested name leads out of the download folder.
func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"a.txt", "../x", `..\x`, "", ".", "..", "/", "CON", "a\x00b", "…"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := safeName(s)
		if got == "" || strings.ContainsAny(got, `/\`) || filepath.Dir(filepath.Join("/d", got)) != "/d" {
			t.Errorf("safeName(%q) = %q", s, got)
		}
	})
}
