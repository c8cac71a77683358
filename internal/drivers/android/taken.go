package android

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// click is an accessibility event of a view: it was clicked, held, or given the focus.
type click struct {
	ID   string `json:"id"` // of its node, without the window's
	Kind string `json:"kind"`
}

const gaveFocus = "focus"

// view finds the node of a view.
func (t *tree) view(id string) (found *node) {
	t.each(func(n *node) {
		if _, own, _ := strings.Cut(n.ID, "/"); own == id {
			found = n
		}
	})
	return found
}

func (t *tree) window(id int) *window {
	for _, w := range t.Windows {
		if w.ID == id {
			return w
		}
	}
	return nil
}

// catcher finds the node that gets the clicks on n: itself, the nearest one around it that takes clicks, else its
// parent, which may pass them to one of its children (a TouchDelegate).
func (n *node) catcher() *node {
	const takes = clickable | longClickable | checkable | editable
	if n.F&takes != 0 || n.parent == nil {
		return n
	}
	for p := n.parent; p != nil; p = p.parent {
		if p.F&takes != 0 {
			return p
		}
	}
	return n.parent
}

// took fails a tap that another element took, by the events of views. A view that gives no events, one that its click
// has hidden, and one that the app itself may have clicked prove nothing: the effect says why it is not known.
func (p *act) took(start *tree, n *node) error {
	if p.began == 0 {
		p.effect.Taken = "unknown: the programs of the phone say nothing of it"
		return nil
	}
	said, other := taker(start, p.before, n, int(p.effect.Point.X), int(p.effect.Point.Y))
	p.effect.Taken = said
	if other == nil {
		return nil
	}
	return fault.New(fault.NotActed, p.op, "another element took the tap: %s %s, and not %s %s",
		role(other), quoted(nameOf(other)), role(n), quoted(nameOf(n))).
		WithHint("Look at the screen: something may have moved under the finger.")
}

// taker says what took a tap on n at a point, where start is the screen before and now the one after it.
func taker(start, now *tree, n *node, x, y int) (said string, other *node) {
	said = "unknown: no view has said that it was clicked"
	_, id, _ := strings.Cut(n.ID, "/")
	if n = start.view(id); n == nil {
		return "unknown: the element has gone before the tap", nil
	}
	kept := now.view(id)
	hid := (kept == nil || !kept.F.has(visible)) && now.window(n.window.ID) != nil
	for _, c := range now.Clicks {
		if c.Kind == gaveFocus && !n.F.has(editable) {
			continue // a tap may give the focus to any field
		}
		m := start.view(c.ID)
		switch {
		case m != nil && (m.under(n.catcher()) || n.under(m) || m.window == n.window && m.B.contains(x, y)):
			return "by the element", nil
		case c.Kind == gaveFocus && (m == nil || !m.F.has(editable)):
			continue
		case m == nil: // it lay over the point, when it came with its window
			if m = now.view(c.ID); m == nil || start.window(m.window.ID) != nil {
				said = "unknown: the view that was clicked is not on the screen"
				continue
			}
		case !start.reaches(m), n.page && m.page:
			said = "unknown: another view says that it was clicked, which may be the app's work"
			continue
		case hid:
			said = "unknown: the element has gone, and what it said of its click with it"
			continue
		}
		other = m
	}
	if other != nil {
		said = "by another element"
	}
	return said, other
}

// reaches reports whether a finger can reach the middle of n.
func (t *tree) reaches(n *node) bool {
	w, hit := t.at(n.B.center())
	return w == n.window && hit != nil && (hit.under(n) || n.under(hit))
}
