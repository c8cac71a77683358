package locator

import (
	"fmt"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/identity"
)

// Target names an element. It is embedded in the input of every tool that acts on one.
type Target struct {
	Ref          string                `json:"ref,omitempty" jsonschema:"the element: a ref of the last snapshot (e5), css=<selector>, a descriptor such as button \"Save\", a role, or its text"`
	NodeSelector *screen.Selector      `json:"nodeSelector,omitempty" jsonschema:"durable selector of the element, as recordings keep it; all its fields must hold"`
	Fingerprint  *identity.Fingerprint `json:"fingerprint,omitempty" jsonschema:"who the element was when it was recorded; an element that differs is not touched"`
}

// Empty reports whether the target names nothing.
func (t Target) Empty() bool { return t.Ref == "" && t.NodeSelector == nil }

// Query is everything one can say about the element to find.
type Query struct {
	Target
	Text     string // rendered text, part of it, never inside a word
	Name     string // accessible name, likewise
	Control  bool   // with Text: the control that the text labels is meant, by its name if no text is rendered
	ID       string // test id or id attribute
	Index    *int   // which of the matches of Text, Name and ID; nil: an action needs a single one
	Enabled  *bool  // with Text, Name and ID
	Selected *bool  // with Text, Name and ID
	Within   *Query // only what lies in an element that this one names
	Timeout  time.Duration
	Once     bool // judge at the screen once, wait for nothing
	Hidden   bool // for See: what nobody can see will do

	Fits func(*screen.Node) bool // with Ref: what the action can be done to, such as fields; nil: anything

	one   bool // several matches are an error
	parts bool // a part of a word will do where nothing better is there
}

// Found is a resolved element and the capture it was found in.
type Found struct {
	Node     *screen.Node
	Snapshot *screen.Snapshot
	Matches  int // how many elements the query matched
}

// Fingerprint returns the identity of the element now.
func (f *Found) Fingerprint() identity.Fingerprint { return identity.Of(f.Snapshot, f.Node) }

// Timeouts that hold when the caller gives none.
const (
	ActionTimeout    = 10 * time.Second // an element that is to be acted on
	AssertionTimeout = 5 * time.Second
	// a snapshot ref that is not on the screen: it can only come back, nothing else can take it
	staleTimeout = time.Second
	// a ref from a caller that looks at the screen: it sees the mistake and tries again
	liveTimeout  = 1500 * time.Millisecond
	doubtTimeout = 300 * time.Millisecond // several elements of one name: one of them may be about to go
)

// IsSnapshotRef reports whether ref has the form of a ref that a snapshot printed, such as e5, [e5] or @e5. Such a ref
// names one element or none; it is never read as a text.
func IsSnapshotRef(ref string) bool {
	_, ok := screen.RefOf(ref)
	return ok
}

// String describes in words the element looked for.
func (q Query) String() string {
	var parts []string
	if q.NodeSelector != nil {
		parts = append(parts, Describe(*q.NodeSelector))
	}
	if q.Ref != "" && (q.NodeSelector == nil || !IsSnapshotRef(q.Ref)) {
		parts = append(parts, "ref "+q.Ref)
	}
	if q.Text != "" {
		parts = append(parts, fmt.Sprintf("text %q", q.Text))
	}
	if q.Name != "" {
		parts = append(parts, fmt.Sprintf("name %q", q.Name))
	}
	if q.ID != "" {
		parts = append(parts, fmt.Sprintf("id %q", q.ID))
	}
	for _, state := range []struct {
		name string
		want *bool
	}{{"enabled", q.Enabled}, {"selected", q.Selected}} {
		if state.want != nil {
			parts = append(parts, fmt.Sprintf("%s=%t", state.name, *state.want))
		}
	}
	if q.Index != nil && *q.Index > 0 {
		parts = append(parts, fmt.Sprintf("index %d", *q.Index))
	}
	if q.Within != nil {
		parts = append(parts, "in "+q.Within.String())
	}
	if len(parts) == 0 {
		return "no element named"
	}
	return strings.Join(parts, ", ")
}

// Empty reports whether the query names no element at all.
func (q Query) Empty() bool { return q.Target.Empty() && q.Text == "" && q.Name == "" && q.ID == "" }

// css lists the CSS selectors that a capture of dev has to evaluate for this query; without dev, those that it says.
func (q Query) css(dev driver.Device) []string {
	var out []string
	if q.NodeSelector != nil {
		out = append(out, q.NodeSelector.CSSQueries()...)
	}
	if q.Ref != "" {
		out = append(out, screen.LocateCSS(q.Ref)...)
		if r, ok := driver.As[driver.RefQuerier](dev); ok {
			out = append(out, r.RefQuery(q.Ref)...)
		}
	}
	if q.Within != nil {
		out = append(out, q.Within.css(dev)...)
	}
	return out
}

// CSSRef turns the selector of a tool that takes CSS into a ref. A text in the form of a ref stays one, and so does a
// role with a name.
func CSSRef(selector string) string {
	if selector == "" || IsSnapshotRef(selector) || strings.HasPrefix(selector, "css=") ||
		descriptor().MatchString(selector) {
		return selector
	}
	return "css=" + selector
}
