package record

import (
	"fmt"
	"strings"
)

// The bounds of a difference that is shown before a file is overwritten.
const (
	diffLines   = 40   // shown
	diffCompare = 2000 // compared: the work grows with their product
)

// diff shows how two texts differ, line by line, each with - or + before it.
func diff(old, fresh string) string {
	a, b := strings.Split(strings.TrimSuffix(old, "\n"), "\n"), strings.Split(strings.TrimSuffix(fresh, "\n"), "\n")
	skip := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, skip = a[1:], b[1:], skip+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > diffCompare || len(b) > diffCompare {
		return fmt.Sprintf("  from line %d on, %d lines become %d", skip+1, len(a), len(b))
	}
	lines := edits(a, b)
	more := len(lines) - diffLines
	if more > 0 {
		lines = append(lines[:diffLines], fmt.Sprintf("  … and %d more lines", more))
	}
	return fmt.Sprintf("  line %d:\n%s", skip+1, strings.Join(lines, "\n"))
}

// edits are the lines that go and come, in order, by the longest common subsequence.
func edits(a, b []string) []string {
	long := make([][]int32, len(a)+1)
	for i := range long {
		long[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && long[i+1][j] >= long[i][j+1]:
			out, i = append(out, "- "+a[i]), i+1
		default:
			out, j = append(out, "+ "+b[j]), j+1
		}
	}
	return out
}
