package screen

import (
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// plainID matches an id that CSS takes without escapes.
var plainID = regex.Lazy(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// made are ids that libraries count up or draw anew with every build or visit.
var made = regex.Lazy(`[:«»]|\d{4,}|(?i)^(?:ember|ext-gen|yui|gwt|radix|headlessui|mui|mat|cdk|select2|` +
	`rc|react-select|downshift|reach|aria|ng|vue|svelte|__|tippy|popper|listbox|menu|uid|auto|choices|tom|chosen|` +
	`dx|p-)[-_]?.*\d|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-`)

// generated reports whether an id looks as if it were another one in the next run.
func generated(id string) bool {
	if made().MatchString(strings.TrimPrefix(id, "#")) {
		return true
	}
	for part := range strings.FieldsFuncSeq(id,
		func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		turns, digit := 0, part[0] <= '9'
		for i := range len(part) {
			if d := part[i] <= '9'; d != digit {
				turns, digit = turns+1, d
			}
		}
		if turns >= 3 { // a hash: letters and digits in turns
			return true
		}
	}
	return false
}

// numbers reports whether an id has a number in it that may be a position or a key. The level of a heading and the
// version of a thing are none.
func numbers(id string) bool {
	for part := range strings.FieldsFuncSeq(id,
		func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		if strings.ContainsAny(part, "0123456789") && !version().MatchString(part) {
			return true
		}
	}
	return false
}

var version = regex.Lazy(`^(?:[vV]\d+|[hH][1-6])$`)

// variable are parts of names that change from run to run: long numbers, dates, times, amounts.
var variable = regex.Lazy(`\d{4,}|\d+[:./-]\d+|[$€£]\s?\d`)

// Counts reports whether a selector finds its element, or its surroundings, by a number: its place among others, or
// an id that is counted up. The first element on one side of another is no such place.
func (sel *Selector) Counts() bool {
	if sel == nil {
		return false
	}
	beside := sel.Above != nil || sel.Below != nil || sel.LeftOf != nil || sel.RightOf != nil
	if sel.Index != nil && !(beside && *sel.Index == 0) {
		return true
	}
	if w := sel.Web; w != nil && (w.NthIndex != nil || countsByCSS(w.CSSSelector)) {
		return true
	}
	return sel.ChildOf.Counts() || sel.ContainsChild.Counts() ||
		slices.ContainsFunc(sel.ContainsDescendants, func(s Selector) bool { return s.Counts() })
}

// countsByCSS reports whether a CSS selector counts, or names an id that is counted up or drawn anew.
func countsByCSS(css string) bool {
	if countingCSS().MatchString(css) {
		return true
	}
	for _, m := range cssID().FindAllStringSubmatch(css, -1) {
		if id := m[1] + m[2]; numbers(id) || generated(id) {
			return true
		}
	}
	return false
}

var (
	countingCSS = regex.Lazy(`:(?:nth|first|last)-|\bnth=|:nth-match`)
	cssID       = regex.Lazy(`#((?:[\w-]|\\.)+)|\[id=["']?([^"'\]]+)`)
)
