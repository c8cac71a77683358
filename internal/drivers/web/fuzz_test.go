package web

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// FuzzRoute proves that any pattern either is refused or matches what it says: itself, when it has no star.
func FuzzRoute(f *testing.F) {
	for _, s := range []string{"**", "https://a.test/*", "**/api/*?x=[1]", "a**b", "***", `\(`, ""} {
		f.Add(s, "https://a.test/x")
	}
	f.Fuzz(func(t *testing.T, pattern, url string) {
		r, err := compileRoute(driver.Route{Pattern: pattern})
		if err != nil {
			return
		}
		_ = r.wants("GET", url)
		if !strings.Contains(pattern, "*") && !strings.ContainsAny(pattern, "\n") && !r.wants("GET", pattern) && strings.ToValidUTF8(pattern, "") == pattern {
			t.Errorf("%q does not match itself", pattern)
		}
	})
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

// FuzzDigest proves that nothing about a capture's text can make reading it fail, and that a tree line is never missed.
func FuzzDigest(f *testing.F) {
	for _, s := range []string{"H\t2\t1\t1280\t800\n", "H\t2\t1\t5\nU\t3\tx\nF\t1\nQ\t0\t4\n", "", "\n\n", "H"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, tree := digest(s)
		_, rest, _ := strings.Cut(s, "\n")
		want := false
		for line := range strings.SplitSeq(rest, "\n") {
			want = want || line != "" && strings.IndexByte("FCQE", line[0]) < 0
		}
		if tree != want {
			t.Errorf("%q: tree %v", s, tree)
		}
	})
}
