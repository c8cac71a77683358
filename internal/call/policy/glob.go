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
