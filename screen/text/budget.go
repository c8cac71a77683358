package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Tokens estimates how many tokens a model counts for s: four bytes each, rounded up.
func Tokens(s string) int { return (len(s) + 3) / 4 }

// fit writes the lines, leaving out as many as the budget asks for: the lowest ranked first, from the end, and never a
// line whose place would then be unclear without its parents.
func (w *writer) fit() string {
	head, tail := w.head(false), w.tail(false)
	if limit := 4 * w.o.MaxTokens; limit > 0 && size(head)+size(tail) > limit/3 &&
		size(head)+size(tail)+w.size(w.wanted()) > limit {
		head, tail = w.head(true), w.tail(true)
	}
	return w.fitBetween(head, tail)
}

func (w *writer) fitBetween(head, tail []string) string {
	keep := w.wanted()
	limit := 4 * w.o.MaxTokens
	if limit > 0 {
		w.prune(keep, limit-size(head)-size(tail))
	}
	return cutBytes(w.render(head, keep, tail), limit)
}

// cutBytes is the last resort of a budget that is too small even for the frame. No limit is 0.
func cutBytes(s string, limit int) string {
	if limit > 0 && len(s) > limit {
		return strings.ToValidUTF8(s[:limit], "")
	}
	return s
}

func size(lines []string) int {
	n := 0
	for _, l := range lines {
		n += len(l) + 1
	}
	return n
}

func (w *writer) size(keep []bool) int {
	n := 0
	for i, k := range keep {
		if k {
			n += w.cost(i)
		}
	}
	return n
}

// wanted marks the lines of the view; with a search, the matches and the path to them.
func (w *writer) wanted() []bool {
	keep := make([]bool, len(w.lines))
	for i, l := range w.lines {
		if l.rank < 0 {
			continue
		}
		for k := i; k >= 0 && !keep[k]; k = w.lines[k].up {
			keep[k] = true
		}
	}
	return keep
}

// prune takes lines away until the rest fits into room, the line that says so included.
func (w *writer) prune(keep []bool, room int) {
	total := w.size(keep)
	if total <= room {
		return
	}
	room -= len(w.missing(len(keep)))
	var order []int
	needed := make([]int, len(keep)) // how many kept lines stand directly under a line
	for i, k := range keep {
		if !k {
			continue
		}
		order = append(order, i)
		if up := w.lines[i].up; up >= 0 {
			needed[up]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(w.lines[a].rank-w.lines[b].rank, b-a) })
	drop := func(i int) {
		for i >= 0 && keep[i] && needed[i] == 0 && total > room {
			keep[i] = false
			total -= w.cost(i)
			up := w.lines[i].up
			if up < 0 {
				return
			}
			needed[up]--
			if w.lines[up].rank > w.lines[i].rank { // its own turn comes later
				return
			}
			i = up
		}
	}
	for changed := true; changed && total > room; {
		before := total
		for _, i := range order {
			drop(i)
		}
		changed = total != before
	}
}

func (w *writer) cost(i int) int { return len(w.lines[i].body) + w.lines[i].depth + 1 }

// missing returns how many lines a budget left out, and the way to them.
func (w *writer) missing(n int) string {
	return fmt.Sprintf("(%s left out to stay within %d tokens: %s)\n", phrase.Count(n, "line"), w.o.MaxTokens, w.more)
}

// render writes the frame and the lines that are kept.
func (w *writer) render(head []string, keep []bool, tail []string) string {
	var b strings.Builder
	for _, l := range head {
		b.WriteString(l + "\n")
	}
	lost, any := 0, false
	for i, k := range keep {
		switch {
		case k:
			any = true
			for range w.lines[i].depth {
				b.WriteByte(' ')
			}
			b.WriteString(w.lines[i].body)
			b.WriteByte('\n')
		case w.lines[i].rank >= 0:
			lost++
		}
	}
	if w.o.Find != "" && !any && lost == 0 {
		fmt.Fprintf(&b, "(nothing in this view matches %s)\n", words.Quote(w.o.Find, 80))
	}
	for _, l := range tail {
		b.WriteString(l + "\n")
	}
	if lost > 0 {
		b.WriteString(w.missing(lost))
	}
	return b.String()
}
