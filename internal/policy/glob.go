package policy

import "strings"

// glob matches a name against a pattern in which * stands for any characters, without regard to case.
func glob(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(name) {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, mark = i, j
			i++
		case i < len(pattern) && pattern[i] == name[j]:
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == '*' {
		i++
	}
	return i == len(pattern)
}

// overlap reports whether some name matches both patterns. In them * is any characters and ? at most one.
func overlap(a, b string) bool {
	seen := make([]bool, (len(a)+1)*(len(b)+1)) // tried, and nothing came of it
	var from func(i, j int) bool
	from = func(i, j int) bool {
		at := i*(len(b)+1) + j
		if seen[at] {
			return false
		}
		seen[at] = true
		endA, endB := i == len(a), j == len(b)
		switch {
		case endA && endB:
			return true
		case !endA && a[i] == '*':
			return from(i+1, j) || !endB && from(i, j+1)
		case !endB && b[j] == '*':
			return from(i, j+1) || !endA && from(i+1, j)
		case !endA && a[i] == '?' && from(i+1, j), !endB && b[j] == '?' && from(i, j+1):
			return true
		}
		return !endA && !endB && (a[i] == b[j] || a[i] == '?' || b[j] == '?') && from(i+1, j+1)
	}
	return from(0, 0)
}
