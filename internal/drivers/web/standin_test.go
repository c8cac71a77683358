package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestUnseenControlNamesItsStandIn proves that a control nobody sees is refused with the name and
// ref of what people use in its place, and that this can be used.
func TestUnseenControlNamesItsStandIn(t *testing.T) {
	const (
		gone  = `position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden;border:0`
		drawn = `<span><span role=combobox tabindex=0 aria-label=Colour id=x onclick="document.title='used'">Red</span></span>`
	)
	for name, body := range map[string]string{
		"a select of one pixel": `<select id=s style="` + gone + `" aria-hidden=true tabindex=-1><option>Red<option>Green</select>` + drawn,
		"a select off the page": `<select id=s style="position:absolute;left:-9999px"><option>Red<option>Green</select>` + drawn,
		"a hidden select":       `<div><select id=s hidden><option>Red<option>Green</select>` + drawn + `</div>`,
		"a transparent select under the one drawn": `<div style="position:relative"><select id=s style="position:absolute;left:0;top:0;` +
			`width:30px;height:18px;opacity:0"><option>Red<option>Green</select><div style="position:relative;width:99px">` + drawn + `</div></div>`,
		"a native input behind a listbox": `<div style="position:relative">` + drawn +
			`<input id=s aria-hidden=true tabindex=-1 style="position:absolute;inset:0;opacity:0;pointer-events:none"></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := actPage(t, `<button>Other</button><p><label>Name <input></label></p>`+body)
			ref := htmlID(snapshot(t, d).Root, "x").Ref
			var act driver.Action = driver.SelectOption{Target: at(node(t, d, "#s")), Options: []string{"Green"}}
			if strings.Contains(body, "<input id=s") {
				act = driver.Tap{Target: at(node(t, d, "#s"))}
			}
			_, err := d.Perform(within(t, 3000), act)
			hint := fault.HintOf(err)
			if fault.KindOf(err) != fault.NotActed || !strings.Contains(hint, `combobox "Colour" (`+ref+`)`) {
				t.Fatalf("error %v, hint %q, want it to name %s", err, hint, ref)
			}
			perform(t, d, driver.Tap{Target: at(node(t, d, "#x"))})
			want(t, "title", js(t, d, "document.title"), `"used"`)
		})
	}
}
