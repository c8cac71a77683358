package androidtest

import (
	"slices"
	"strconv"
)

// touch is a tap, or scrolls what is under its beginning.
func (p *Phone) touch(points [][]int) {
	if len(p.windows) == 0 || len(points) == 0 {
		return
	}
	from, to := points[0], points[len(points)-1]
	w := p.windows[p.front()]
	for _, above := range p.windows[p.front()+1:] {
		if above.box[1] <= from[2] && from[2] < above.box[3] {
			w = above
		}
	}
	if dy := to[2] - from[2]; dy > 20 || dy < -20 {
		if s := w.under(from[1], from[2], func(v *View) bool { return v.Scroll }); s != nil {
			s.offset = max(min(s.offset-dy, s.content()-s.H), 0)
			p.Changed()
		}
		return
	}
	p.taps++
	from[2] += p.Elsewhere
	v := w.under(from[1], from[2], func(v *View) bool { return v.Clickable || v.Editable })
	if v == nil || v.Disabled {
		return
	}
	if v.Editable && p.focus != v {
		p.Focus(v)
		return
	}
	p.Click(v)
}

// Focus gives a field the focus. It is for handlers.
func (p *Phone) Focus(v *View) {
	p.focus, v.caret = v, 0
	p.says(v, "focus")
	if v.Focused != nil {
		v.Focused()
	}
	p.Changed()
}

// Click has a view do what its click does. It is for handlers.
func (p *Phone) Click(v *View) {
	if v.Checkable {
		v.Checked = !v.Checked
		p.Changed()
	}
	if v.Tap != nil {
		v.Tap()
		p.Changed()
	}
	p.says(v, "click")
}

// says is the event of a view, which Android sends after the view's own work, and only while it is shown.
func (p *Phone) says(v *View, kind string) {
	for _, w := range p.windows {
		if !v.Mute && v.id > 0 && w.shows(v) {
			p.clicks = append(p.clicks, map[string]any{"id": strconv.Itoa(v.id), "kind": kind})
		}
	}
}

func (v *View) shows(o *View) bool {
	return !v.Hidden && (v == o || slices.ContainsFunc(v.Kids, func(k *View) bool { return k.shows(o) }))
}

func (v *View) under(x, y int, ok func(*View) bool) *View {
	if x < v.box[0] || x >= v.box[2] || y < v.box[1] || y >= v.box[3] {
		return nil
	}
	for _, k := range v.Kids {
		if hit := k.under(x, y, ok); hit != nil {
			return hit
		}
	}
	if ok(v) {
		return v
	}
	return nil
}
