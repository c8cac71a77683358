package screen

import (
	"slices"

	"github.com/trailblaze-dev/trailblaze/internal/ground/regex"
	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// Selector is a durable description of an element: upstream's TrailblazeNodeSelector, all of it. Field names are the
// YAML and JSON keys; textRegex, ownTextRegex and columnRegex of the web are ours. Every *Regex field matches the whole
// string as a Java regular expression, or is equal to it.
type Selector struct {
	AndroidAccessibility *AndroidAccessibilityMatch `json:"androidAccessibility,omitempty"`
	AndroidMaestro       *AndroidMaestroMatch       `json:"androidMaestro,omitempty"`
	Web                  *WebMatch                  `json:"web,omitempty"`
	IOSMaestro           *IOSMaestroMatch           `json:"iosMaestro,omitempty"`
	IOSAxe               *IOSAxeMatch               `json:"iosAxe,omitempty"`
	Compose              *ComposeMatch              `json:"compose,omitempty"`

	Above   *Selector `json:"above,omitempty"`
	Below   *Selector `json:"below,omitempty"`
	LeftOf  *Selector `json:"leftOf,omitempty"`
	RightOf *Selector `json:"rightOf,omitempty"`

	ChildOf             *Selector  `json:"childOf,omitempty"`
	ContainsChild       *Selector  `json:"containsChild,omitempty"`
	ContainsDescendants []Selector `json:"containsDescendants,omitempty"`

	Index *int `json:"index,omitempty"` // among the matches in (top, left) order
}

// WebMatch matches browser elements. When several fields are set, all must hold.
type WebMatch struct {
	AriaRole            string `json:"ariaRole,omitempty"`
	AriaNameRegex       string `json:"ariaNameRegex,omitempty"`
	AriaDescriptorRegex string `json:"ariaDescriptorRegex,omitempty"` // `button "Save"`
	TextRegex           string `json:"textRegex,omitempty"`           // all that is read in it, values of fields left out
	// the text directly in it, not in an element in it
	OwnTextRegex string `json:"ownTextRegex,omitempty"`
	ColumnRegex  string `json:"columnRegex,omitempty"` // what the header says of the column that it lies in
	HeadingLevel *int   `json:"headingLevel,omitempty"`
	CSSSelector  string `json:"cssSelector,omitempty"`
	DataTestID   string `json:"dataTestId,omitempty"`
	NthIndex     *int   `json:"nthIndex,omitempty"` // among what the other fields match, in document order
}

// AndroidAccessibilityMatch matches nodes of Android's accessibility tree.
type AndroidAccessibilityMatch struct {
	ClassNameRegex            *string `json:"classNameRegex,omitempty"`
	ResourceIDRegex           *string `json:"resourceIdRegex,omitempty"`
	UniqueID                  *string `json:"uniqueId,omitempty"`
	ComposeTestTagRegex       *string `json:"composeTestTagRegex,omitempty"`
	TextRegex                 *string `json:"textRegex,omitempty"`
	ContentDescriptionRegex   *string `json:"contentDescriptionRegex,omitempty"`
	HintTextRegex             *string `json:"hintTextRegex,omitempty"`
	LabeledByTextRegex        *string `json:"labeledByTextRegex,omitempty"`
	StateDescriptionRegex     *string `json:"stateDescriptionRegex,omitempty"`
	PaneTitleRegex            *string `json:"paneTitleRegex,omitempty"`
	RoleDescriptionRegex      *string `json:"roleDescriptionRegex,omitempty"`
	IsEnabled                 *bool   `json:"isEnabled,omitempty"`
	IsClickable               *bool   `json:"isClickable,omitempty"`
	IsCheckable               *bool   `json:"isCheckable,omitempty"`
	IsChecked                 *bool   `json:"isChecked,omitempty"`
	IsSelected                *bool   `json:"isSelected,omitempty"`
	IsFocused                 *bool   `json:"isFocused,omitempty"`
	IsEditable                *bool   `json:"isEditable,omitempty"`
	IsScrollable              *bool   `json:"isScrollable,omitempty"`
	IsPassword                *bool   `json:"isPassword,omitempty"`
	IsHeading                 *bool   `json:"isHeading,omitempty"`
	IsMultiLine               *bool   `json:"isMultiLine,omitempty"`
	InputType                 *int    `json:"inputType,omitempty"`
	CollectionItemRowIndex    *int    `json:"collectionItemRowIndex,omitempty"`
	CollectionItemColumnIndex *int    `json:"collectionItemColumnIndex,omitempty"`
}

// AndroidMaestroMatch matches the Maestro shape of an Android node.
type AndroidMaestroMatch struct {
	TextRegex              *string `json:"textRegex,omitempty"`
	ResourceIDRegex        *string `json:"resourceIdRegex,omitempty"`
	AccessibilityTextRegex *string `json:"accessibilityTextRegex,omitempty"`
	ClassNameRegex         *string `json:"classNameRegex,omitempty"`
	HintTextRegex          *string `json:"hintTextRegex,omitempty"`
	Clickable              *bool   `json:"clickable,omitempty"`
	Enabled                *bool   `json:"enabled,omitempty"`
	Focused                *bool   `json:"focused,omitempty"`
	Checked                *bool   `json:"checked,omitempty"`
	Selected               *bool   `json:"selected,omitempty"`
}

// IOSMaestroMatch matches the Maestro shape of an iOS node.
type IOSMaestroMatch struct {
	TextRegex              *string `json:"textRegex,omitempty"`
	ResourceIDRegex        *string `json:"resourceIdRegex,omitempty"`
	AccessibilityTextRegex *string `json:"accessibilityTextRegex,omitempty"`
	ClassNameRegex         *string `json:"classNameRegex,omitempty"`
	HintTextRegex          *string `json:"hintTextRegex,omitempty"`
	Focused                *bool   `json:"focused,omitempty"`
	Selected               *bool   `json:"selected,omitempty"`
}

// IOSAxeMatch matches nodes as the axe tool prints them.
type IOSAxeMatch struct {
	RoleRegex    *string `json:"roleRegex,omitempty"`
	SubroleRegex *string `json:"subroleRegex,omitempty"`
	LabelRegex   *string `json:"labelRegex,omitempty"`
	ValueRegex   *string `json:"valueRegex,omitempty"`
	UniqueID     *string `json:"uniqueId,omitempty"`
	TypeRegex    *string `json:"typeRegex,omitempty"`
	TitleRegex   *string `json:"titleRegex,omitempty"`
	CustomAction *string `json:"customAction,omitempty"`
	Enabled      *bool   `json:"enabled,omitempty"`
}

// ComposeMatch matches Compose semantics nodes.
type ComposeMatch struct {
	TestTag                 *string `json:"testTag,omitempty"`
	Role                    *string `json:"role,omitempty"`
	TextRegex               *string `json:"textRegex,omitempty"`
	EditableTextRegex       *string `json:"editableTextRegex,omitempty"`
	ContentDescriptionRegex *string `json:"contentDescriptionRegex,omitempty"`
	ToggleableState         *string `json:"toggleableState,omitempty"`
	IsEnabled               *bool   `json:"isEnabled,omitempty"`
	IsFocused               *bool   `json:"isFocused,omitempty"`
	IsSelected              *bool   `json:"isSelected,omitempty"`
	IsPassword              *bool   `json:"isPassword,omitempty"`
}

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
	for _, m := range CSSID().FindAllStringSubmatch(css, -1) {
		if id := m[1] + m[2]; words.HasNumbers(id) || words.Generated(id) {
			return true
		}
	}
	return false
}

var (
	countingCSS = regex.Lazy(`:(?:nth|first|last)-|\bnth=|:nth-match`)
	// CSSID finds the ids in a CSS selector.
	CSSID = regex.Lazy(`#((?:[\w-]|\\.)+)|\[id=["']?([^"'\]]+)`)
)
