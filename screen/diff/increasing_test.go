package diff

import (
	"testing"

	"pgregory.net/rapid"
)

func TestIncreasingIsLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}[:rapid.IntRange(0, 8).Draw(t, "n")]).Draw(t, "seq")
		longest := func() int { // the plain way
			best := 0
			for mask := range 1 << len(seq) {
				last, n := -1, 0
				for i, v := range seq {
					if mask>>i&1 == 1 {
						if v < last {
							n = -1
							break
						}
						last, n = v, n+1
					}
				}
				best = max(best, n)
			}
			return best
		}
		in, last, got := increasing(seq), -1, 0
		for i, v := range seq {
			if in[i] {
				if v < last {
					t.Fatalf("%v: %v does not increase", seq, in)
				}
				last, got = v, got+1
			}
		}
		if got != longest() {
			t.Fatalf("%v: %v has %d, possible are %d", seq, in, got, longest())
		}
	})
}
