package android

import (
	"slices"
	"strings"
)

// tree is what the helper says of the screen: its windows, the one in front first.
type tree struct {
	Windows   []*window `json:"windows"`
	Changes   int64     `json:"changes"` // of the screen when the walk began
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	Rotation  int       `json:"rotation"`
	Truncated bool      `json:"truncated"`
	Clicks    []click   `json:"clicks"` // since the time that was asked for

	reasons []string // why it may lack something
}

type window struct {
	ID      int    `json:"id"`
	Type    string `json:"type"`
	Layer   int    `json:"layer"`
	Title   string `json:"title"`
	B       box    `json:"b"`
	Focused bool   `json:"focused"`
	Active  bool   `json:"active"`
	Root    *node  `json:"root"`
}

// The types of windows.
const (
	appWindow      = "application"
	keyboardWindow = "keyboard"
	systemWindow   = "system"
)

// node is an accessibility node. What it does not have is nil.
type node struct {
	ID       string    `json:"id"`
	Class    *string   `json:"cls"`
	Resource *string   `json:"res"`
	Unique   *string   `json:"uid"`
	Text     *string   `json:"text"`
	Desc     *string   `json:"desc"`
	Hint     *string   `json:"hint"`
	Label    *string   `json:"label"`
	State    *string   `json:"state"`
	Pane     *string   `json:"pane"`
	RoleDesc *string   `json:"roleDesc"`
	Tag      *string   `json:"tag"`
	Web      *string   `json:"web"` // the role of an element of a page, by Chromium's name
	Package  *string   `json:"pkg"`
	Err      *string   `json:"err"`
	F        flags     `json:"f"`
	Input    int       `json:"input"`
	Row      *int      `json:"row"`
	Col      *int      `json:"col"`
	Range    []float64 `json:"range"`
	Sel      []int     `json:"sel"`
	Order    int       `json:"order"`
	B        box       `json:"b"`
	Kids     []*node   `json:"kids"`

	parent *node
	window *window
	page   bool // it is an element of a page that a WebView shows
	behind bool // it is in a part that the app has hidden from accessibility, as what an open drawer lies over
}

// flags are the yes and no of a node, with the bits of Walker.java.
type flags uint32

const (
	enabled flags = 1 << iota
	clickable
	longClickable
	checkable
	checked
	selected
	focused
	focusable
	editable
	scrollable
	password
	heading
	multiLine
	visible
	hintShown
	invalid
	expandable
	expanded
	forward
	backward
	collection
	important
	setsText
	partial
)

func (f flags) has(g flags) bool { return f&g == g }

// box is left, top, right, bottom in pixels of the screen.
type box [4]int

func (b box) empty() bool { return b[2] <= b[0] || b[3] <= b[1] }

func (b box) contains(x, y int) bool { return x >= b[0] && y >= b[1] && x < b[2] && y < b[3] }

func (b box) center() (x, y int) { return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2 }

func (b box) within(o box) box {
	return box{max(b[0], o[0]), max(b[1], o[1]), min(b[2], o[2]), min(b[3], o[3])}
}

// link orders the windows from the front and gives each node its parent and window.
func (t *tree) link() {
	slices.SortStableFunc(t.Windows, func(a, b *window) int { return b.Layer - a.Layer })
	for _, w := range t.Windows {
		var walk func(n, parent *node)
		walk = func(n, parent *node) {
			n.parent, n.window = parent, w
			n.page = parent != nil && (parent.page || parent.isWebView())
			if n.isWebView() && !n.page && n.F.has(visible) && !n.B.empty() && len(n.Kids) == 0 {
				t.reasons = append(t.reasons, "a WebView has not shown the elements of its page yet")
			}
			if n.F.has(partial) {
				t.reasons = append(t.reasons, "the app did not answer for a part of the screen")
			}
			for _, k := range n.Kids {
				walk(k, n)
			}
		}
		if w.Root != nil {
			walk(w.Root, nil)
			w.hideParts()
		}
	}
	if t.Truncated {
		t.reasons = append(t.reasons, "the screen has more elements than are read")
	}
	if len(t.Windows) == 0 {
		t.reasons = append(t.reasons, "the phone shows no window that can be read")
	}
	slices.Sort(t.reasons)
	t.reasons = slices.Compact(t.reasons)
}

// hideParts marks the parts of a window that accessibility is to leave out, while it is not to leave out others: all
// is unimportant in them, also two and more elements that take taps. Of elements that a view draws itself, and of those
// of pages, not all libraries say whether they are important.
func (w *window) hideParts() {
	const takes = clickable | longClickable | checkable | editable
	var count func(n *node) (taps, important int)
	parts, others := []*node{}, 0
	count = func(n *node) (taps, told int) {
		if n.F.has(important) || n.page || n.isWebView() || n.drawn() {
			told = 1
		}
		if n.F&takes != 0 {
			taps = 1
			if n.F.has(important) {
				others++
			}
		}
		for _, k := range n.Kids {
			a, b := count(k)
			taps, told = taps+a, told+b
			if b == 0 && a > 1 {
				parts = append(parts, k)
			}
		}
		return taps, told
	}
	if count(w.Root); others == 0 {
		return
	}
	for _, p := range parts {
		p.each(func(n *node) { n.behind = true })
	}
}

