package web

import (
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// TestClickGoesToTheMiddle: a child of the target gets the click, unless it is another control that
// is only a part of it.
func TestClickGoesToTheMiddle(t *testing.T) {
	const say = `onclick="event.stopPropagation();o.textContent=this.id||this.localName"`
	tests := []struct{ name, html, css, want, says string }{
		{"a child with the handler", `<ul style="width:max-content"><li tabindex=0><span ` + say + `>Olwen</span></ul>`, "li", "span", ""},
		{"a column header", `<div role=columnheader tabindex=-1 style="display:flex;width:200px"><div id=label ` + say +
			` style="flex:1"><span>Price</span></div></div>`, "[role=columnheader]", "label", ""},
		{"a delete button in a row", `<div id=row role=option tabindex=0 ` + say + ` style="width:300px;padding:40px"><button id=del ` + say +
			` style="display:block;margin:auto">x</button></div>`, "#row", "row", "button#del"},
		{"a delete button in a row that is no control", `<div id=row ` + say + ` style="width:300px;padding:40px">Olwen<button id=del ` + say +
			` style="display:block;margin:auto">x</button></div>`, "#row", "row", "button#del"},
		{"a focusable part", `<div id=row role=button ` + say + ` style="width:300px;padding:40px"><b id=part tabindex=0 ` + say +
			` style="display:block;width:40px;margin:auto">x</b></div>`, "#row", "row", "b#part"},
		{"a link that fills its item", `<ul style="width:200px"><li tabindex=0><a id=home href="#x" ` + say +
			` style="display:block">Home</a></ul>`, "li", "home", ""},
		{"a link that is all an item says", `<ul style="width:max-content"><li style="padding:10px 12px"><a id=home href="#x" ` + say +
			`>Home</a></ul>`, "li", "home", ""},
		{"a text in a label that labels nothing", `<ul><li tabindex=0 style="width:300px"><label ` + say +
			` style="display:block;margin:0 60px;text-align:center">Olwen</label></ul>`, "li", "label", ""},
		{"a cell of a row", `<div role=row id=row style="display:flex;width:300px"><div role=gridcell tabindex=0 id=a ` + say +
			` style="width:90px">A</div><div role=gridcell tabindex=0 id=b ` + say + ` style="width:120px">B</div></div>`, "#row", "b", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := actPage(t, `<p id=o></p>`+test.html)
			e := perform(t, d, driver.Tap{Target: at(node(t, d, test.css))})
			want(t, "clicked", js(t, d, "o.textContent"), `"`+test.want+`"`)
			if said := strings.Join(e.Retries, ";"); test.says == "" && said != "" || !strings.Contains(said, test.says) {
				t.Errorf("said %q, want %q", said, test.says)
			}
		})
	}
}

// TestStillnessIsTheTargetsOwn: what moves elsewhere on the page keeps nobody from clicking,
// whatever it restarts.
func TestStillnessIsTheTargetsOwn(t *testing.T) {
	const restarts = `<script>let w=0;setInterval(()=>{bar.style.width=(w=(w+37)%300)+'px'},150)</script>`
	tests := []struct{ name, html string }{
		{"a progress bar below", counter + `<div id=bar style="height:9px;background:red;transition:width .4s"></div>`},
		{"a progress bar around", `<div id=bar style="min-width:300px;padding:9px;background:#ddd;transition:width .4s">` + counter + `</div>`},
		{"a progress bar of several",
			counter + `<div style="width:300px;overflow:hidden"><div id=bar style="height:9px;background:red;transition:width 2s linear"></div></div>`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := actPage(t, test.html+restarts)
			eval[bool](t, d, "new Promise(done=>{let n=0;bar.addEventListener('transitionrun',()=>++n>5&&done(true))})")
			began := time.Now()
			e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
			if took := time.Since(began); took > testtime.Within(time.Second)/2 {
				t.Errorf("the click took %s", took)
			}
			want(t, "clicks", js(t, d, "window.n"), "1")
			if len(e.Retries) > 0 || e.Settle.Reason != "quiet" {
				t.Errorf("retries %q, %+v", e.Retries, e.Settle)
			}
		})
	}
}
