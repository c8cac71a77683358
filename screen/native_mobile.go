package screen

import "cmp"

// In what phones report, nil and "" are two things: nil is a field that the node does not have. An empty text is a
// text: it hides the hint and the description.

// AndroidAccessibility is the native vocabulary of Android's accessibility tree.
type AndroidAccessibility struct {
	ClassName                 *string `json:"className,omitempty"`
	ResourceID                *string `json:"resourceId,omitempty"`
	UniqueID                  *string `json:"uniqueId,omitempty"`
	Text                      *string `json:"text,omitempty"`
	ContentDescription        *string `json:"contentDescription,omitempty"`
	HintText                  *string `json:"hintText,omitempty"`
	LabeledByText             *string `json:"labeledByText,omitempty"`
	StateDescription          *string `json:"stateDescription,omitempty"`
	PaneTitle                 *string `json:"paneTitle,omitempty"`
	RoleDescription           *string `json:"roleDescription,omitempty"`
	ComposeTestTag            *string `json:"composeTestTag,omitempty"`
	Disabled                  bool    `json:"disabled,omitempty"`
	IsClickable               bool    `json:"isClickable,omitempty"`
	IsCheckable               bool    `json:"isCheckable,omitempty"`
	IsChecked                 bool    `json:"isChecked,omitempty"`
	IsSelected                bool    `json:"isSelected,omitempty"`
	IsFocused                 bool    `json:"isFocused,omitempty"`
	IsEditable                bool    `json:"isEditable,omitempty"`
	IsScrollable              bool    `json:"isScrollable,omitempty"`
	IsPassword                bool    `json:"isPassword,omitempty"`
	IsHeading                 bool    `json:"isHeading,omitempty"`
	IsMultiLine               bool    `json:"isMultiLine,omitempty"`
	InputType                 *int    `json:"inputType,omitempty"`
	CollectionItemRowIndex    *int    `json:"collectionItemRowIndex,omitempty"`
	CollectionItemColumnIndex *int    `json:"collectionItemColumnIndex,omitempty"`
	PackageName               *string `json:"packageName,omitempty"`
	Error                     *string `json:"error,omitempty"`
}

// AndroidMaestro is the Maestro shape of an Android node.
type AndroidMaestro struct {
	Text              *string `json:"text,omitempty"`
	ResourceID        *string `json:"resourceId,omitempty"`
	AccessibilityText *string `json:"accessibilityText,omitempty"`
	ClassName         *string `json:"className,omitempty"`
	HintText          *string `json:"hintText,omitempty"`
	Clickable         bool    `json:"clickable,omitempty"`
	Disabled          bool    `json:"disabled,omitempty"`
	Focused           bool    `json:"focused,omitempty"`
	Checked           bool    `json:"checked,omitempty"`
	Selected          bool    `json:"selected,omitempty"`
	Scrollable        bool    `json:"scrollable,omitempty"`
	Password          bool    `json:"password,omitempty"`
}

// IOSMaestro is the Maestro shape of an iOS node.
type IOSMaestro struct {
	Text              *string `json:"text,omitempty"`
	ResourceID        *string `json:"resourceId,omitempty"`
	AccessibilityText *string `json:"accessibilityText,omitempty"`
	ClassName         *string `json:"className,omitempty"`
	HintText          *string `json:"hintText,omitempty"`
	Focused           bool    `json:"focused,omitempty"`
	Selected          bool    `json:"selected,omitempty"`
	Scrollable        bool    `json:"scrollable,omitempty"`
	Password          bool    `json:"password,omitempty"`
}

// IOSAxe is an iOS node as the axe tool prints it.
type IOSAxe struct {
	Role          *string  `json:"role,omitempty"`
	Subrole       *string  `json:"subrole,omitempty"`
	Label         *string  `json:"label,omitempty"`
	Value         *string  `json:"value,omitempty"`
	UniqueID      *string  `json:"uniqueId,omitempty"`
	Type          *string  `json:"type,omitempty"`
	Title         *string  `json:"title,omitempty"`
	CustomActions []string `json:"customActions,omitempty"`
	Disabled      bool     `json:"disabled,omitempty"`
}

// Compose is a Compose semantics node.
type Compose struct {
	TestTag            *string `json:"testTag,omitempty"`
	Role               *string `json:"role,omitempty"`
	Text               *string `json:"text,omitempty"`
	EditableText       *string `json:"editableText,omitempty"`
	ContentDescription *string `json:"contentDescription,omitempty"`
	ToggleableState    *string `json:"toggleableState,omitempty"`
	Disabled           bool    `json:"disabled,omitempty"`
	IsFocused          bool    `json:"isFocused,omitempty"`
	IsSelected         bool    `json:"isSelected,omitempty"`
	IsPassword         bool    `json:"isPassword,omitempty"`
	HasClickAction     bool    `json:"hasClickAction,omitempty"`
	HasScrollAction    bool    `json:"hasScrollAction,omitempty"`
}

// Block implements Native.
func (*AndroidAccessibility) Block() string { return "androidAccessibility" }

// Block implements Native.
func (*AndroidMaestro) Block() string { return "androidMaestro" }

// Block implements Native.
func (*IOSMaestro) Block() string { return "iosMaestro" }

// Block implements Native.
func (*IOSAxe) Block() string { return "iosAxe" }

// Block implements Native.
func (*Compose) Block() string { return "compose" }

// ResolveText is the text that a node shows, which textRegex matches: its text, else its hint, else its description.
func (a *AndroidAccessibility) ResolveText() *string {
	return cmp.Or(a.Text, a.HintText, a.ContentDescription)
}

// ResolveText is the text that a node shows: its text, else its hint, else its accessibility text.
func (a *AndroidMaestro) ResolveText() *string {
	return cmp.Or(a.Text, a.HintText, a.AccessibilityText)
}

// ResolveText is the text that a node shows: its text, else its hint, else its accessibility text.
func (a *IOSMaestro) ResolveText() *string { return cmp.Or(a.Text, a.HintText, a.AccessibilityText) }

// ResolveText returns the text that a node shows: the text typed into it, else its text, else its description.
func (a *Compose) ResolveText() *string {
	return cmp.Or(a.EditableText, a.Text, a.ContentDescription)
}