// drawn reports whether a view draws an element itself: the upper half of the number of a view is -1, see Walker.idOf.
func (n *node) drawn() bool {
	_, number, ok := strings.Cut(n.ID, ":")
	return ok && !strings.HasPrefix(number, "ffffffff")
}

// each calls fn with each node, from the front window to the back.
func (t *tree) each(fn func(*node)) {
	for _, w := range t.Windows {
		w.each(fn)
	}
}

func (w *window) each(fn func(*node)) {
	if w.Root != nil {
		w.Root.each(fn)
	}
}

func (n *node) each(fn func(*node)) {
	fn(n)
	for _, k := range n.Kids {
		k.each(fn)
	}
}

// under reports whether n is a or stands below it.
func (n *node) under(a *node) bool {
	for ; n != nil; n = n.parent {
		if n == a {
			return true
		}
	}
	return false
}

// isWebView reports whether n is a WebView or the document of a page in one, which has the same class.
func (n *node) isWebView() bool { return base(text(n.Class)) == "WebView" }

// above finds the nearest ancestor with all of these flags.
func (n *node) above(f flags) *node {
	for p := n.parent; p != nil; p = p.parent {
		if p.F.has(f) {
			return p
		}
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// front is the window that takes keys, else the frontmost of an app.
func (t *tree) front() *window {
	var first *window
	for _, w := range t.Windows {
		switch {
		case w.Type != appWindow:
		case w.Focused, w.Active:
			return w
		case first == nil:
			first = w
		}
	}
	return first
}

// isDialog reports whether w is the window in front and smaller than the screen. Two apps may share a screen: a window
// that is as wide or as high, with nothing behind it, is one of theirs.
func (t *tree) isDialog(w *window) bool {
	b := w.Root.B // the window's own may be all of the screen, where it takes all touches
	wide, high := b[0] <= 0 && b[2] >= t.Width, b[1] <= 0 && b[3] >= t.Height
	return w == t.front() && !(wide && high) && !((wide || high) && t.hindmost(w))
}

// hindmost reports whether no other app's window is behind. Android lists none behind a window that takes every touch.
func (t *tree) hindmost(w *window) bool {
	apps := slices.DeleteFunc(slices.Clone(t.Windows), func(w *window) bool { return w.Type != appWindow })
	return len(apps) > 0 && apps[len(apps)-1] == w
}

// keyboard reports whether one is shown.
func (t *tree) keyboard() bool {
	return slices.ContainsFunc(t.Windows, func(w *window) bool { return w.Type == keyboardWindow })
}

// foremost reports whether no other window of an app lies in front of the one of an element.
func (t *tree) foremost(id string) (ok bool) {
	for _, w := range t.Windows {
		if w.Type == appWindow {
			w.each(func(n *node) { ok = ok || identity(n) == id })
			return ok
		}
	}
	return false
}

// app is the package of the app in front.
func (t *tree) app() string {
	if w := t.front(); w != nil && w.Root != nil {
		return text(w.Root.Package)
	}
	return ""
}

// at finds the node in front at a point: in the frontmost window there, the one that was drawn last and is deepest.
func (t *tree) at(x, y int) (*window, *node) {
	for _, w := range t.Windows {
		if w.Root == nil || !w.B.contains(x, y) {
			continue
		}
		return w, w.Root.at(x, y)
	}
	return nil, nil
}

func (n *node) at(x, y int) *node {
	if !n.B.contains(x, y) || !n.F.has(visible) {
		return nil
	}
	kids := slices.Clone(n.Kids)
	slices.Reverse(kids) // the elements of a page have no order: the later one is drawn above
	slices.SortStableFunc(kids, func(a, b *node) int { return b.Order - a.Order })
	for _, k := range kids {
		if hit := k.at(x, y); hit != nil {
			return hit
		}
	}
	return n
}

// coverOf names what would get a tap at a point in place of n: a window above, or something that takes touches and was
// drawn over it. "" when n or a part of it gets the tap.
func (t *tree) coverOf(n *node, x, y int) string {
	w, hit := t.at(x, y)
	switch {
	case w == n.window && n.behind:
		return "the app has put what it is in behind something else, as an open drawer"
	case w == nil:
		return "no window is there"
	case w != n.window:
		return "another window is above it: " + w.name()
	case hit == nil || hit.under(n) || n.under(hit):
		return ""
	}
	for p := hit; p != nil && !n.under(p); p = p.parent {
		if p.F&(clickable|longClickable|scrollable|editable|collection) != 0 { // a list takes touches beside its rows
			return "something else lies over it: " + role(p) + " " + quoted(nameOf(p))
		}
	}
	return ""
}

// apart reports whether what a window holds changes without the app: a keyboard's proposals, and the clock and the
// signs of a bar of the system. That such a window comes or goes is an effect all the same.
func (w *window) apart() bool {
	return w.Type == keyboardWindow || w.Type == systemWindow && !w.Focused && !w.Active
}

func (w *window) name() string {
	switch w.Type {
	case keyboardWindow:
		return "the keyboard"
	case appWindow:
		if w.Title != "" {
			return quoted(w.Title)
		}
		return "an app's"
	}
	return "a " + w.Type + " window " + quoted(w.Title)
}
