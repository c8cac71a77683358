package screen

import (
	"fmt"
	"slices"
	"strings"
)

// Tokens estimates how many tokens a model counts for s: four bytes each, rounded up.
func Tokens(s string) int { return (len(s) + 3) / 4 }

// fit writes the lines, leaving out as many as the budget asks for: the lowest ranked first, from the end, and never a
// line whose place would then be unclear without its parents.
func (w *textWriter) fit() string {
	keep := w.wanted()
	if w.o.MaxTokens > 0 {
		w.prune(keep)
	}
	out := w.render(keep, w.missing(keep))
	if limit := 4 * w.o.MaxTokens; limit > 0 && len(out) > limit { // even the frame is too long for so small a budget
		out = strings.ToValidUTF8(out[:limit], "")
	}
	return out
}

// wanted marks the lines of the view; with a search, what was found and the path to it.
func (w *textWriter) wanted() []bool {
	keep := make([]bool, len(w.lines))
	for i, l := range w.lines {
		if w.o.Find != "" && l.rank < 0 {
			continue
		}
		for k := i; k >= 0 && !keep[k]; k = w.lines[k].up {
			keep[k] = true
		}
	}
	return keep
}

// prune takes lines away until the rest fits.
func (w *textWriter) prune(keep []bool) {
	limit := 4 * w.o.MaxTokens
	size := len(w.render(nil, "")) + len(w.missingLine(len(keep)))
	order := make([]int, 0, len(keep))
	for i, k := range keep {
		if k {
			order = append(order, i)
			size += w.cost(i)
		}
	}
	if size-len(w.missingLine(len(keep))) <= limit {
		return
	}
	needed := make([]int, len(keep)) // how many kept lines stand directly under a line
	for _, i := range order {
		if up := w.lines[i].up; up >= 0 {
			needed[up]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := w.lines[a].rank - w.lines[b].rank; d != 0 {
			return d
		}
		return b - a
	})
	for changed := true; changed && size > limit; {
		changed = false
		for _, i := range order {
			if size <= limit {
				break
			}
			if !keep[i] || needed[i] > 0 {
				continue
			}
			keep[i], changed = false, true
			size -= w.cost(i)
			if up := w.lines[i].up; up >= 0 {
				needed[up]--
			}
		}
	}
}

func (w *textWriter) cost(i int) int { return len(w.lines[i].body) + 2*w.lines[i].depth + 1 }

func (w *textWriter) missing(keep []bool) string {
	n := 0
	for i, k := range keep {
		if !k && w.lines[i].rank >= 0 {
			n++
		}
	}
	if n == 0 || w.o.MaxTokens == 0 {
		return ""
	}
	return w.missingLine(n)
}

func (w *textWriter) missingLine(n int) string {
	return fmt.Sprintf("(%d lines left out to stay within %d tokens: ask with find, scope or a higher max_tokens)\n", n, w.o.MaxTokens)
}

// render writes the frame and the lines that are kept. A nil keep writes the frame alone.
func (w *textWriter) render(keep []bool, missing string) string {
	var b strings.Builder
	for _, l := range w.before {
		b.WriteString(l + "\n")
	}
	nothing := w.o.Find != "" && keep != nil
	for i, k := range keep {
		if k {
			nothing = false
			for range w.lines[i].depth {
				b.WriteString("  ")
			}
			b.WriteString(w.lines[i].body + "\n")
		}
	}
	if nothing {
		fmt.Fprintf(&b, "(nothing in this view matches %s)\n", quoted(w.o.Find, 80))
	}
	for _, l := range w.after {
		b.WriteString(l + "\n")
	}
	b.WriteString(missing)
	return b.String()
}
