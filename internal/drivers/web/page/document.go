package page

import (
	"encoding/json"
	"errors"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// ErrStale means that a delta does not fit the mirror: Reset it and capture again.
var ErrStale = errors.New("capture is a delta against another version")

// Document mirrors the tree of one frame's document. Node ids are the script's numbers: they grow
// and are never reused within one document; the driver maps (document, number) to a screen.NodeID
// of its own.
type Document struct {
	Info Info // as of the last Apply
	Cut  bool // the last Tree holds only the beginning of a text that is too long

	version int
	nodes   map[int64]*entry
	root    *entry
	asked   []string // the selectors of the last Request
	answers []answer
}

// Info holds the facts of a capture about its document besides the tree.
type Info struct {
	URL      string
	Title    string
	Ready    string  // document.readyState
	Width    float64 // viewport, CSS px
	Height   float64
	ScrollX  float64
	ScrollY  float64
	Focus    int64   // the focused element, innermost over shadow trees; 0 when none
	Frames   []Frame // the frame elements in document order
	Suspects []int64 // elements not yet checked that may hold a closed shadow root, see RegisterCall
}

// Frame is an element that shows another document.
type Frame struct {
	Element int64       // its number in this document
	Content screen.Rect // where the inner document's viewport lies, in this document's viewport px
}

// Request returns the argument of the script's capture, given the state of the mirror. The result is a string; hand
// it to Apply. Selectors in css are evaluated in the same instant.
func (d *Document) Request(css []string, full bool) Request {
	d.asked = css
	return Request{d.version, css, full}
}

// Request asks for a capture.
type Request struct {
	Have int      `json:"have,omitempty"` // the version of the mirror
	CSS  []string `json:"css,omitempty"`
	Full bool     `json:"full,omitempty"` // what the script remembers does not count
}

// String is the request as JSON.
func (r Request) String() string {
	raw, err := json.Marshal(r)
	if err != nil {
		return "{}" // cannot happen: strings, ints and bools only
	}
	return string(raw)
}

// Reset forgets everything; the next Request asks for the whole tree.
func (d *Document) Reset() { *d = Document{} }

// Apply takes a capture: the string that the expression of Request returned. It answers ErrStale,
// and leaves the mirror as it was, when the result does not fit what the mirror has.
func (d *Document) Apply(result string) error { return d.apply(result) }

// Tree is a fresh copy of the mirrored tree that belongs to the caller: ids are the script's
// numbers, refs and Parent are unset. It is nil before the first Apply.
func (d *Document) Tree() *screen.Node {
	d.Cut = false
	if d.root == nil {
		return nil
	}
	root := d.root.copy(&d.Cut)
	cssPaths(root)
	return root
}

// Matches are the numbers of the elements that selector css matched in the last Apply, in document
// order. The error text is "" unless the selector is invalid.
func (d *Document) Matches(css string) (ids []int64, invalid string) {
	for _, a := range d.answers {
		if a.index < len(d.asked) && d.asked[a.index] == css {
			return a.ids, a.invalid
		}
	}
	return nil, ""
}
