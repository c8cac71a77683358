package memory

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Masked replaces a secret.
const Masked = "••••••"

// shortSecret is the length below which a secret is masked only where it is a word of its own: hiding every "1" of
// a text because a floor number is a secret would destroy the text and hide nothing.
const shortSecret = 4

// masker finds all forms of all secrets in a text, in one pass over it however many there are. It is immutable.
type masker struct {
	forms   *automaton
	words   *automaton // short ones, masked as whole words only
	gapless *automaton // without blanks, for texts that were taken apart within; long ones only
	pieces  *automaton // the same for texts of a screen, that stand beside each other
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
	return &masker{newAutomaton(sortedSet(forms)), newAutomaton(sortedSet(words)), newAutomaton(sortedSet(dense)),
		newAutomaton(sortedSet(pieces))}
}

// span is a stretch of bytes to hide.
type span struct{ from, to int }

// mask hides every form in text, also within encoded parts. Overlapping finds become one mask, so that no end of the
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

// find returns the places of all forms as they are written, and of forms that are only split by blanks. Places
// within another place are left out.
func (k *masker) find(text string) []span {
	return append(append(k.gapless.gapped(text), k.forms.plain(text)...), k.words.alone(text)...)
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

// contains reports whether text has a secret's value, by the rule that mask hides it.
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
		if standsAlone(text, i, i+len(w)) {
			return i
		}
		at = i + len(w)
	}
}

func standsAlone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !wordRune(before) && !wordRune(after)
}

func wordRune(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// Mask replaces every occurrence of every secret in text, whatever it was encoded as on the way.
func (s *Store) Mask(text string) string {
	k := s.search()
	return k.mask(text)
}

// search returns the masker of the present secrets; nil while there are none. It is made on first use, so that
// adding a thousand secrets builds it once.
func (s *Store) search() *masker {
	s.mu.RLock()
	k, none := s.masker, len(s.marks) == 0
	s.mu.RUnlock()
	if none || k != nil {
		return k
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.masker == nil {
		s.masker = newMasker(s.marks)
	}
	return s.masker
}

// Finder finds the texts of a screen that show a secret. It is a view of its moment, and immutable.
type Finder masker

// Finder returns the search for the secrets there are; nil while there are none.
func (s *Store) Finder() *Finder {
	k := s.search()
	if k == nil {
		return nil
	}
	return (*Finder)(k) // the same one until there are other secrets
}

// Shows reports whether a text shows a secret, in whatever spelling.
func (f *Finder) Shows(text string) bool { return text != "" && len((*masker)(f).within(text)) > 0 }

// Apart reports which of the texts, given as they follow each other, show a part of a secret that the page took apart,
// or all of it.
func (f *Finder) Apart(texts []string) []bool { return (*masker)(f).apart(texts) }

// MaskJSON masks the strings, keys and numbers of a JSON document and leaves all other bytes as they are. Data that
// is not JSON is masked as text and comes back as a JSON string.
func (s *Store) MaskJSON(raw json.RawMessage) json.RawMessage {
	k := s.search()
	if k == nil || len(raw) == 0 {
		return raw
	}
	out, err := maskJSON(k, raw)
	if err != nil {
		return json.RawMessage(quoteJSON(k.mask(string(raw))))
	}
	return out
}
