package android_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/androidtest"
)

type view = androidtest.View

// A tap that another element took fails, also when the screen changes by it, and names both.
func TestTakenElsewhere(t *testing.T) {
	for name, show := range map[string]func(p *androidtest.Phone, open func()){
		"another button": func(p *androidtest.Phone, open func()) {
			p.Show(androidtest.Button("Save", nil), androidtest.Button("Delete", open))
		},
		"another row": func(p *androidtest.Phone, open func()) {
			row := func(text string, tap func()) *view {
				return &view{Class: "android.widget.LinearLayout", Clickable: true, Tap: tap, Kids: []*view{androidtest.Label(text)}}
			}
			p.Show(&view{Class: "android.widget.ListView", Kids: []*view{row("Save", nil), row("Delete", open)}})
		},
		"another button, whose click brings the next screen": func(p *androidtest.Phone, _ func()) {
			p.Show(androidtest.Button("Save", nil), androidtest.Button("Delete", func() {
				p.Open(androidtest.Label("Deleted")).Top = 100
			}))
		},
		"another field": func(p *androidtest.Phone, _ func()) {
			field := func(name string) *view { return &view{Class: "android.widget.EditText", Hint: name, Editable: true} }
			p.Show(field("Save"), field("Delete"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, p := standIn(t)
			show(p, func() { p.Open(androidtest.Label("Deleted")) })
			p.Do(func() { p.Elsewhere = 130 })
			_, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Save").ID}})
			if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), `"Save"`) || !strings.Contains(err.Error(), `"Delete"`) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A tap that the element took passes, however its app takes it.
func TestTakenRight(t *testing.T) {
	const by, unknown = "by the element", "unknown: "
	for name, c := range map[string]struct {
		taken string
		show  func(p *androidtest.Phone, done func())
	}{
		"by itself": {by, func(p *androidtest.Phone, done func()) { p.Show(androidtest.Button("Save", done)) }},
		"by the row around it": {by, func(p *androidtest.Phone, done func()) {
			p.Show(&view{Class: "android.widget.LinearLayout", Clickable: true, Tap: done, Kids: []*view{androidtest.Label("Save")}})
		}},
		"by the box beside it, in its row": {by, func(p *androidtest.Phone, done func()) {
			box := &view{Class: "android.widget.CheckBox", Text: "Box", Clickable: true, Checkable: true, Tap: done}
			p.Show(&view{Class: "android.widget.LinearLayout", Clickable: true, Mute: true, Tap: func() { p.Click(box) }, Kids: []*view{
				androidtest.Label("Save"), box,
			}})
		}},
		"by what it lies over": {by, func(p *androidtest.Phone, done func()) {
			p.Show(&view{Class: "android.widget.FrameLayout", Kids: []*view{
				{Class: "android.widget.ImageView", Desc: "Card", Clickable: true, Tap: done, Top: 100, H: 400},
				{Class: "android.widget.TextView", Text: "Save", Top: 200},
			}})
		}},
		"by itself, and the app clicks another": {by, func(p *androidtest.Phone, done func()) {
			tab := androidtest.Button("Orders", done)
			p.Show(androidtest.Button("Save", func() { p.Click(tab) }), tab)
		}},
		"the app clicks another, which hides it": {unknown, func(p *androidtest.Phone, done func()) {
			tab, save := androidtest.Button("Orders", done), androidtest.Button("Save", nil)
			save.Tap = func() { p.Click(tab); save.Hidden = true }
			p.Show(save, tab)
		}},
		"the app clicks one behind it": {unknown, func(p *androidtest.Phone, done func()) {
			behind := androidtest.Button("Behind", done)
			behind.Top = 850
			p.Show(behind)
			p.Do(func() { p.Open(androidtest.Button("Save", func() { p.Click(behind); p.Close() })) })
		}},
		"a view that says nothing": {unknown, func(p *androidtest.Phone, done func()) {
			save := androidtest.Button("Save", done)
			save.Mute = true
			p.Show(save)
		}},
		"its click closes its window": {unknown, func(p *androidtest.Phone, done func()) {
			p.Show(androidtest.Button("Behind", nil))
			p.Do(func() { p.Open(androidtest.Button("Save", func() { done(); p.Close() })) })
		}},
		"it hides itself": {unknown, func(p *androidtest.Phone, done func()) {
			save := androidtest.Button("Save", nil)
			save.Tap = func() { done(); save.Hidden = true }
			p.Show(save)
		}},
		"it gives a field the focus": {by, func(p *androidtest.Phone, done func()) {
			name := &view{Class: "android.widget.EditText", Hint: "Name", Editable: true}
			p.Show(name, androidtest.Button("Save", func() { done(); p.Focus(name) }))
		}},
		"a field that gives the focus on": {by, func(p *androidtest.Phone, done func()) {
			first := &view{Class: "android.widget.EditText", Hint: "First", Editable: true}
			p.Show(first, &view{Class: "android.widget.EditText", Hint: "Save", Editable: true, Focused: func() { done(); p.Focus(first) }})
		}},
		"a row whose view shows another item then": {by, func(p *androidtest.Phone, done func()) {
			row := &view{Class: "android.widget.TextView", Text: "Save", Clickable: true}
			row.Tap = func() { done(); row.Text = "Bread" }
			p.Show(&view{Class: "android.widget.ListView", Kids: []*view{row}})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d, p := standIn(t)
			taken := false
			c.show(p, func() { taken = true })
			e, err := d.Perform(t.Context(), driver.Tap{Target: driver.Target{Node: named(t, look(t, d), "Save").ID}})
			if err != nil || !taken || !strings.HasPrefix(e.Taken, c.taken) {
				t.Errorf("%+v, %v, done: %t", e, err, taken)
			}
		})
	}
}
