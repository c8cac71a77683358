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

// meet says whether some name matches both patterns. In them * is any characters and ? at most one.
func meet(a, b string) bool {
	switch {
	case a == "" && b == "":
		return true
	case a != "" && a[0] == '*':
		return meet(a[1:], b) || b != "" && meet(a, b[1:])
	case b != "" && (b[0] == '*' || b[0] == '?'):
		return meet(b, a)
	case a != "" && a[0] == '?':
		return meet(a[1:], b) || b != "" && meet(a[1:], b[1:])
	case a == "" || b == "":
		return false
	}
	return a[0] == b[0] && meet(a[1:], b[1:])
}
