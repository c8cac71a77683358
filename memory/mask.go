package memory

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Masked is what stands in place of a secret.
const Masked = "••••••"

// shortSecret is the length below which a secret is masked only where it stands alone as a word: hiding every "1" of
// a text because somebody's floor number is a secret would destroy the text and hide nothing.
const shortSecret = 4

// masker finds all forms of all secrets in a text. It is immutable.
type masker struct {
	forms   []string // longest first
	words   []string // short ones, masked as whole words only
	gapless []string // without blanks, for texts that were taken apart within; long ones only
	pieces  []string // the same for texts of a screen, that stand beside each other
}

func newMasker(marks []mark) *masker {
	forms, words, dense, pieces := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range marks {
		for _, f := range spellings(m.value) {
			if utf8.RuneCountInString(f) < shortSecret {
				words[f] = true
			} else {
				forms[f] = true
			}
		}
		for _, f := range gapless(m.value) {
			if n := utf8.RuneCountInString(f); n >= longSecret {
				dense[f], pieces[f] = true, true
			} else if n >= shortSecret {
				pieces[f] = true
			}
		}
	}
	maps.DeleteFunc(forms, func(f string, _ bool) bool { return dense[f] }) // found without blanks, too
	k := &masker{}
	for to, from := range map[*[]string]map[string]bool{&k.forms: forms, &k.words: words, &k.gapless: dense,
		&k.pieces: pieces} {
		*to = sortedSet(from)
		slices.SortStableFunc(*to, func(a, b string) int { return len(b) - len(a) })
	}
	return k
}

// span is a stretch of bytes to hide.
type span struct{ from, to int }

// mask hides every form in text, also within what was encoded. Overlapping finds become one mask, so that no end of the
// longer one sticks out.
func (k *masker) mask(text string) string {
	if k == nil || text == "" {
		return text
	}
	spans := k.within(text)
	if len(spans) == 0 {
		return text
	}
	return hide(text, spans)
}

// find gives every place of every form as it is written, and of what was only taken apart by blanks.
func (k *masker) find(text string) []span {
	spans := findGapped(text, k.gapless)
	for _, f := range k.forms {
		for at := 0; ; {
			i := strings.Index(text[at:], f)
			if i < 0 {
				break
			}
			spans = append(spans, span{at + i, at + i + len(f)})
			at += i + 1
		}
	}
	for _, w := range k.words {
		for at := 0; ; {
			i := indexWord(text, w, at)
			if i < 0 {
				break
			}
			spans = append(spans, span{i, i + len(w)})
			at = i + len(w)
		}
	}
	return spans
}

func hide(text string, spans []span) string {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(text[done:from])
		b.WriteString(Masked)
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}

// contains is whether a secret's value stands in text, by the rule that mask hides it.
func contains(text, value string) bool {
	if utf8.RuneCountInString(value) < shortSecret {
		return indexWord(text, value, 0) >= 0
	}
	return strings.Contains(text, value)
}

// indexWord finds w in text from at on, where no letter or digit touches it.
func indexWord(text, w string, at int) int {
	for {
		i := strings.Index(text[at:], w)
		if i < 0 {
			return -1
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(w):])
		if !wordRune(before) && !wordRune(after) {
			return i
		}
		at = i + len(w)
	}
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// Mask replaces every occurrence of every secret in text, whatever it was encoded as on the way.
func (s *Store) Mask(text string) string {
	s.mu.RLock()
	k := s.masker
	s.mu.RUnlock()
	return k.mask(text)
}

// Finder tells which texts of a screen show a secret. It is a view of its moment, and immutable.
type Finder masker

// Finder returns the search for the secrets there are; nil while there are none.
func (s *Store) Finder() *Finder {
	s.mu.RLock()
	k := s.masker
	s.mu.RUnlock()
	if k == nil || len(k.forms)+len(k.words)+len(k.gapless) == 0 {
		return nil
	}
	return (*Finder)(k) // the same one until there are other secrets
}

// Shows says whether a text shows a secret, in whatever spelling.
func (f *Finder) Shows(text string) bool { return text != "" && len((*masker)(f).within(text)) > 0 }

// Apart says which of the texts, given as they follow each other, show a part of a secret that the page took apart,
// or all of it.
func (f *Finder) Apart(texts []string) []bool { return (*masker)(f).apart(texts) }

// MaskJSON masks the strings, keys and numbers of a JSON document and leaves all other bytes as they are. What is not
// JSON is masked as text and comes back as a JSON string.
func (s *Store) MaskJSON(raw json.RawMessage) json.RawMessage {
	s.mu.RLock()
	k := s.masker
	s.mu.RUnlock()
	if k == nil || len(raw) == 0 {
		return raw
	}
	out, err := maskJSON(k, raw)
	if err != nil {
		return json.RawMessage(quoteJSON(k.mask(string(raw))))
	}
	return out
}
