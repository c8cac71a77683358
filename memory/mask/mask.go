// Package mask finds the values of secrets in texts, whatever they were encoded as on the way, and hides them. The
// memory of a session makes a Masker of its secrets; a device looks with it for texts that it must not show.
//
//	k := mask.New("hunter2")
//	k.Text("typed hunter2") // "typed ••••••"
package mask

import (
	"encoding/binary"
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

// Short reports whether a value is masked only where it is a word of its own.
func Short(value string) bool { return utf8.RuneCountInString(value) < shortSecret }

// Masker finds all forms of all secrets in a text, in one pass over it however many there are. It is immutable; a nil
// one finds nothing.
type Masker struct {
	forms   *automaton
	words   *automaton // short ones, masked as whole words only
	gapless *automaton // without blanks, for texts that were taken apart within; long ones only
	pieces  *automaton // the same for texts of a screen, that stand beside each other
}

// New returns the masker of these values.
func New(values ...string) *Masker {
	forms, words, dense, pieces := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, v := range values {
		for _, f := range spellings(v) {
			if Short(f) {
				words[f] = true
			} else {
				forms[f] = true
			}
		}
		for _, f := range gapless(v) {
			if n := utf8.RuneCountInString(f); n >= longSecret {
				dense[f], pieces[f] = true, true
			} else if n >= shortSecret {
				pieces[f] = true
			}
		}
	}
	maps.DeleteFunc(forms, func(f string, _ bool) bool { return dense[f] }) // found without blanks, too
	return &Masker{newAutomaton(sorted(forms)), newAutomaton(sorted(words)), newAutomaton(sorted(dense)),
		newAutomaton(sorted(pieces))}
}

// Text hides every form in a text, also within encoded parts. Overlapping finds become one mask, so that no end of the
// longer one sticks out.
func (k *Masker) Text(text string) string {
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
func (k *Masker) find(text string) []span {
	return append(append(k.gapless.gapped(text), k.forms.plain(text)...), k.words.alone(text)...)
}

// Shows reports whether a text shows a secret, in whatever spelling.
func (k *Masker) Shows(text string) bool { return k != nil && text != "" && len(k.within(text)) > 0 }

// Number reports whether a number is a secret: only as a whole, and only a long one, for bounds and times must stay
// numbers.
func (k *Masker) Number(literal string) bool {
	return k != nil && len(literal) >= longSecret && (k.forms.is(literal) || k.gapless.is(literal))
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

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

// Contains reports whether a text has a value, by the rule that a Masker hides it.
func Contains(text, value string) bool {
	if Short(value) {
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

// SplitSecrets reports which of the texts, given as they follow each other, show a part of a secret that the page
// took apart, or all of it.
func (k *Masker) SplitSecrets(texts []string) []bool {
	out := make([]bool, len(texts))
	spans := k.pieces.gapped(strings.Join(texts, ""))
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	from, shown, i := 0, 0, 0 // shown is how far the spans before reach
	for n, t := range texts {
		end := from + len(t)
		out[n] = from < end && from < shown
		for ; i < len(spans) && spans[i].from < end; i++ {
			out[n] = out[n] || from < end && spans[i].to > from
			shown = max(shown, spans[i].to)
		}
		from = end
	}
	return out
}

// spellings returns the ways a value shows up where undoing escapes (see undo.go) does not lead back to it: in forms,
// capitals, old charsets, headers and dumps.
func spellings(v string) []string {
	out := []string{v, strings.TrimSpace(v), strings.ReplaceAll(v, " ", "+"), latin1(v)}
	if !Short(v) {
		out = append(out, strings.ToUpper(v), strings.ToLower(v), wide(v))
	}
	if strings.ContainsAny(v, "\n\r") {
		for line := range strings.Lines(v) { // a log prints a key line by line
			if line = strings.TrimSpace(line); len(line) >= 8 {
				out = append(out, line)
			}
		}
	}
	if len(v) >= longSecret {
		low, big := utf16Bytes(v, binary.LittleEndian), utf16Bytes(v, binary.BigEndian)
		for _, b := range []string{v, latin1(v), low, big} {
			out = append(out, dumps(b)...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}
