package screen

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/trailblaze-dev/trailblaze/screen/words"
)

// NodeID names one element for as long as it lives, across captures of one device session. It is never reused in that
// session, so a stale id can fail but cannot hit another element.
type NodeID int64

// Node is one element of a captured screen. Names, roles and states follow the platform's accessibility rules (on the
// web: W3C accname 1.2 and HTML-AAM). All lengths are CSS pixels (web) or dp (phones), relative to the viewport.
type Node struct {
	ID  NodeID `json:"id"`
	Ref string `json:"ref,omitempty"` // what a person or model types to act on it ("e12"); "" when nothing could act on it

	Role        string     `json:"role"`
	Name        string     `json:"name,omitempty"`        // accessible name, white space as the name rules leave it
	Description string     `json:"description,omitempty"` // accessible description
	Value       string     `json:"value,omitempty"`       // current value, white space kept; "" for a password field
	Text        string     `json:"text,omitempty"`        // rendered own text of an element that has no text child nodes
	State       State      `json:"state,omitempty"`
	Visibility  Visibility `json:"vis,omitempty"`
	Bounds      Rect       `json:"bounds"`
	NoBox       bool       `json:"noBox,omitempty"`  // a phone reported no box, which is another thing than one of zeros
	Level       int        `json:"level,omitempty"`  // heading level 1–9
	Range       *Range     `json:"range,omitempty"`  // sliders, spin buttons, progress
	Scroll      *Overflow  `json:"scroll,omitempty"` // set on scroll containers

	SplitSecret bool `json:"-"` // its text is a part of a secret that the page took apart: compared, never written out

	Native Native `json:"-"` // the driver's own vocabulary for this node, see native.go; encoded under its own key

	Parent   *Node   `json:"-"`
	Children []*Node `json:"children,omitempty"` // in reading (flat tree) order; frames and shadow trees are spliced in
}

// State is the set of states that are true of a node.
type State uint32

// The states. They reach disk as bits: append only.
const (
	Disabled State = 1 << iota
	Checked
	Mixed // neither checked nor unchecked; a pressed toggle in between
	Checkable
	Selected
	Expanded
	Expandable
	Pressed
	Focused
	Focusable
	ReadOnly
	Required
	Invalid
	Editable
	Multiline
	Password
	Modal
	Busy
	Draggable
	Clickable // a person could act on it: native control, handler or pointer cursor
	Landmark
	HasPopup
	Current
	Masked // its pixels and value must not leave the process
)

// Has reports whether all bits of t are set.
func (s State) Has(t State) bool { return s&t == t }

// Visibility says whether a person could see the node, and if not, why. Only Visible passes a visibility assertion.
type Visibility uint8

// The values reach disk: append only.
const (
	Visible     Visibility = 0
	Offscreen   Visibility = 1 // scrolling its page or container would show it
	Covered     Visibility = 2 // something opaque lies on top of it
	Clipped     Visibility = 3 // an ancestor cuts it away and no scrolling shows it; or it lies off the page
	Transparent Visibility = 4 // opacity (nearly) zero
	Hidden      Visibility = 5 // display, visibility, closed disclosure, zero size
)

// Range is the range of a control that has one.
type Range struct {
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
	Now  float64 `json:"now"`
	Step float64 `json:"step,omitempty"`
}

// Overflow counts the pixels of content that a scroll container hides on each side.
type Overflow struct {
	Above int `json:"above,omitempty"`
	Below int `json:"below,omitempty"`
	Left  int `json:"left,omitempty"`
	Right int `json:"right,omitempty"`
}

// Rect is a box in viewport pixels.
type Rect struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Point is a place in viewport pixels.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Center is the middle of the box.
func (r Rect) Center() Point { return Point{r.X + r.W/2, r.Y + r.H/2} }

// Empty reports whether the box has no area.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether p lies in the box; the right and bottom edges are outside.
func (r Rect) Contains(p Point) bool {
	return p.X >= r.X && p.Y >= r.Y && p.X < r.X+r.W && p.Y < r.Y+r.H
}

