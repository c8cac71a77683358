package driver

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Action is one thing a person could do. The set is sealed; a driver answers fault.Unsupported to an action that it
// does not have.
type Action interface{ action() }

// Target is the place of an action: an element (preferred: it is re-aimed if it moves), or a bare point. The zero
// Target means the element with the focus, or the middle of the screen.
type Target struct {
	Node  screen.NodeID
	Point *screen.Point // with Node: offset from the element's top left corner; alone: in the viewport
	// how long the element may take to become fit for the action; 0: as long as the driver thinks right
	Wait time.Duration
	// Seen is the number of the capture in which Node was found, when Recaller gave it. Then nothing is sent unless the
	// screen still looks like that: the error is of kind NotFound. 0: the caller knows.
	Seen uint64
}

// Button names a mouse button.
type Button string

// The buttons; "" is Left.
const (
	Left   Button = "left"
	Right  Button = "right"
	Middle Button = "middle"
)

// Tap is a tap or click.
type Tap struct {
	Target    Target
	Count     int           // 0 and 1: single; 2: double; 3: triple
	Button    Button        // mouse only
	Modifiers []string      // "Shift", "Control", "Alt", "Meta", "ControlOrMeta"
	Hold      time.Duration // > 0: a long press
	Force     bool          // skip the "receives the event" check; never set by a recording
}

// Hover moves the pointer onto the target.
type Hover struct{ Target Target }

// TypeText enters text and reads it back. The text must stay, unless the field only formats it.
type TypeText struct {
	Target Target
	Text   string
	Clear  bool // replace what is there; otherwise append at the caret
	Keys   bool // key by key, for fields that listen to keystrokes
	Secret bool // never echoed in effects, errors or logs

	HideKeyboard bool // close the on-screen keyboard afterwards, where there is one

	// Bound names the origin that each secret in the text is tied to. Into a document of any other nothing is typed; a
	// driver asks the document itself, by a way on which its page cannot answer, and not the URL.
	Bound map[string]string
}

// EraseText removes Count characters before the caret, all of them when Count is 0.
type EraseText struct {
	Target Target
	Count  int
}

// PressKey presses a key or a chord in Playwright syntax: "Enter", "Control+a", "Shift+Tab".
type PressKey struct {
	Target Target
	Key    string
}

// SelectOption chooses options of a select by label, value or index, in that order of preference.
type SelectOption struct {
	Target  Target
	Options []string
}

// SetChecked brings a checkbox, radio or switch to a state; a no-op there is evidence too.
type SetChecked struct {
	Target  Target
	Checked bool
}

// Upload puts files into a file input, or into the file chooser that tapping the target opens.
type Upload struct {
	Target Target
	Paths  []string
	// Copies is a folder that the device owns from now on and removes when it is closed: a page may read its files at any
	// time, so they must stay those that were checked. "" when the files may be read where they are.
	Copies string
}

// Scroll scrolls the page, or the container that holds Target, by DX, DY pixels; content moves up for positive DY.
type Scroll struct {
	Target Target
	DX, DY float64
}

// ScrollIntoView brings the target into view.
type ScrollIntoView struct{ Target Target }

// Swipe moves a finger (on the web: scrolls) from one point to another.
type Swipe struct {
	From, To screen.Point
	Duration time.Duration
}

// Drag presses on From, moves to To, and releases.
type Drag struct {
	From, To Target
	Duration time.Duration
}

// Pinch scales around the target: above 1 zooms in.
type Pinch struct {
	Target Target
	Scale  float64
}

func (Tap) action()            {}
func (Hover) action()          {}
func (TypeText) action()       {}
func (EraseText) action()      {}
func (PressKey) action()       {}
func (SelectOption) action()   {}
func (SetChecked) action()     {}
func (Upload) action()         {}
func (Scroll) action()         {}
func (ScrollIntoView) action() {}
func (Swipe) action()          {}
func (Drag) action()           {}
func (Pinch) action()          {}
