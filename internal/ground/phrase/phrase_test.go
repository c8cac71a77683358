package phrase

import (
	"strings"
	"testing"
)

func TestPhrases(t *testing.T) {
	for got, want := range map[string]string{
		Count(1, "step"): "1 step", Count(0, "step"): "0 steps",
		Clip("naïve", 5): "naïve", Clip("naïves", 5): "naïv…",
		FirstSentence("Click it.\nOr\nnot. No."): "Click it.", FirstSentence("v1.2 is here"): "v1.2 is here",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestDistance: a swap of neighbours is one edit, and a long word is far from every other.
func TestDistance(t *testing.T) {
	for pair, want := range map[[2]string]int{
		{"click", "click"}: 0, {"clcik", "click"}: 1, {"clik", "click"}: 1, {"", "abc"}: 3, {"kitten", "sitting"}: 3,
		{strings.Repeat("x", 65), "x"}: 64,
	} {
		if got := Distance(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d, want %d", pair, got, want)
		}
	}
}