// Descriptor returns the name of an element for people and traces: button "Save". It is a form of ref, see
// LocateFor.
func (n *Node) Descriptor() string {
	if name := n.Called(); name != "" {
		return n.Role + " " + fmt.Sprintf("%q", words.Squeeze(name))
	}
	return n.Role
}

// Called returns the name of a node: its accessible name, or its text when it has no name of its own and its role
// gives it none, as with a div that is a button only by its handler.
func (n *Node) Called() string {
	if n.Name == "" && n.Role == "generic" {
		return n.Text
	}
	return n.Name
}

// Ancestor returns n or the closest node around it of one of these roles, or nil.
func Ancestor(n *Node, roles ...string) *Node {
	for ; n != nil; n = n.Parent {
		if slices.Contains(roles, n.Role) {
			return n
		}
	}
	return nil
}

// descendants are all nodes below n.
func descendants(n *Node) iter.Seq[*Node] {
	return func(yield func(*Node) bool) { visit(n, yield) }
}

func visit(n *Node, yield func(*Node) bool) bool {
	for _, c := range n.Children {
		if !yield(c) || !visit(c, yield) {
			return false
		}
	}
	return true
}

// Preorder lists n and everything below it in reading order. A nil n has nothing.
func Preorder(n *Node) []*Node {
	if n == nil {
		return nil
	}
	var out []*Node
	var walk func(n *Node)
	walk = func(n *Node) {
		out = append(out, n)
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(n)
	return out
}

// Boxed reports whether n has a box. A box of zeros means none on the web; phones do report boxes of zeros, and
// have a separate mark for none.
func Boxed(n *Node) bool {
	if n.Bounds != (Rect{}) {
		return true
	}
	switch n.Native.(type) {
	case nil, *Web:
		return false
	}
	return !n.NoBox
}

// Order sorts by (top, left); nodes without a box come last, and ties keep reading order.
func Order(nodes []*Node) {
	slices.SortStableFunc(nodes, func(a, b *Node) int {
		if x, y := Boxed(a), Boxed(b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Bounds.Y, b.Bounds.Y), cmp.Compare(a.Bounds.X, b.Bounds.X))
	})
}

// InSight reports whether a person can see n, scrolling allowed.
func (n *Node) InSight() bool { return n.Visibility <= Offscreen }

// OnPage reports whether n has a place on its page, though it may have to be scrolled to, or be covered.
func (n *Node) OnPage() bool { return n.Visibility <= Covered }

// Undrawn reports whether nothing of n is drawn.
func Undrawn(n *Node) bool { return n.Visibility == Hidden || n.Visibility == Transparent }

// Pick returns the nodes that ok accepts.
func Pick(all []*Node, ok func(*Node) bool) []*Node {
	var out []*Node
	for _, n := range all {
		if ok(n) {
			out = append(out, n)
		}
	}
	return out
}

// Within reports whether n is, or lies in, place.
func Within(n, place *Node) bool {
	for ; n != nil; n = n.Parent {
		if n == place {
			return true
		}
	}
	return false
}

// Reason returns the reason why a person does not see the element, "" when they can.
func (v Visibility) Reason() string {
	switch v {
	case Visible, Offscreen:
		return ""
	case Covered:
		return "is covered by something else"
	case Clipped:
		return "is cut away by what it lies in"
	case Transparent:
		return "is transparent"
	}
	return "is hidden"
}

// Mark returns the visibility as a state.
func (v Visibility) Mark() string {
	switch v {
	case Covered:
		return "covered"
	case Clipped:
		return "clipped"
	case Transparent:
		return "transparent"
	}
	return "hidden"
}

// ActsBelow reports whether something below n can be acted on.
func ActsBelow(n *Node) bool {
	for _, c := range n.Children {
		if c.Ref != "" || ActsBelow(c) {
			return true
		}
	}
	return false
}

// InReadingOrder compares two boxes by their middles: from the top, then from the left.
func InReadingOrder(a, b Rect) int {
	return cmp.Or(cmp.Compare(a.Y+a.H/2, b.Y+b.H/2), cmp.Compare(a.X+a.W/2, b.X+b.W/2))
}
