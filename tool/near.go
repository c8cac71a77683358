package tool

import (
	"cmp"
	"slices"
	"strings"
)

// Near picks from names those that somebody who wrote want most likely meant, best first, at most n.
func Near(want string, names []string, n int) []string {
	type scored struct {
		name string
		cost int
	}
	w := canonical(want)
	var found []scored
	for _, name := range names {
		c := canonical(name)
		cost := distance(w, c)
		switch limit := max(2, min(len(w), len(c))/3); {
		case c == w:
			cost = 0
		case cost <= limit:
		case len(w) >= 3 && (strings.Contains(c, w) || strings.Contains(w, c) && len(c) >= 3):
			cost = limit + 1 // one is part of the other: likely, but less so than a slip of the finger
		default:
			continue
		}
		found = append(found, scored{name, cost})
	}
	slices.SortFunc(found, func(a, b scored) int { return cmp.Or(a.cost-b.cost, strings.Compare(a.name, b.name)) })
	out := make([]string, 0, n)
	for _, f := range found[:min(n, len(found))] {
		out = append(out, f.name)
	}
	return out
}

// distance counts the edits (insert, delete, replace, swap of neighbours) between two strings, byte by byte.
func distance(a, b string) int {
	if len(a) > maxName || len(b) > maxName {
		return maxName
	}
	var before, last, row [maxName + 1]int
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
