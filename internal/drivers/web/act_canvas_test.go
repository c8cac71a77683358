package web

import (
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestDrawing: what an action draws on a canvas is an effect, whatever kind of canvas it is; what
// the canvas shows by itself, and how a control on top of it shows that it was pressed, is none.
func TestDrawing(t *testing.T) {
	t.Parallel()
	const box = `<canvas id=c width=200 height=120 style="border:3px solid gray"></canvas>`
	const flat = `<script>const g=c.getContext('2d');g.fillStyle='red';`
	for _, tt := range []struct {
		name, page string
		want       bool
	}{
		{"2d", box + flat + `c.onclick=e=>g.fillRect(e.offsetX,e.offsetY,8,8)</script>`, true},
		{"in the next frame", box + flat + `c.onclick=e=>requestAnimationFrame(()=>g.fillRect(50,50,8,8))</script>`, true},
		{"WebGL", box + `<script>const g=c.getContext('webgl');if(!g)throw 1;c.onclick=()=>{g.clearColor(0,1,0,1);g.clear(g.COLOR_BUFFER_BIT)}</script>`, true},
		{"drawn by a worker's canvas",
			box + `<script>const o=c.transferControlToOffscreen(),g=o.getContext('2d');c.onclick=()=>g.fillRect(9,9,30,30)</script>`, true},
		{"under a transform, as maps have it", `<div style="transform:translate3d(20px,10px,0) scale(1.5);transform-origin:0 0">` + box +
			`</div>` + flat + `c.onclick=()=>g.fillRect(9,9,8,8)</script>`, true},
		{"a canvas that takes no events, in the pane that does", `<div id=t style="position:relative;width:210px;height:130px">` +
			`<canvas id=c width=200 height=120 style="position:absolute;pointer-events:none"></canvas></div>` + flat +
			`t.onclick=()=>g.fillRect(9,9,8,8)</script>`, true},
		{"a button on top", `<div style="position:relative">` + box +
			`<button id=t style="position:absolute;left:20px;top:20px">+</button></div>` + flat + `t.onclick=()=>g.fillRect(120,80,8,8)</script>`, true},
		{"a dead button on top that shows the press", `<style>#t:focus{background:lime}</style><div style="position:relative">` + box +
			`<button id=t style="position:absolute;left:20px;top:20px">+</button></div>` + flat + `</script>`, false},
		{"nothing is drawn", box + flat + `c.onclick=()=>{}</script>`, false},
		{"the same again", box + flat + `g.fillRect(9,9,8,8);c.onclick=()=>g.fillRect(9,9,8,8)</script>`, false},
		{"the pointer alone draws", box + flat + `c.onmousemove=e=>g.fillRect(e.offsetX,e.offsetY,8,8)</script>`, false},
		{"a border that shows the focus", `<style>canvas:focus{border-color:lime!important}</style>` +
			`<canvas id=c tabindex=0 width=200 height=120 style="border:3px solid gray;outline:none"></canvas>`, false},
		{"it moves by itself",
			box + flat + `let n=0;const f=()=>{g.clearRect(0,0,200,120);g.fillRect(n++%180,20,20,20);requestAnimationFrame(f)};f()</script>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := actPage(t, tt.page)
			id := "#c"
			if js(t, d, "!!document.getElementById('t')") == "true" {
				id = "#t"
			}
			e := perform(t, d, driver.Tap{Target: at(node(t, d, id))})
			if c := e.Changes; c.Canvas != tt.want || c.Any() != tt.want {
				t.Errorf("%+v after %+v, want a drawing: %v", c, e.Settle, tt.want)
			}
		})
	}
	pen := box + flat + `let on=false;c.onmousedown=()=>{on=true};c.onmouseup=()=>{on=false};c.onmousemove=e=>{if(on)g.fillRect(e.offsetX,e.offsetY,4,4)}</script>`
	a, b := &screen.Point{X: 30, Y: 30}, &screen.Point{X: 120, Y: 60}
	for _, tt := range []struct {
		name, page string
		action     func(c screen.NodeID) driver.Action
		want       bool
	}{
		{"a stroke", pen, func(c screen.NodeID) driver.Action {
			return driver.Drag{From: driver.Target{Node: c, Point: a}, To: driver.Target{Node: c, Point: b}}
		}, true},
		{"a stroke between bare points", pen, func(screen.NodeID) driver.Action {
			return driver.Drag{From: driver.Target{Point: a}, To: driver.Target{Point: b}}
		}, true},
		{"a stroke without a pen", box, func(c screen.NodeID) driver.Action {
			return driver.Drag{From: driver.Target{Node: c, Point: a}, To: driver.Target{Node: c, Point: b}}
		}, false},
		{"a click on a bare point", box + flat + `c.onclick=()=>g.fillRect(9,9,8,8)</script>`, func(screen.NodeID) driver.Action {
			return driver.Tap{Target: driver.Target{Point: a}}
		}, true},
		{"the pointer over a bare point", box + flat + `c.onmouseenter=()=>g.fillRect(9,9,8,8)</script>`, func(screen.NodeID) driver.Action {
			return driver.Hover{Target: driver.Target{Point: b}}
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := actPage(t, tt.page)
			e := perform(t, d, tt.action(node(t, d, "#c")))
			if c := e.Changes; c.Canvas != tt.want || c.Any() != tt.want {
				t.Errorf("%+v after %+v, want a drawing: %v", c, e.Settle, tt.want)
			}
		})
	}
}
