package page_test

import (
	"slices"
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// visibilityCase is a page whose element x is as visible as wanted.
type visibilityCase struct {
	name, html string
	want       screen.Visibility
}

const filler = `<div style="height:3000px"></div>`

// shown are elements that are laid out or not, and the edges of the window.
var shown = []visibilityCase{
	{"plain", `<p id=x>text</p>`, screen.Visible},
	{"display none", `<p id=x style="display:none">text</p>`, screen.Hidden},
	{"in display none", `<div style="display:none"><p id=x>text</p></div>`, screen.Hidden},
	{"hidden attribute", `<p id=x hidden>text</p>`, screen.Hidden},
	{"visibility hidden", `<p id=x style="visibility:hidden">text</p>`, screen.Hidden},
	{"visible inside hidden", `<div style="visibility:hidden"><p id=x style="visibility:visible">text</p></div>`, screen.Visible},
	{"content-visibility hidden", `<div style="content-visibility:hidden;height:50px"><p id=x>text</p></div>`, screen.Hidden},
	{"closed details", `<details><summary>s</summary><p id=x>text</p></details>`, screen.Hidden},
	{"open details", `<details open><summary>s</summary><p id=x>text</p></details>`, screen.Visible},
	{"summary of closed details", `<details><summary id=x>s</summary><p>text</p></details>`, screen.Visible},
	{"right in a closed details", `<details id=x>text</details>`, screen.Visible}, // its marker shows; see TestTextIsNotSeen
	{"closed details that a style opens",
		`<style>details::details-content{content-visibility:visible}</style><details><summary>s</summary><p id=x>text</p></details>`, screen.Visible},
	{"text right in display contents", `<div id=x style="display:contents">text</div>`, screen.Visible},
	{"a pixel above the fold", `<p id=x style="position:absolute;top:799px;margin:0">text</p>`, screen.Offscreen},
	{"half a pixel above the fold", `<p id=x style="position:absolute;top:799.5px;margin:0">text</p>`, screen.Offscreen},
	{"two pixels above the fold", `<p id=x style="position:absolute;top:797.5px;margin:0">text</p>`, screen.Visible},
	{"a pixel before the right edge", `<p id=x style="position:absolute;left:1279px;margin:0">text</p>`, screen.Offscreen},
	{"a pixel left at the left edge", `<p id=x style="position:absolute;left:-99px;width:100px">text</p>`, screen.Clipped},
	{"a pixel above the edge of a box that scrolls",
		`<div style="position:relative;height:60px;overflow:auto"><p id=x style="position:absolute;top:59px;margin:0">text</p></div>`, screen.Offscreen},
	{"a pixel above the edge of a box that does not",
		`<div style="position:relative;height:60px;overflow:hidden"><p id=x style="position:absolute;top:59px;margin:0">text</p></div>`, screen.Clipped},
	{"a line a pixel high at the fold", `<hr id=x style="position:absolute;top:799px;height:1px;width:90px;border:0;margin:0">`, screen.Visible},
	{"closed dialog", `<dialog id=x>text</dialog>`, screen.Hidden},
	{"zero size", `<p id=x style="width:0;height:0;overflow:hidden">text</p>`, screen.Hidden},
	{"zero height with visible children", `<div id=x style="height:0"><p>text</p></div>`, screen.Visible},
	{"display contents", `<div id=x style="display:contents"><p>text</p></div>`, screen.Visible},
	{"option of a closed select", `<select><option id=x>a</option></select>`, screen.Hidden},
	{"option of a list box", `<select size=3><option id=x>a</option></select>`, screen.Visible},
}

// clipped are elements that opacity, scrolling or clipping takes away.
var clipped = []visibilityCase{
	{"transparent", `<p id=x style="opacity:0">text</p>`, screen.Transparent},
	{"transparent ancestor", `<div style="opacity:0.1"><div style="opacity:0.1"><p id=x>text</p></div></div>`, screen.Transparent},
	{"half transparent", `<p id=x style="opacity:0.5">text</p>`, screen.Visible},
	{"below the fold", filler + `<p id=x>text</p>`, screen.Offscreen},
	{"scroll box below", `<div style="height:60px;overflow:auto"><div style="height:500px"></div><p id=x>text</p></div>`, screen.Offscreen},
	{"scroll box sideways", `<div style="width:60px;overflow:auto"><div style="width:900px;display:flex"><p style="flex:none;` +
		`width:700px">a</p><p id=x>text</p></div></div>`, screen.Offscreen},
	{"scroll box inside offscreen", filler + `<div style="height:60px;overflow:auto"><p id=x>text</p></div>`, screen.Offscreen},
	{"off the page to the left", `<p id=x style="position:absolute;left:-9999px">text</p>`, screen.Clipped},
	{"off the page above", `<p id=x style="position:absolute;top:-900px">text</p>`, screen.Clipped},
	{"fixed outside", `<p id=x style="position:fixed;top:2000px">text</p>`, screen.Clipped},
	{"overflow hidden", `<div style="height:20px;overflow:hidden"><div style="height:100px"></div><p id=x>text</p></div>`, screen.Clipped},
	{"overflow hidden height 0", `<div style="height:0;overflow:hidden"><p id=x>text</p></div>`, screen.Clipped},
	{"absolute escapes static overflow", `<div style="height:20px;overflow:hidden"><p id=x style="position:absolute;top:200px">text</p></div>`, screen.Visible},
	{"absolute within positioned overflow",
		`<div style="height:20px;overflow:hidden;position:relative"><p id=x style="position:absolute;top:200px">text</p></div>`, screen.Clipped},
	{"fixed escapes overflow",
		`<div style="height:20px;overflow:hidden;position:relative"><p id=x style="position:fixed;top:200px">text</p></div>`, screen.Visible},
	{"fixed inside transform",
		`<div style="height:20px;overflow:hidden;transform:translateX(0)"><p id=x style="position:fixed;top:200px">text</p></div>`, screen.Clipped},
	{"sr-only", `<span id=x style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">text</span>`, screen.Clipped},
	{"sr-only clip-path", `<span id=x style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">text</span>`, screen.Clipped},
	{"clip-path inset all", `<p id=x style="clip-path:inset(100%)">text</p>`, screen.Clipped},
	{"clip-path circle 0", `<p id=x style="clip-path:circle(0)">text</p>`, screen.Clipped},
	{"clip-path partly", `<p id=x style="clip-path:inset(2px)">text</p>`, screen.Visible},
	{"locked page", `<style>body{overflow:hidden}</style>` + filler + `<p id=x>text</p>`, screen.Clipped},
}

// covered are elements with something over them.
var covered = []visibilityCase{
	{"covered", `<p id=x>text</p><div style="position:absolute;inset:0;background:#fff"></div>`, screen.Covered},
	{"behind its container", `<div style="background:#fff"><p id=x style="position:relative;z-index:-1">text</p></div>`, screen.Covered},
	{"text run behind its container", `<div style="background:#fff"><p id=x style="position:relative;z-index:-1">some <b>text</b></p></div>`, screen.Covered},
	{"behind a box around its container", `<div style="background:#fff"><div><p id=x style="position:relative;z-index:-1">text</p></div></div>`, screen.Covered},
	{"in something behind its container", `<div style="background:#fff"><div style="position:absolute;z-index:-1;background:#eee">` +
		`<p id=x>text</p></div><p>other<br>lines<br>of<br>text</div>`, screen.Covered},
	{"a grid's item behind it", `<div style="background:#fff;display:grid"><p id=x style="z-index:-1">text</p></div>`, screen.Covered},
	{"behind a body that paints for itself",
		`<style>html{background:#eee}body{background:#fff}</style><p id=x style="position:relative;z-index:-1">text</p>`, screen.Covered},
	{"behind a body that lends its paint", `<style>body{background:#fff}</style><p id=x style="position:relative;z-index:-1">text</p>`, screen.Visible},
	{"behind a container without paint", `<div><p id=x style="position:relative;z-index:-1">text</p></div>`, screen.Visible},
	{"low in a container that stacks",
		`<div style="background:#fff;isolation:isolate"><p id=x style="position:relative;z-index:-1">text</p></div>`, screen.Visible},
	{"low in a layer of its container",
		`<div style="background:#fff"><div style="position:relative;z-index:0"><p id=x style="position:relative;z-index:-1">text</p></div></div>`, screen.Visible},
	{"above its container", `<div style="background:#fff"><p id=x style="position:relative;z-index:1">text</p></div>`, screen.Visible},
	{"negative order without position", `<div style="background:#fff"><p id=x style="z-index:-1">text</p></div>`, screen.Visible},
	{"behind its container, sticking out",
		`<div style="background:#fff;height:20px"><p id=x style="position:relative;z-index:-1;margin:0;height:200px">text</p></div>`, screen.Visible},
	{"covered by a picture", `<p id=x>text</p><img style="position:absolute;inset:0;width:100%;height:100%" src="data:image/gif;` +
		`base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`, screen.Covered},
	{"covered by the child of an overlay",
		`<p id=x>text</p><div style="position:absolute;inset:0"><div style="width:100%;height:100%;background:#fff">m</div></div>`, screen.Covered},
	{"under a transparent layer", `<p id=x>text</p><div style="position:absolute;inset:0"></div>`, screen.Visible},
	{"under a see-through layer", `<p id=x>text</p><div style="position:absolute;inset:0;background:rgba(0,0,0,.5)"></div>`, screen.Visible},
	{"under an opaque layer of low opacity", `<p id=x>text</p><div style="position:absolute;inset:0;background:#fff;opacity:.3"></div>`, screen.Visible},
	{"covered without pointer events", `<p id=x>text</p><div style="position:absolute;inset:0;background:#fff;pointer-events:none"></div>`, screen.Covered},
	{"transparent without pointer events", `<p id=x>text</p><div style="position:absolute;inset:0;pointer-events:none"></div>`, screen.Visible},
	{"above a layer without pointer events",
		`<p id=x style="position:relative;z-index:2">text</p><div style="position:absolute;inset:0;background:#fff;pointer-events:none"></div>`, screen.Visible},
	{"itself without pointer events", `<p id=x style="pointer-events:none">text</p>`, screen.Visible},
	{"itself without pointer events, covered",
		`<p id=x style="pointer-events:none">text</p><div style="position:absolute;inset:0;background:#fff"></div>`, screen.Covered},
	{"partly covered", `<p id=x>text</p><div style="position:absolute;left:0;top:0;width:400px;height:200px;background:#fff"></div>`, screen.Visible},
	{"behind a modal's dim backdrop", `<p id=x>text</p><dialog id=d>m</dialog><script>d.showModal()</script>`, screen.Visible},
	{"behind a modal's opaque backdrop",
		`<style>::backdrop{background:#000}</style><p id=x>text</p><dialog id=d>m</dialog><script>d.showModal()</script>`, screen.Covered},
	{"in a modal", `<p>text</p><dialog id=d><p id=x>m</p></dialog><script>d.showModal()</script>`, screen.Visible},
	{"inert", `<p id=x inert>text</p>`, screen.Visible},
	{"under a sticky header",
		`<p id=x style="margin:0">text</p><div style="position:fixed;top:0;left:0;right:0;height:80px;background:#fff">h</div>`, screen.Covered},
	{"text over its own background", `<div style="background:#eee"><p id=x style="background:#fff">text</p></div>`, screen.Visible},
	{"in a shadow tree", `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p id=x>text</p>'</script>`, screen.Visible},
	{"covered in a shadow tree", `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p id=x>text</p>` +
		`<div style="position:absolute;inset:0;background:#fff"></div>'</script>`, screen.Covered},
	{"aria-hidden is not hidden", `<p id=x aria-hidden=true>text</p>`, screen.Visible},
	{"collapsed row", `<table><tr id=x style="visibility:collapse"><td>a</td></tr></table>`, screen.Hidden},
	{"popover closed", `<div id=x popover>text</div>`, screen.Hidden},
	{"popover open", `<div id=x popover>text</div><script>x.showPopover()</script>`, screen.Visible},
}

// TestVisibility proves what "visible" means (R25, R30): a person could see it.
func TestVisibility(t *testing.T) {
	l := newLab(t)
	for _, tc := range slices.Concat(shown, clipped, covered) {
		t.Run(tc.name, func(t *testing.T) {
			l.TB = t
			if got := find(t, l.show(tc.html), "x").Visibility; got != tc.want {
				t.Errorf("visibility of %s = %d, want %d", tc.html, got, tc.want)
			}
		})
	}
	l.TB = t
}

// TestTextIsNotSeen: text right in what shows none of it is told as hidden, or not at all; where it
// shows, it is seen.
func TestTextIsNotSeen(t *testing.T) {
	tests := []struct {
		name, html string
		seen       bool
	}{
		{"a closed details", `<details><summary>s</summary>Paid</details>`, false},
		{"a closed details without a summary", `<details>Paid</details>`, false},
		{"an open details", `<details open>Paid</details>`, true},
		{"skipped content", `<div style="content-visibility:hidden;height:90px">Paid</div>`, false},
		{"skipped content between elements", `<div style="content-visibility:hidden;height:90px"><b>a</b>Paid<b>c</b></div>`, false},
		{"hidden until found", `<button hidden=until-found style="height:90px">Paid</button>`, false},
		{"a canvas", `<canvas>Paid</canvas>`, false},
		{"a meter", `<meter value=.5>Paid</meter>`, false},
		{"a drawing", `<svg width=90 height=90>Paid</svg>`, false},
		{"an object that failed", `<object>Paid</object>`, true},
		{"a host without a slot", `<div id=h>Paid</div><script>h.attachShadow({mode:'open'}).innerHTML='<p>x</p>'</script>`, false},
		{"display contents", `<div style="display:contents">Paid</div>`, true},
	}
	l := newLab(t)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			l.TB = t
			seen := false
			var walk func(n *screen.Node)
			walk = func(n *screen.Node) {
				if n.Visibility == screen.Visible && (n.Text == "Paid" || n.Name == "Paid") {
					seen = true
				}
				for _, c := range n.Children {
					walk(c)
				}
			}
			walk(l.show(tc.html))
			if seen != tc.seen {
				t.Errorf("seen: %v, want %v", seen, tc.seen)
			}
		})
	}
	l.TB = t
}

// TestScrolledBack proves that what lies before a scroll position is reachable, and how much each
// side hides.
func TestScrolledBack(t *testing.T) {
	l := newLab(t)
	l.show(`<div id=s style="height:100px;width:200px;overflow:auto"><div id=top style="height:300px;width:500px">top</div>` +
		`<p id=mid>mid</p><div style="height:400px"></div></div>`)
	l.js(`s.scrollTo(30, 320)`)
	root := l.capture()
	if v := find(t, root, "top").Visibility; v != screen.Offscreen {
		t.Errorf("scrolled out at the top: %d, want offscreen", v)
	}
	if v := find(t, root, "mid").Visibility; v != screen.Visible {
		t.Errorf("scrolled in: %d, want visible", v)
	}
	s := find(t, root, "s").Scroll
	if s == nil || s.Above != 320 || s.Left != 30 || s.Below <= 0 || s.Right <= 0 {
		t.Errorf("scroll = %+v, want 320 above, 30 left, more below and right", s)
	}
	if !find(t, root, "s").State.Has(screen.Clickable) {
		t.Error("a scroll container is something to act on")
	}
}
