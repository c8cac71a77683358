package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// TestSelectionIsAnEffect proves that moving the caret of a field, or selecting in it, counts as
// having done something, and that the caret which any click leaves in plain text does not.
func TestSelectionIsAnEffect(t *testing.T) {
	t.Parallel()
	const html = `<textarea>one two</textarea><div contenteditable>three four</div><p>plain words</p>`
	click := func(css string) func(d *Device) driver.Action {
		return func(d *Device) driver.Action { return driver.Tap{Target: at(node(t, d, css))} }
	}
	press := func(key string) func(d *Device) driver.Action {
		return func(*Device) driver.Action { return driver.PressKey{Key: key} }
	}
	tests := []struct {
		name string
		do   []func(d *Device) driver.Action // the last one is judged
		want bool
	}{
		{"Home in a text area", []func(d *Device) driver.Action{click("textarea"), press("Home")}, true},
		{"Home a second time", []func(d *Device) driver.Action{click("textarea"), press("Home"), press("Home")}, false},
		{"select all in a text area", []func(d *Device) driver.Action{click("textarea"), press("Control+a")}, true},
		{"Home in rich text", []func(d *Device) driver.Action{click("div"), press("End"), press("Home")}, true},
		{"a click that moves the caret", []func(d *Device) driver.Action{click("div"), press("Home"), click("div")}, true},
		{"a click on plain text", []func(d *Device) driver.Action{click("p"), click("p")}, false},
		{"select all on a page", []func(d *Device) driver.Action{press("Control+a")}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := actPage(t, html)
			var e *driver.Effect
			for _, do := range tt.do {
				e = perform(t, d, do(d))
			}
			if e.Changes.Selection != tt.want || e.Changes.Any() != tt.want {
				t.Errorf("changes are %+v, want a moved selection and nothing else to be %v", e.Changes, tt.want)
			}
		})
	}
}

// TestEffectInAnotherFrame proves that an action has an effect when all that it changes is in
// another frame, and none when that frame changes only by itself.
func TestEffectInAnotherFrame(t *testing.T) {
	t.Parallel()
	const quiet = `<button onmousedown="event.preventDefault()" onclick="%DO%">Go</button>`
	tests := []struct {
		name, do, frame string
		want            bool
	}{
		{"it changes the frame", `frames[0].document.body.append('more')`, `<p>text`, true},
		{"it changes nothing", ``, `<p>text`, false},
		{"a clock ticks in the frame", ``, `<p id=p></p><script>setInterval(() => { p.textContent = performance.now() }, 40)</script>`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := actPages(t, map[string]string{"/": strings.Replace(quiet, "%DO%", tt.do, 1) + `<iframe src=/f></iframe>`, "/f": tt.frame}, DeviceOptions{})
			docAt(t, d, "/f")
			const known = `new Promise((go) => { // until a clock has ticked for long enough to be known as one
				const w = frames[0], p = w.document.getElementById('p');
				if (!p) return go();
				let n = 0, first;
				new w.MutationObserver(() => {
					const now = performance.now();
					first ??= now;
					if (++n > 10 && now - first > 800) go();
				}).observe(p, { childList: true });
			})`
			if _, err := d.Evaluate(deadline(t), known, 0); err != nil {
				t.Fatal(err)
			}
			if e := perform(t, d, driver.Tap{Target: at(node(t, d, "button"))}); e.Changes.Any() != tt.want {
				t.Errorf("changes are %+v, want any: %v", e.Changes, tt.want)
			}
		})
	}
}

// TestGivenFocusIsTold proves that a press says when all it did was to give what is pressed the
// focus, and calls that no effect.
func TestGivenFocusIsTold(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, html    string
		focused, some bool
	}{
		{"a button", `<button class=x>Go</button>`, true, false},
		{"a button that has it already", `<button class=x autofocus>Go</button>`, false, false},
		{"text in an element that takes it", `<div tabindex=0><b class=x>Go</b></div>`, true, false},
		{"a label of a button", `<label class=x for=b>Go</label><button id=b>B</button>`, true, false},
		{"a field", `<input class=x>`, false, true},
		{"text that takes none", `<p class=x>Go</p>`, false, false},
		{"a button that gives it away", `<button class=x onclick="i.focus()">Go</button><a href=# id=i>A</a>`, false, true},
		{"a button that does not take it", `<button class=x onmousedown="event.preventDefault()">Go</button>`, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := actPage(t, tt.html)
			if c := perform(t, d, driver.Tap{Target: at(node(t, d, ".x"))}).Changes; c.Focused != tt.focused || c.Any() != tt.some {
				t.Errorf("changes are %+v, want the focus given: %v, and an effect: %v", c, tt.focused, tt.some)
			}
		})
	}
}

// TestDueTimersAreTold proves that a press which gave nothing but the focus says whether a timer
// that it set is left.
func TestDueTimersAreTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		click string
		want  bool
	}{
		{"", false},
		{"setTimeout(()=>0,300)", true},
		{"setTimeout(()=>0,1200)", true},
		{"(async()=>{await new Promise(done=>setTimeout(done,900))})()", true},
		{"clearTimeout(setTimeout(()=>0,1200))", false},
		{"setTimeout(()=>0,9000)", false},
	} {
		d := actPage(t, `<button id=b onclick="`+tt.click+`">Save</button><script>(function f(){setTimeout(f,600)})()</script>`)
		e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
		if !e.Changes.Focused || e.Changes.Any() || e.Due != tt.want {
			t.Errorf("%q: %+v, due %v, want %v", tt.click, e.Changes, e.Due, tt.want)
		}
	}
}
