package sight

import (
	"strings"
	"testing"
)

// FuzzDigest proves that nothing about a capture's text can make reading it fail, and that a tree
// line is never missed.
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
