package driver

import (
	"time"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Effect is the evidence of an action: the element that was really hit, the changes between just before and settled,
// and why the driver thinks the device has settled. A replayed step without evidence is never green.
type Effect struct {
	Point   *screen.Point `json:"point,omitempty"`   // where the pointer went, viewport px
	Bounds  *screen.Rect  `json:"bounds,omitempty"`  // the element's box at that moment
	Method  string        `json:"method,omitempty"`  // how, when there are several ways: "insertText", "keys", "setter"
	Changes Changes       `json:"changes"`           // what changed
	Settle  Settle        `json:"settle"`            // why we stopped waiting
	Taken   string        `json:"taken,omitempty"`   // which element took a tap by what the phone tells of it: "by the element", "unknown: why"
	Retries []string      `json:"retries,omitempty"` // what had to be tried again before anything was sent, and why
	Value   string        `json:"value,omitempty"`   // the field's value read back ("" for secrets)
	URL     string        `json:"url,omitempty"`     // after
	App     string        `json:"app,omitempty"`     // the app that it started, with its version
	Status  int           `json:"status,omitempty"`  // HTTP status of a navigation's document
	Failed  string        `json:"failed,omitempty"`  // why a navigation's document did not load
	NewTabs []string      `json:"newTabs,omitempty"` // ids of tabs this opened
	Dialogs []DialogEvent `json:"dialogs,omitempty"` // dialogs it raised and how they were answered
	Files   []Download    `json:"files,omitempty"`   // downloads it started
	Errors  []string      `json:"errors,omitempty"`  // of an action without effect: what the page did not catch meanwhile
	Roams   bool          `json:"-"`                 // the page keeps changing its address by itself
	Due     bool          `json:"-"`                 // with Changes.Focused: timers that the action set have not run
	Logged  uint64        `json:"-"`                 // number of the newest console message before the action
}

// Changes are the changes that an action made on the device. All false means that nothing observable happened.
type Changes struct {
	Tree       int  `json:"tree,omitempty"` // DOM (or view tree) mutations counted
	Value      bool `json:"value,omitempty"`
	Focus      bool `json:"focus,omitempty"`
	Selection  bool `json:"selection,omitempty"` // the caret of a field moved, or other text is selected
	Scroll     bool `json:"scroll,omitempty"`
	Canvas     bool `json:"canvas,omitempty"` // the pixels of a canvas; looked at only when nothing else changed
	URL        bool `json:"url,omitempty"`
	Navigation bool `json:"navigation,omitempty"` // a new document
	Requests   int  `json:"requests,omitempty"`   // network requests the action started
	Tabs       bool `json:"tabs,omitempty"`
	Dialog     bool `json:"dialog,omitempty"`
	Download   bool `json:"download,omitempty"`
	Own        int  `json:"own,omitempty"`    // changes that the screen made by itself meanwhile; no effect
	Unsure     int  `json:"unsure,omitempty"` // changes that it may have made by itself; no effect
	// the state asked for was read back: the value, the option, :checked, :hover
	Verified bool `json:"verified,omitempty"`
	// a press gave the element the focus; no effect unless keyboard input uses it
	Focused  bool `json:"focused,omitempty"`
	Received bool `json:"received,omitempty"` // the element got the event (and a handler or default action could run)
}

// Any reports whether anything beyond reception of the event changed, or the state asked for was read back.
func (c Changes) Any() bool {
	return c.Verified || c.Tree > 0 || c.Value || c.Focus || c.Selection || c.Scroll || c.Canvas || c.URL ||
		c.Navigation || c.Requests > 0 || c.Tabs || c.Dialog || c.Download
}

// BeyondFocus reports whether more changed than the place of the focus and the caret, and the scrolling to it.
func (c Changes) BeyondFocus() bool {
	c.Scroll = c.Scroll && !c.Focus
	c.Focus, c.Selection = false, false
	return c.Any()
}

// Settle holds the reason why waiting ended.
type Settle struct {
	Reason  string        `json:"reason"`            // "quiet", "navigated", "busy" (never came to rest within the cap), "dialog", "closed"
	Waited  time.Duration `json:"waited"`            // how long
	Pending []string      `json:"pending,omitempty"` // with "busy": what was still going on
}

// DialogEvent is a dialog that came up and the answer it got.
type DialogEvent struct {
	screen.Dialog
	Accepted bool   `json:"accepted"`
	Answer   string `json:"answer,omitempty"`
}

// Download is a file the device received.
type Download struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Name  string `json:"name"` // suggested file name, already reduced to a base name
	Path  string `json:"path"` // where it is kept
	Bytes int64  `json:"bytes"`
	State string `json:"state"` // "inProgress", "completed", "canceled"
}
