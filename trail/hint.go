package trail

import (
	"fmt"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// didYouMean names the word a slip of the finger was meant to be, or "".
func didYouMean(got string, words []string) string {
	best, at := "", max(1, len(got)/3)+1
	for _, w := range words {
		d := phrase.Distance(strings.ToLower(got), strings.ToLower(w))
		if d < at {
			best, at = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("Did you mean %q?", best)
}

// oneOf lists what would have been right.
func oneOf(words []string) string {
	switch len(words) {
	case 0:
		return "none"
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
