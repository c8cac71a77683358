package words

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
)

// PlainID matches an id that CSS takes without escapes.
var PlainID = regex.Lazy(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// made are ids that libraries count up or draw anew with every build or visit.
var made = regex.Lazy(`[:«»]|\d{4,}|(?i)^(?:ember|ext-gen|yui|gwt|radix|headlessui|mui|mat|cdk|select2|` +
	`rc|react-select|downshift|reach|aria|ng|vue|svelte|__|tippy|popper|listbox|menu|uid|auto|choices|tom|chosen|` +
	`dx|p-)[-_]?.*\d|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-`)

// Generated reports whether an id looks as if it were another one in the next run.
func Generated(id string) bool {
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

// HasNumbers reports whether an id has a number in it that may be a position or a key. The level of a heading and the
// version of a thing are none.
func HasNumbers(id string) bool {
	for part := range strings.FieldsFuncSeq(id,
		func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		if strings.ContainsAny(part, "0123456789") && !version().MatchString(part) {
			return true
		}
	}
	return false
}

var version = regex.Lazy(`^(?:[vV]\d+|[hH][1-6])$`)

// Variable matches the parts of names that change from run to run: long numbers, dates, times, amounts.
var Variable = regex.Lazy(`\d{4,}|\d+[:./-]\d+|[$€£]\s?\d`)
