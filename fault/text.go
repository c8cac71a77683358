package fault

import "strings"

// Text writes a failure out for people: the message, the hint, and what is known of the search.
func (f *Failure) Text() string {
	var b strings.Builder
	b.WriteString(f.Message + "\n")
	if f.Hint != "" && !f.Repeats() {
		b.WriteString("hint: " + f.Hint + "\n")
	}
	return b.String() + f.Search()
}

// Search writes out the search behind a failure: its target, the candidates near it, the changes seen, the attempts. It
// is empty for a failure without a search.
func (f *Failure) Search() string {
	var b strings.Builder
	if f.Looked != "" && !strings.Contains(f.Message, f.Looked) {
		b.WriteString("looked for: " + f.Looked + "\n")
	}
	section := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		b.WriteString(title + ":\n")
		for _, l := range lines {
			b.WriteString("  - " + l + "\n")
		}
	}
	section("nearest", f.Candidates)
	section("since the last green run", f.SinceGreen)
	section("tried", f.Log)
	return b.String()
}

// Repeats reports whether the hint only says what the list of candidates begins with.
func (f *Failure) Repeats() bool {
	return len(f.Candidates) > 0 && strings.Contains(f.Hint, f.Candidates[0])
}
