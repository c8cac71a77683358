package phrase

import "testing"

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
