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
	o := overlapping{a: a, b: b, seen: make([]bool, (len(a)+1)*(len(b)+1))}
	return o.from(0, 0)
}

type overlapping struct {
	a, b string
	seen []bool // the places in a and b that were tried; nothing came of those that are tried again
}

// from reports whether some text matches the rest of a from i and the rest of b from j.
func (o *overlapping) from(i, j int) bool {
	at := i*(len(o.b)+1) + j
	if o.seen[at] {
		return false
	}
	o.seen[at] = true
	if i == len(o.a) || j == len(o.b) {
		return skippable(o.a[i:]) && skippable(o.b[j:])
	}
	a, b := o.a[i], o.b[j]
	if skippable(o.a[i:i+1]) && o.from(i+1, j) || skippable(o.b[j:j+1]) && o.from(i, j+1) {
		return true
	}
	switch {
	case a == '*':
		return o.from(i, j+1)
	case b == '*':
		return o.from(i+1, j)
	}
	return (a == b || a == '?' || b == '?') && o.from(i+1, j+1)
}

// skippable reports whether a pattern matches the empty text.
func skippable(pattern string) bool { return strings.Trim(pattern, "*?") == "" }
