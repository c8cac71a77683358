package tool

import "github.com/trailblaze-dev/trailblaze/driver"

// Purpose is the purpose of a tool in words, by which a caller that knows no names asks for one such tool. Each names
// the arguments that callers may rely on.
type Purpose string

// The purposes.
const (
	TakeSnapshot Purpose = "take a snapshot"
	KeepScreen   Purpose = "keep the screen in the report"
	OpenPage     Purpose = "open a page" // url
	Click        Purpose = "click an element"
	TapPoint     Purpose = "tap a point" // x, y
	// text replaces what the field holds, unless clearFirst, keys or submit say otherwise
	EnterText      Purpose = "enter a text"
	Pause          Purpose = "let time pass"
	CheckText      Purpose = "check that a text is visible" // text
	AwaitAddress   Purpose = "wait for an address"
	SwitchTab      Purpose = "switch to another tab"
	OpenTab        Purpose = "open a tab"
	CloseTab       Purpose = "close a tab"
	PlayTrail      Purpose = "play a trail in place"
	RunTask        Purpose = "hand over a task"
	ChooseMode     Purpose = "choose the mode"              // mode
	ChooseModel    Purpose = "choose whose model is asked"  // strategy
	ChooseTarget   Purpose = "choose the app under test"    // appTargetId
	AddTools       Purpose = "add a category of tools"      // category
	FindTools      Purpose = "find tools"                   // search
	ChangeSetting  Purpose = "change a setting"             // action, key, value
	ManageSession  Purpose = "manage the session"           // action, id
	DoStep         Purpose = "carry out a step"             // prompt
	CheckStep      Purpose = "check a statement"            // prompt
	AnswerQuestion Purpose = "answer a question"            // prompt
	Calculate      Purpose = "compare a calculation"        // expression, expected
	KeepValue      Purpose = "keep a value"                 // variable, value
	AwaitScreen    Purpose = "wait for another screen"      // deviceId, seen
	AskAgain       Purpose = "ask a condition again"        // query, was
	EnterSecret    Purpose = "enter a secret"               // value
	PressKey       Purpose = "press a key"                  // key
	Choose         Purpose = "choose options"               // values
	SetChecked     Purpose = "check a box"                  // checked
	GiveFiles      Purpose = "give files"                   // paths
	Drag           Purpose = "drag an element"              // toRef, place, dx, dy
	AnswerDialogs  Purpose = "say how dialogs are answered" // policy, answer, once
	AwaitDownload  Purpose = "wait for a download"          // name
	CheckElement   Purpose = "check that an element is visible"
	CheckValue     Purpose = "check what an element shows" // type, expected
)

// Occasion says what has to be there for a tool to be of use, for who offers a model few tools at a time.
type Occasion string

// The occasions.
const (
	Anytime  Occasion = "anytime"
	AtChoice Occasion = "a list to choose from"
	AtBox    Occasion = "a box to tick"
	AtList   Occasion = "a list or a table"
	AtDialog Occasion = "an open dialog"
	AtTabs   Occasion = "a second tab"
	AtValue  Occasion = "a value of memory in the objective"
	AtFiles  Occasion = "a download"
)

// For is the tool that serves a purpose on a platform ("": on any), nil when there is none. Where one tool replaces
// another it is the one that replaces.
func (r *Registry) For(p Purpose, on driver.Platform) *Spec {
	var found *Spec
	for _, t := range r.All() {
		s := t.Spec()
		if s.Purpose != p || !s.RunsOn(on, "") {
			continue
		}
		if other, ok := r.Get(s.Replaces); !ok || !other.Spec().RunsOn(on, "") {
			return s
		}
		if found == nil {
			found = s
		}
	}
	return found
}

// Call names the tool that serves a purpose, for a hint: the purpose in words when there is none.
func (r *Registry) Call(p Purpose, on driver.Platform) string {
	if s := r.For(p, on); s != nil {
		return s.Name
	}
	return string(p)
}
