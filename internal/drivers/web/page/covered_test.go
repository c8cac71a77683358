package page_test

import (
	"encoding/json"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// Hit tests are the dearest part of a capture. Where nothing took another shape, none is made; whatever may lie on top of
// something else now has all of them made again.
func TestHitTestsOfACapture(t *testing.T) {
	l := newLab(t)
	l.load(`<!doctype html><style>p,div{margin:0}.c{position:absolute;left:0;top:0;width:100vw;height:300px;background:#000}</style>
<p id=x>text</p><p id=y style="width:200px;height:20px">one</p><label>Name <input id=i></label><input type=checkbox id=k aria-label=K>
<div id=box style="height:20px;overflow:hidden"><div id=in style="height:60px;background:#fff"></div></div>`)
	l.capture()
	l.isolated(`void (globalThis.asked = 0, document.elementFromPoint = function(x, y) { asked++;` +
		` return Document.prototype.elementFromPoint.call(document, x, y); })`)
	tests := []struct {
		what, change string
		asks         bool
		want         screen.Visibility // of #x
	}{
		{"nothing", ``, false, screen.Visible},
		{"a text in a box of its own size", `y.textContent = 'two'`, false, screen.Visible},
		{"a value", `i.value = 'Ada'`, false, screen.Visible},
		{"a check mark", `k.click()`, false, screen.Visible},
		{"the focus", `i.focus()`, false, screen.Visible},
		{"a cover", `document.body.insertAdjacentHTML('beforeend', '<div class=c id=c></div>')`, true, screen.Covered},
		{"nothing, below the cover", ``, false, screen.Covered},
		{"the cover's class", `c.className = ''`, true, screen.Visible},
		{"the cover's style", `c.style.cssText = 'position:fixed;inset:0;background:#fff'`, true, screen.Covered},
		{"no cover", `c.remove()`, true, screen.Visible},
		{"a rule of a sheet",
			`document.styleSheets[0].insertRule('#box{position:absolute;left:0;top:0;height:300px!important;width:100vw;background:#fff}')`, true, screen.Covered},
		{"no such rule", `document.styleSheets[0].deleteRule(0)`, true, screen.Visible},
		{"a size", `y.textContent = 'a b c '.repeat(20)`, false, screen.Visible}, // the box is as high as it is told to be
		{"a place", `y.style.height = '40px'`, true, screen.Visible},
	}
	for _, tt := range tests {
		l.isolated("void (asked = 0)")
		l.js("void (() => {" + tt.change + "})()")
		got := find(t, l.capture(), "x").Visibility
		var asked int
		if err := json.Unmarshal(l.isolated("asked"), &asked); err != nil {
			t.Fatal(err)
		}
		if got != tt.want || asked > 0 != tt.asks {
			t.Errorf("after %s: the text is %v with %d hit tests, want %v with any: %v", tt.what, got, asked, tt.want, tt.asks)
		}
	}
}
