package mask

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowly is how masks were found before: every form on its own.
func slowly(texts []string, text string, one func(form string, at int) (span, bool), overlap bool) (spans []span) {
	for _, f := range texts {
		for at := 0; at <= len(text); {
			s, ok := one(f, at)
			if !ok {
				break
			}
			spans = append(spans, s)
			if at = s.from + 1; !overlap {
				at = s.to
			}
		}
	}
	return spans
}

// TestAutomaton proves that one pass masks what a search for each form by itself does.
func TestAutomaton(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func(letters string, most int) string {
		var b strings.Builder
		all := []rune(letters)
		for range 1 + rnd.IntN(most) {
			b.WriteRune(all[rnd.IntN(len(all))])
		}
		return b.String()
	}
	for range 20_000 {
		set := map[string]bool{}
		for range 1 + rnd.IntN(12) {
			set[word("abé€", 6)] = true
		}
		texts, text := sorted(set), word("abé€ \n\u200b", 60)
		a := newAutomaton(texts)
		for name, both := range map[string][2][]span{
			"plain": {a.plain(text), slowly(texts, text, func(f string, at int) (span, bool) {
				i := strings.Index(text[at:], f)
				return span{at + i, at + i + len(f)}, i >= 0
			}, true)},
			"alone": {a.alone(text), slowly(texts, text, func(f string, at int) (span, bool) {
				i := indexWord(text, f, at)
				return span{i, i + len(f)}, i >= 0
			}, false)},
			"gapped": {a.gapped(text), slowly(texts, text, func(f string, at int) (span, bool) {
				for ; at < len(text); at++ {
					here, left := at, f
					for left != "" && here < len(text) {
						n := gapAt(text, here)
						if n > 0 && left != f {
							here += n
							continue
						}
						if text[here] != left[0] {
							break
						}
						here, left = here+1, left[1:]
					}
					if left == "" {
						return span{at, here}, true
					}
				}
				return span{}, false
			}, true)},
		} {
			if got, want := hide(text, both[0]), hide(text, both[1]); got != want {
				t.Fatalf("%s: %q in %q: %q, want %q", name, texts, text, got, want)
			}
		}
		for _, f := range append(slices.Clone(texts), text) {
			if a.is(f) != set[f] {
				t.Fatalf("%q in %q: %v", f, texts, a.is(f))
			}
		}
	}
}
