package screen

// AndroidAccessibility is the native vocabulary of Android's accessibility tree.
type AndroidAccessibility struct {
	ClassName          string  `json:"className,omitempty"`
	ResourceID         string  `json:"resourceId,omitempty"`
	UniqueID           string  `json:"uniqueId,omitempty"`
	Text               *string `json:"text,omitempty"` // nil and "" differ: an empty text still hides hint and description
	ContentDescription string  `json:"contentDescription,omitempty"`
	HintText           string  `json:"hintText,omitempty"`
	LabeledByText      string  `json:"labeledByText,omitempty"`
	StateDescription   string  `json:"stateDescription,omitempty"`
	PaneTitle          string  `json:"paneTitle,omitempty"`
	RoleDescription    string  `json:"roleDescription,omitempty"`
	ComposeTestTag     string  `json:"composeTestTag,omitempty"`
	Disabled           bool    `json:"disabled,omitempty"`
	IsClickable        bool    `json:"isClickable,omitempty"`
	IsCheckable        bool    `json:"isCheckable,omitempty"`
	IsChecked          bool    `json:"isChecked,omitempty"`
	IsSelected         bool    `json:"isSelected,omitempty"`
	IsFocused          bool    `json:"isFocused,omitempty"`
	IsEditable         bool    `json:"isEditable,omitempty"`
	IsScrollable       bool    `json:"isScrollable,omitempty"`
	IsPassword         bool    `json:"isPassword,omitempty"`
	IsHeading          bool    `json:"isHeading,omitempty"`
	IsMultiLine        bool    `json:"isMultiLine,omitempty"`
	InputType          *int    `json:"inputType,omitempty"`
	CollectionRow      *int    `json:"collectionRow,omitempty"`
	CollectionColumn   *int    `json:"collectionColumn,omitempty"`
	PackageName        string  `json:"packageName,omitempty"`
	Error              string  `json:"error,omitempty"`
}

// ResolveText is what textRegex matches: the text, else the hint, else the content description.
func (a *AndroidAccessibility) ResolveText() string {
	if a.Text != nil {
		return *a.Text
	}
	return firstOf(a.HintText, a.ContentDescription)
}

// AndroidMaestro is the Maestro shape of an Android node.
type AndroidMaestro struct {
	Text              string `json:"text,omitempty"`
	ResourceID        string `json:"resourceId,omitempty"`
	AccessibilityText string `json:"accessibilityText,omitempty"`
	ClassName         string `json:"className,omitempty"`
	HintText          string `json:"hintText,omitempty"`
	Clickable         bool   `json:"clickable,omitempty"`
	Disabled          bool   `json:"disabled,omitempty"`
	Focused           bool   `json:"focused,omitempty"`
	Checked           bool   `json:"checked,omitempty"`
	Selected          bool   `json:"selected,omitempty"`
	Scrollable        bool   `json:"scrollable,omitempty"`
	Password          bool   `json:"password,omitempty"`
}

// IOSMaestro is the Maestro shape of an iOS node.
type IOSMaestro struct {
	Text              string `json:"text,omitempty"`
	ResourceID        string `json:"resourceId,omitempty"`
	AccessibilityText string `json:"accessibilityText,omitempty"`
	ClassName         string `json:"className,omitempty"`
	HintText          string `json:"hintText,omitempty"`
	Focused           bool   `json:"focused,omitempty"`
	Selected          bool   `json:"selected,omitempty"`
	Scrollable        bool   `json:"scrollable,omitempty"`
	Password          bool   `json:"password,omitempty"`
}

// IOSAxe is an iOS node as the axe tool prints it.
type IOSAxe struct {
	Role          string   `json:"role,omitempty"`
	Subrole       string   `json:"subrole,omitempty"`
	Label         string   `json:"label,omitempty"`
	Value         string   `json:"value,omitempty"`
	UniqueID      string   `json:"uniqueId,omitempty"`
	Type          string   `json:"type,omitempty"`
	Title         string   `json:"title,omitempty"`
	CustomActions []string `json:"customActions,omitempty"`
	Disabled      bool     `json:"disabled,omitempty"`
}

// Compose is a Compose semantics node.
type Compose struct {
	TestTag            string `json:"testTag,omitempty"`
	Role               string `json:"role,omitempty"`
	Text               string `json:"text,omitempty"`
	EditableText       string `json:"editableText,omitempty"`
	ContentDescription string `json:"contentDescription,omitempty"`
	ToggleableState    string `json:"toggleableState,omitempty"`
	Disabled           bool   `json:"disabled,omitempty"`
	IsFocused          bool   `json:"isFocused,omitempty"`
	IsSelected         bool   `json:"isSelected,omitempty"`
	IsPassword         bool   `json:"isPassword,omitempty"`
	HasClickAction     bool   `json:"hasClickAction,omitempty"`
	HasScrollAction    bool   `json:"hasScrollAction,omitempty"`
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

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
