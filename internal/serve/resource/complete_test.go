package resource

import (
	"strings"
	"testing"
)

func TestCompletionsAreBounded(t *testing.T) {
	if got, total := completions(make([]string, 250), ""); len(got) != maxCompletions || total != 250 {
		t.Errorf("250 completions: %d values of %d", len(got), total)
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"trailblaze://sessions/a/blobs/b", "trailblaze://trails/../x", "trailblaze://trails/%2e%2e/x",
		"trailblaze://snapshot/web%2fx?a=%zz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		a, ok := parseAddress(uri)
		if !ok {
			return
		}
		for _, p := range a.parts {
			if p == "" || p == "." || p == ".." || strings.ContainsAny(p, "/\\\x00") {
				t.Errorf("%q gave the part %q", uri, p)
			}
		}
	})
}
