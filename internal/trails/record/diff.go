package record

import (
	"fmt"
	"slices"
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
	lines := slices.DeleteFunc(edits(a, b), func(l string) bool { return l[0] == ' ' })
	more := len(lines) - diffLines
	if more > 0 {
		lines = append(lines[:diffLines], fmt.Sprintf("  … and %d more lines", more))
	}
	return fmt.Sprintf("  line %d:\n%s", skip+1, strings.Join(lines, "\n"))
}

// Unified is the difference of two texts of a file in the unified format, as patch and git apply read it; "" when they
// are the same.
func Unified(path, old, fresh string) string {
	if old == fresh {
		return ""
	}
	a, b := slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(fresh))
	if len(a) > diffCompare || len(b) > diffCompare {
		return fmt.Sprintf("--- a/%s\n+++ b/%s\n(%d lines become %d)\n", path, path, len(a), len(b))
	}
	lines := edits(a, b)
	out := &strings.Builder{}
	fmt.Fprintf(out, "--- a/%s\n+++ b/%s\n", path, path)
	was, is := 1, 1 // where the next line stands
	for i := 0; i < len(lines); {
		if lines[i][0] == ' ' {
			was, is, i = was+1, is+1, i+1
			continue
		}
		from, to := max(i-around, 0), hunkEnd(lines, i)
		was, is = was-(i-from), is-(i-from)
		var gone, come int
		body := &strings.Builder{}
		for _, l := range lines[from:to] {
			body.WriteString(l[:1] + l[2:])
			if !strings.HasSuffix(l, "\n") {
				body.WriteString("\n\\ No newline at end of file\n")
			}
			if l[0] != '+' {
				gone++
			}
			if l[0] != '-' {
				come++
			}
		}
		fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n%s", was, gone, is, come, body)
		was, is, i = was+gone, is+come, to
	}
	return out.String()
}

// around counts the lines that a hunk shows before and after a change.
const around = 3

// hunkEnd returns the end of the hunk that has its first change at i: the line without another change near it.
func hunkEnd(lines []string, i int) int {
	end := i
	for k := i; k < len(lines) && k <= end+2*around; k++ {
		if lines[k][0] != ' ' {
			end = k
		}
	}
	return min(end+around+1, len(lines))
}

// edits returns all lines in order, each with two characters before it that mark it as removed, added or kept, by the
// longest common subsequence.
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
			out, i, j = append(out, "  "+a[i]), i+1, j+1
		case j == len(b) || i < len(a) && long[i+1][j] >= long[i][j+1]:
			out, i = append(out, "- "+a[i]), i+1
		default:
			out, j = append(out, "+ "+b[j]), j+1
		}
	}
	return out
}
