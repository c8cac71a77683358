package page_test

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestTransparentFields proves that a transparent field counts as visible where people use it: it
// takes the click and something that stands for it is drawn at its place. Any other stays
// transparent.
func TestTransparentFields(t *testing.T) {
	l := newLab(t)
	const clear = `opacity:0;position:absolute;left:0;top:0;width:40px;height:40px;margin:0`
	for _, tc := range []struct {
		name, html string
		want       screen.Visibility
	}{
		{"drawn by a label's background", `<li style="position:relative"><input id=x type=checkbox style="` + clear +
			`"><label for=x style="display:block;padding:15px 60px;background:url(c.svg) no-repeat">Buy bread</label></li>`, screen.Visible},
		{"drawn by a label before the text", `<style>label::before{content:"";position:absolute;left:0;top:0;width:40px;height:40px;` +
			`border:1px solid}</style><p style="position:relative"><input id=x type=checkbox style="` + clear +
			`"><label for=x style="margin-left:60px">Terms</label></p>`, screen.Visible},
		{"drawn by a label that is not its own", `<li style="position:relative"><input id=x type=checkbox style="` + clear +
			`"><label style="display:block;padding:15px 60px;background:url(c.svg) no-repeat">Buy bread</label></li>`, screen.Visible},
		{"drawn by its wrapper's glyph", `<style>div::after{content:"\f10c";position:absolute;left:0;pointer-events:none}</style>` +
			`<div style="position:relative;width:16px;height:16px"><input id=x type=checkbox style="opacity:0;width:100%;height:100%;margin:0"></div>`, screen.Visible},
		{"drawn by a picture that takes no events", `<span style="position:relative;display:block;width:40px;height:40px">` +
			`<svg width=40 height=40 style="pointer-events:none"><rect width=40 height=40 /></svg><input id=x type=checkbox style="` + clear +
			`"></span>`, screen.Visible},
		{"a select over what shows its value", `<div style="position:relative;width:120px;height:40px;` +
			`border:1px solid">Green<select id=x style="opacity:0;position:absolute;inset:0"><option>Green</select></div>`, screen.Visible},
		{"below the fold",
			`<div style="height:3000px"></div><label style="background:red"><input id=x type=checkbox style="opacity:0">Terms</label>`, screen.Offscreen},
		{"nothing is drawn at its place", `<div style="height:300px"></div><input id=x type=checkbox style="opacity:0">`, screen.Transparent},
		{"something else takes the click", `<p style="position:relative"><input id=x type=checkbox style="` + clear +
			`"><b style="position:absolute;left:0;top:0;width:40px;height:40px;background:red"></b></p>`, screen.Transparent},
		{"no events", `<label style="background:red"><input id=x type=checkbox style="opacity:0;pointer-events:none">Terms</label><p>x`,
			screen.Visible}, // the label takes the click for it
		{"in something transparent",
			`<div style="opacity:0;position:absolute"><label style="background:red"><input id=x type=checkbox>Terms</label></div>`, screen.Transparent},
		{"transparent text in no field", `<span id=x style="opacity:0">Paid</span>`, screen.Transparent},
		{"cut off", `<label style="background:red;display:inline-block;` +
			`position:relative">Terms<input id=x type=checkbox style="opacity:0;position:absolute;clip:rect(0,0,0,0)"></label>`, screen.Clipped},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l.TB = t
			if n := find(t, l.show(tc.html), "x"); n.Visibility != tc.want {
				t.Errorf("visibility = %d, want %d", n.Visibility, tc.want)
			}
		})
	}
}
