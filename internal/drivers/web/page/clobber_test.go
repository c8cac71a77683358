package page_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestHostilePage proves that a page cannot break the capture by shadowing what the script calls:
// form fields named like DOM properties, patched prototypes, a document without a body, an element
// that is its own label.
func TestHostilePage(t *testing.T) {
	l := newLab(t)
	for _, tc := range []struct{ name, html string }{
		{"field names", `<form id=f aria-label=F><input name=id><input name=children><input name=title><input name=style>` +
			`<input name=parentNode value=v><input name=name><button id=x>Go</button></form>`},
		{"patched prototypes", `<button id=x>Go</button><script>Element.prototype.getAttribute=()=>{throw 1};Node.prototype.firstChild;` +
			`Array.prototype.push=()=>{throw 2};Array.prototype.join=()=>'';JSON.stringify=()=>'';Map.prototype.get=()=>{throw 3}</script>`},
		{"self reference", `<button id=x aria-labelledby=x aria-owns=x aria-describedby=x>Go</button><label id=l for=l>z</label>`},
		{"reference loop", `<button id=x aria-owns=y>Go</button><div id=y aria-owns=z>y<span id=z aria-owns=y>z</span></div>` +
			`<p id=p aria-labelledby=q>p</p><p id=q aria-labelledby=p>q</p>`},
		{"control characters", "<button id=x>G\x01o\x1f</button><p id=t>tab\there | \\n back\\slash</p>"},
		{"lone surrogates", `<button id=x>Go</button><script>x.append('\ud800')</script>`},
		{"deep", `<div id=x>Go</div><script>let e=document.body;for(let i=0;i<400;i++){const d=document.createElement('div');` +
			`e.append(d);e=d}e.innerHTML='<b>bottom</b>'</script>`},
		{"script elements as names", `<button id=x><script>1</script>Go<template>t</template></button>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l.TB = t
			root := l.show(tc.html)
			n := find(t, root, "x")
			if n.Visibility != screen.Visible {
				t.Errorf("visibility = %d", n.Visibility)
			}
			l.js(`document.body.append('more')`)
			find(t, l.capture(`:text("Go")`), "x")
		})
	}
	l.TB = t
	l.load(`<!doctype html>`)
	l.js(`document.body.remove()`)
	if l.capture() == nil {
		t.Error("no tree without a body")
	}
	l.js(`document.documentElement.remove()`)
	l.capture()
	l.js(`document.append(document.createElement('html'))`)
	if n := l.capture(); n == nil || n.Role != "document" {
		t.Error("a new root element is not found")
	}
}
