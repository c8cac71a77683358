package mask

import "slices"

// span is a stretch of bytes to hide.
type span struct{ from, to int }

// automaton finds all of many texts in one pass: that of Aho and Corasick. Its states are the beginnings of the
// texts, numbered by length, so that the continuations of one are adjacent. It is immutable.
type automaton struct {
	first []int32 // of each state: the first that goes on from it; the next one's first ends them
	label []byte  // by which byte a state goes on from the one before it
	fail  []int32 // the state of the longest end of it that is a beginning, too
	size  []int32 // of the text that a state is, 0 when it is none
	end   []int32 // the longest text that a state ends with, 0 when there is none
	root  [256]int32
}

// newAutomaton makes the automaton of sorted, different, non-empty texts; nil of none.
func newAutomaton(texts []string) *automaton {
	if len(texts) == 0 {
		return nil
	}
	type state struct{ lo, hi, depth, parent int32 } // the texts that begin so
	states := []state{{hi: int32(len(texts))}}
	a := &automaton{label: []byte{0}}
	for i := 0; i < len(states); i++ {
		s := states[i]
		a.first = append(a.first, int32(len(states)))
		size := int32(0)
		if int32(len(texts[s.lo])) == s.depth {
			size = s.depth
			s.lo++
		}
		a.size = append(a.size, size)
		for s.lo < s.hi {
			c, hi := texts[s.lo][s.depth], s.lo+1
			for hi < s.hi && texts[hi][s.depth] == c {
				hi++
			}
			states, a.label = append(states, state{s.lo, hi, s.depth + 1, int32(i)}), append(a.label, c)
			s.lo = hi
		}
	}
	a.first = append(a.first, int32(len(states)))
	for i := a.first[0]; i < a.first[1]; i++ {
		a.root[a.label[i]] = i
	}
	a.fail, a.end = make([]int32, len(states)), slices.Clone(a.size)
	for i := 1; i < len(states); i++ {
		if p := states[i].parent; p != 0 {
			a.fail[i] = a.next(a.fail[p], a.label[i])
		}
		if a.end[i] == 0 {
			a.end[i] = a.end[a.fail[i]]
		}
	}
	return a
}

// next is the state after one more byte.
func (a *automaton) next(state int32, c byte) int32 {
	for state != 0 {
		if to := a.child(state, c); to != 0 {
			return to
		}
		state = a.fail[state]
	}
	return a.root[c]
}

// child returns the state that continues state by a byte, 0 when none does.
func (a *automaton) child(state int32, c byte) int32 {
	lo, hi := a.first[state], a.first[state+1]
	for hi-lo > 8 {
		if mid := (lo + hi) / 2; a.label[mid] <= c {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if a.label[lo] == c {
			return lo
		}
	}
	return 0
}

// is reports whether a text is one of those that are looked for.
func (a *automaton) is(text string) bool {
	if a == nil {
		return false
	}
	state := int32(0)
	for i := range len(text) {
		if state = a.child(state, text[i]); state == 0 {
			return false
		}
	}
	return a.size[state] > 0
}

// plain returns the longest text that ends at each place.
func (a *automaton) plain(text string) (spans []span) {
	if a == nil {
		return nil
	}
	state := int32(0)
	for i := range len(text) {
		if state == 0 && a.root[text[i]] == 0 { // as of most letters
			continue
		}
		state = a.next(state, text[i])
		if n := int(a.end[state]); n > 0 {
			spans = append(spans, span{i + 1 - n, i + 1})
		}
	}
	return spans
}

// alone returns the places where a text is a word of its own.
func (a *automaton) alone(text string) (spans []span) {
	if a == nil {
		return nil
	}
	var past map[int32]int // where each text was last seen to end: it does not overlap itself
	state := int32(0)
	for i := range len(text) {
		state = a.next(state, text[i])
		for s := state; a.end[s] > 0; s = a.fail[s] {
			n := int(a.size[s])
			if n == 0 || past[s] > i+1-n {
				continue
			}
			if past == nil {
				past = map[int32]int{}
			}
			past[s] = i + 1
			if standsAlone(text, i+1-n, i+1) {
				spans = append(spans, span{i + 1 - n, i + 1})
			}
		}
	}
	return spans
}

// gapped returns the longest text that ends at each place, whatever gaps are between its characters.
func (a *automaton) gapped(text string) (spans []span) {
	if a == nil {
		return nil
	}
	var gaps []gapBefore // since the state was the first one: nothing that is found begins before them
	state, read, skipped, before := int32(0), 0, 0, 0
	for i := 0; i < len(text); {
		if c := text[i]; c <= ' ' || c >= 0x7f {
			if n := gapAt(text, i); n > 0 {
				i, skipped = i+n, skipped+n
				if state != 0 {
					gaps = append(gaps, gapBefore{read, skipped})
				}
				continue
			}
		}
		if state == 0 {
			gaps, before = gaps[:0], skipped
		}
		state = a.next(state, text[i])
		i, read = i+1, read+1
		if n := int(a.end[state]); n > 0 {
			spans = append(spans, span{read - n + skippedAt(gaps, read-n, before), i})
		}
	}
	return spans
}

// gapBefore counts the bytes of a text that were skipped before the byte with this number.
type gapBefore struct{ read, skipped int }

// skippedAt returns the number of bytes skipped before a byte, the last of the gaps before it counting.
func skippedAt(gaps []gapBefore, read, before int) int {
	i, _ := slices.BinarySearchFunc(gaps, read+1, func(g gapBefore, n int) int { return g.read - n })
	if i == 0 {
		return before
	}
	return gaps[i-1].skipped
}
