package argument

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Canonical returns the form in which names are compared: models and people confuse tapOn, tap_on and TapOn.
func Canonical(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// maxNamed bounds how many names a sentence lists.
const maxNamed = 20

// Unknown returns the sentence that a parameter does not exist, with the known names nearest to it, or with all of them
// where none is near.
func Unknown(name string, known []string) string {
	msg := fmt.Sprintf("unknown parameter %s; ", name)
	switch near := Near(name, known, 3); {
	case len(near) > 0:
		return msg + "did you mean " + strings.Join(near, " or ") + "?"
	case len(known) == 0:
		return msg + "it takes none"
	case len(known) > maxNamed:
		return fmt.Sprintf("%sit takes %s and %d more", msg, strings.Join(known[:maxNamed], ", "), len(known)-maxNamed)
	}
	return msg + "it takes " + strings.Join(known, ", ")
}

// Near returns the names that are most like want, the best first, at most n.
func Near(want string, names []string, n int) []string {
	type scored struct {
		name string
		cost int
	}
	w := Canonical(want)
	var found []scored
	for _, name := range names {
		c := Canonical(name)
		cost := phrase.Distance(w, c)
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
