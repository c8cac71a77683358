package words

import "unicode/utf8"

// PartDistance returns how far label is from name, or from the nearest part of it when name is longer: the text looked
// for may be some words of a paragraph.
func PartDistance(name, label string) int {
	whole := Distance(name, label, MaxDistance)
	if utf8.RuneCountInString(label) <= utf8.RuneCountInString(name) {
		return whole
	}
	return min(whole, closest(name, label)+1)
}

// MaxDistance bounds the distances that are computed.
const MaxDistance = 40

// closest is the least edit distance between a and any part of b.
func closest(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), 200)], y[:min(len(y), 2000)]
	row := make([]int, len(x)+1) // the distance of each beginning of a from the best part of b that ends here
	for i := range row {
		row[i] = i
	}
	best := len(x)
	for _, r := range y {
		prev := row[0]
		for i := range x {
			cost := prev
			if x[i] != r {
				cost = 1 + min(prev, row[i], row[i+1])
			}
			prev, row[i+1] = row[i+1], cost
		}
		best = min(best, row[len(x)])
	}
	return best
}

// Distance returns the Levenshtein distance, at most limit.
func Distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > limit || -d > limit {
		return limit
	}
	if len(x) > 200 {
		x = x[:200]
	}
	if len(y) > 200 {
		y = y[:200]
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		prev := row[0]
		row[0] = i + 1
		for j := range y {
			cost := prev
			if x[i] != y[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return min(row[len(y)], limit)
}
