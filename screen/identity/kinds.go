package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// measures reports whether a text is one that scripts measure letters by: one letter many times.
func measures(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= 5 && strings.Trim(text, text[:1]) == ""
}

// restless reports whether elements of a role change without an action.
func restless(role string) bool {
	switch role {
	case "status", "alert", "log", "timer", "marquee", "progressbar", "meter", "tooltip":
		return true
	}
	return false
}

// maxTelling limits names that distinguish one item from another: a longer name is content.
const maxTelling = 60

// serial matches the numbers and dates of items: such a text is worse than a name and better than a place.
var serial = regex.Lazy(`^[#№]?\d{3,}$|^\d+(?:[-/.]\d+){2,}$`)

func telling(name string) bool {
	return strings.ContainsFunc(name, unicode.IsLetter) && utf8.RuneCountInString(words.Squeeze(name)) <= maxTelling
}

// namedByContent reports whether the name of a role is all the text in it, with the values of fields: such a name
// changes with every change in it.
func namedByContent(role string) bool {
	switch role {
	case "row", "cell", "gridcell", "columnheader", "rowheader", "heading", "listitem", "treeitem", "option", "tab",
		"link", "button",
		"menuitem", "menuitemcheckbox", "menuitemradio", "tooltip":
		return true
	}
	return false
}

// maxSaid bounds texts and names that say who an element is: a longer one is an article.
const maxSaid = 120

// meaningful is a role that says something of its element, else "".
func meaningful(role string) string {
	switch role {
	case "", "generic", "none", "presentation", "text":
		return ""
	}
	return role
}

// KindOf returns what is done with elements of a role: press, write, choose, check, pick or slide; "" for other roles.
func KindOf(role string) string {
	switch role {
	case "button", "link", "menuitem", "tab":
		return "press"
	case "textbox", "searchbox", "spinbutton":
		return "write"
	case "combobox", "listbox":
		return "choose"
	case "checkbox", "switch":
		return "check"
	case "radio":
		return "pick"
	case "slider":
		return "slide"
	}
	return ""
}

// SameKind reports whether an element of one role may have become one of the other.
func SameKind(was, is string) bool {
	return was == is || KindOf(was) != "" && KindOf(was) == KindOf(is)
}

// isField reports whether a person fills in what has this role.
func isField(role string) bool { return KindOf(role) != "" && KindOf(role) != "press" }

// control reports whether a person acts on what has this role: such elements have names, as a rule.
func control(role string) bool { return KindOf(role) != "" && role != "listbox" }

// crowded reports whether the name of n is all the text in it, and n contains something that can be acted on: such
// a name changes with the state of that content.
func crowded(n *screen.Node) bool { return namedByContent(n.Role) && screen.ActsBelow(n) }

// legible reports whether a text can say who an element is.
func legible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) &&
		utf8.RuneCountInString(text) <= maxSaid
}
