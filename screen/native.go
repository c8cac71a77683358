package screen

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Native is a node in its driver's own words; exactly the fields that the driver block of a Selector can match.
// The set is closed: a new driver adds a type here and a block to Selector.
type Native interface{ Block() string } // Block is the selector key: "web", "androidAccessibility", …

// Web is the native vocabulary of a browser.
type Web struct {
	Tag    string `json:"tag,omitempty"`    // lower case
	TestID string `json:"testId,omitempty"` // data-testid
	HTMLID string `json:"htmlId,omitempty"`
	Class  string `json:"class,omitempty"` // of elements that one acts on and that have neither name nor text
	// a CSS path that was unique at capture, when the element has a stable one
	CSS         string   `json:"css,omitempty"`
	InputType   string   `json:"inputType,omitempty"`
	Placeholder string   `json:"placeholder,omitempty"`
	Href        string   `json:"href,omitempty"`
	Frame       int      `json:"frame,omitempty"`   // 0 the top document, n the n-th frame met in this session
	Shadow      bool     `json:"shadow,omitempty"`  // lives in a shadow tree
	Options     []string `json:"options,omitempty"` // labels of a select's options, at most 50
	Transform   string   `json:"-"`                 // how its style prints its text: "uppercase", "lowercase", "capitalize"
}

// Block implements Native.
func (*Web) Block() string { return "web" }

// Classes returns the classes that say what an element is: those of a state, and those that a build makes, are left
// out.
func (w *Web) Classes() []string {
	var out []string
	for c := range strings.FieldsSeq(w.Class) {
		if len(out) < maxClasses && words.PlainID().MatchString(c) && !stateClass().MatchString(c) && !words.HasNumbers(c) &&
			!words.Generated(c) {
			out = append(out, c)
		}
	}
	return out
}

// HasClass reports whether the element has that class.
func (w *Web) HasClass(class string) bool {
	for c := range strings.FieldsSeq(w.Class) {
		if c == class {
			return true
		}
	}
	return false
}

const maxClasses = 4

var stateClass = regex.Lazy(`(?i)(?:^|[-_])(?:active|hover|hovered|focus|focused|visible|open|opened|` +
	`closed|collapsed|expanded|selected|checked|disabled|enabled|current|show|shown|hide|hidden|loading|pressed|` +
	`dirty|pristine|touched|untouched|valid|invalid|in|out|on|off|enter|leave|is|has|ng|v)(?:$|[-_])`)

// EditorCSS finds what IsEditor reports.
const EditorCSS = "[contenteditable]:read-write"

// IsEditor reports whether n is written into and is not a field: an editor, of whatever role its page gives it.
func IsEditor(n *Node) bool {
	d, ok := n.Native.(*Web)
	return ok && n.State.Has(Editable) && d.Tag != "input" && d.Tag != "textarea" && d.Tag != "select"
}
