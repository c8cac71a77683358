package web

import (
	"iter"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
)

const counter = `<button id=b onclick="window.n=(window.n||0)+1;this.textContent='clicked '+n">Go</button>`

// TestClick proves that a click (R35) is sent once and leaves evidence.
func TestClick(t *testing.T) {
	t.Parallel()
	d := actPage(t, counter)
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "window.n"), "1")
	if !e.Changes.Received || e.Changes.Tree == 0 || e.Settle.Reason != "quiet" || e.Point == nil || e.Bounds == nil {
		t.Errorf("effect %+v", e)
	}
	if !e.Bounds.Contains(*e.Point) {
		t.Errorf("point %v outside of %v", e.Point, e.Bounds)
	}
	t.Log(e.Settle.Waited)
}

func TestClickKinds(t *testing.T) {
	t.Parallel()
	page := `<div id=b style="width:200px;height:80px;background:#ccc">x</div><script>
		window.log=[];for (const k of ['click','dblclick','auxclick','contextmenu'])
		b.addEventListener(k,e=>log.push(k+e.button+e.detail+(e.shiftKey?'S':'')+(e.ctrlKey?'C':'')+(e.altKey?'A':'')));
		let down;b.addEventListener('mousedown',()=>down=performance.now());b.addEventListener('mouseup',()=>window.held=performance.now()-down)</script>`
	tests := []struct {
		name string
		tap  driver.Tap
		want string
	}{
		{"single", driver.Tap{}, `["click01"]`},
		{"double", driver.Tap{Count: 2}, `["click01","click02","dblclick02"]`},
		{"triple", driver.Tap{Count: 3}, `["click01","click02","dblclick02","click03"]`},
		{"right", driver.Tap{Button: driver.Right}, `["contextmenu20","auxclick21"]`},
		{"middle", driver.Tap{Button: driver.Middle}, `["auxclick11"]`},
		{"modifiers", driver.Tap{Modifiers: []string{"Shift", "ControlOrMeta", "Alt"}}, `["click01SCA"]`},
		{"long", driver.Tap{Hold: 250e6}, `["click01"]`},
	}
	d := actPage(t, page)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			js(t, d, "(log.length=0)")
			test.tap.Target = at(node(t, d, "#b"))
			perform(t, d, test.tap)
			got := js(t, d, "log")
			if test.name == "right" { // the order is the system's business
				got = strings.Replace(got, `["auxclick21","contextmenu20"]`, test.want, 1)
			}
			want(t, "events", got, test.want)
			if test.name == "long" && js(t, d, "held>=240") != "true" {
				t.Errorf("held for %s ms", js(t, d, "held"))
			}
		})
	}
}

func TestClickMovingButtonIsReaimed(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, css, script string }{
		{"css animation", `#b{position:absolute;animation:m .4s linear forwards}@keyframes m{from{left:0}to{left:600px}}`, ``},
		{"endless animation", `#b{position:absolute;animation:m 3s linear infinite alternate}@keyframes m{from{left:0}to{left:300px}}`, ``},
		{"script frames", `#b{position:absolute;left:0}`, `let x=0;(function f(){b.style.left=(x+=12)+'px';if(x<500)requestAnimationFrame(f)})()`},
		{"jumps when hovered", `#b{position:absolute;left:0}`, `b.onmousemove=()=>{b.style.left='400px';b.onmousemove=null}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := actPage(t, "<style>"+test.css+"</style>"+counter+"<script>"+test.script+";document.onclick=e=>window.other=e.target!==b</script>")
			e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
			want(t, "clicks", js(t, d, "[window.n,window.other]"), "[1,false]")
			t.Log(e.Retries, e.Settle)
		})
	}
}

func TestClickWaitsForOverlayToGo(t *testing.T) {
	t.Parallel()
	d := actPage(t, counter+`<div class=overlay style="position:fixed;inset:0"></div><script>
		document.querySelector('.overlay').onclick=()=>window.wrong=1</script>`)
	button := at(node(t, d, "#b"))
	js(t, d, "void setTimeout(()=>document.querySelector('.overlay').remove(),500)")
	e := perform(t, d, driver.Tap{Target: button})
	want(t, "clicks", js(t, d, "[window.n,window.wrong]"), "[1,null]")
	if len(e.Retries) == 0 || !strings.Contains(e.Retries[0], "covered by div.overlay") {
		t.Errorf("retries %q", e.Retries)
	}
}

func TestClickCoveredSaysByWhat(t *testing.T) {
	t.Parallel()
	d := actPage(t, counter+`<div class=overlay style="position:fixed;inset:0" onclick="window.wrong=1"><p>Wait</p></div>`)
	_, err := d.Perform(within(t, 3000), driver.Tap{Target: at(node(t, d, "#b"))})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), "covered by div.overlay") {
		t.Fatalf("err = %v", err)
	}
	if detail := fault.DetailOf(err); detail == nil || len(detail.Log) == 0 {
		t.Errorf("no log in %v", err)
	}
	want(t, "clicks", js(t, d, "[window.n,window.wrong]"), "[null,null]")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b")), Force: true})
	want(t, "forced click", js(t, d, "[window.n,window.wrong]"), "[null,1]")
}

// TestClickGuardKeepsEventBack proves that a click which would hit something else is not delivered
// at all.
func TestClickGuardKeepsEventBack(t *testing.T) {
	t.Parallel()
	// The overlay comes up the moment the pointer moves, so that no check before could have seen
	// it.
	d := actPage(t, counter+`<script>let times=0;document.addEventListener('mousemove',()=>{ if(times++>0) return;
		const o=document.createElement('div');o.className='late';o.style='position:fixed;inset:0';
		for(const k of ['pointerdown','mousedown','mouseup','click'])o.addEventListener(k,()=>window.wrong=k);
		document.body.append(o);setTimeout(()=>o.remove(),200)})</script>`)
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "[window.n,window.wrong]"), "[1,null]")
	if !strings.Contains(strings.Join(e.Retries, ";"), "div.late") {
		t.Errorf("retries %q", e.Retries)
	}
}

func TestClickStickyHeader(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<style>header{position:sticky;top:0;height:90px;background:#eee}footer{position:fixed;bottom:0;height:90px;width:100%;background:#eee}</style>
		<header onclick="window.wrong=1">H</header><footer onclick="window.wrong=1">F</footer><div style="height:1500px"></div>`+counter+
		`<div style="height:3000px"></div>`)
	for _, y := range []string{"1530", "0", "820", "9999"} {
		js(t, d, "scrollTo(0,"+y+")")
		js(t, d, "(window.n=0)")
		perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
		want(t, "clicks from "+y, js(t, d, "[window.n,window.wrong]"), "[1,null]")
	}
}

func TestClickInNestedScrollers(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<div style="height:1200px"></div><div style="height:200px;overflow:auto"><div style="height:900px"></div>
		<div style="width:200px;height:100px;overflow:scroll"><div style="width:900px;height:10px"></div><div
style="padding-left:700px;width:100px">`+counter+`</div></div></div>`)
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "window.n"), "1")
}

func TestClickReplacedElementIsReported(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<div id=w>`+counter+`</div><script>w.addEventListener('mouseover',()=>{ if(window.r)return;window.r=1;w.innerHTML=w.innerHTML })</script>`)
	_, err := d.Perform(within(t, 3000), driver.Tap{Target: at(node(t, d, "#b"))})
	if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "replaced") {
		t.Fatalf("err = %v", err)
	}
	want(t, "clicks", js(t, d, "window.n||0"), "0")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "window.n"), "1")
}

func TestClickGoneElement(t *testing.T) {
	t.Parallel()
	d := actPage(t, counter)
	n := node(t, d, "#b")
	js(t, d, "b.remove()")
	_, err := d.Perform(within(t, 3000), driver.Tap{Target: at(n)})
	if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "removed") {
		t.Fatalf("err = %v", err)
	}
}

func TestClickDisabledAndHidden(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<button id=b disabled>x</button><fieldset disabled><button id=c>x</button></fieldset><button id=e aria-disabled=true>x</button>
		<button id=h style="visibility:hidden">x</button><div inert><button id=i>x</button></div>`)
	for css, why := range map[string]string{"#b": "disabled", "#c": "disabled", "#e": "disabled", "#h": "hidden", "#i": "inert"} {
		_, err := d.Perform(within(t, 2500), driver.Tap{Target: at(node(t, d, css))})
		if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: err = %v", css, err)
		}
	}
	js(t, d, "setTimeout(()=>b.disabled=false,200)")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
}

func TestClickThroughLabelAndText(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<style>.sr{position:absolute;width:1px;height:1px;opacity:0;clip:rect(0,0,0,0)}</style>
		<input id=c type=checkbox class=sr><label for=c id=l>Accept</label>
		<button id=b onclick="window.n=1"><span id=s style="pointer-events:none">text</span></button>
		<div style="position:relative"><input type=radio id=r style="opacity:0;position:absolute"><label for=r
style="position:relative;display:block">Radio</label></div>`)
	perform(t, d, driver.Tap{Target: at(node(t, d, "#c"))})
	want(t, "checked", js(t, d, "c.checked"), "true")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#s"))})
	want(t, "clicked", js(t, d, "window.n"), "1")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#r"))})
	want(t, "radio", js(t, d, "r.checked"), "true")
}

func TestClickSlowHandlerOnce(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<button id=b onclick="window.n=(window.n||0)+1;const e=performance.now()+900;while(performance.now()<e);this.textContent='done'">x</button>`)
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "[n,b.textContent]"), `[1,"done"]`)
	if e.Settle.Waited < 800e6 {
		t.Errorf("waited %v", e.Settle.Waited)
	}
}

// A press in a frame of another process right after a scroll met the place where the frame had
// been, once in some twenty times.
func TestClickFrames(t *testing.T) {
	t.Parallel()
	inner := `<div style="height:1200px"></div>` + counter
	for _, site := range []string{"SELF", "OTHER"} {
		t.Run(site, func(t *testing.T) {
			d := actPages(t, map[string]string{
				"/": `<div style="height:1000px"></div><iframe style="width:300px;height:200px;border:7px solid;padding:11px" src="` + site +
					`/outer"></iframe><div style="height:900px"></div>`,
				"/outer": `<div style="height:700px"></div><iframe style="width:200px;height:150px" src="SELF/inner"></iframe>`,
				"/inner": inner,
			}, DeviceOptions{})
			e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b", "/inner"))})
			want(t, "clicks", js(t, d, "n", "/inner"), "1")
			if !e.Bounds.Contains(*e.Point) {
				t.Errorf("point %v outside of %v", e.Point, e.Bounds)
			}
		})
	}
}

func TestClickFrameCoveredInParent(t *testing.T) {
	t.Parallel()
	d := actPages(t, map[string]string{
		"/":   `<iframe style="width:300px;height:200px" src="OTHER/in"></iframe><div id=veil style="position:fixed;inset:0" onclick="window.wrong=1"></div>`,
		"/in": counter,
	}, DeviceOptions{})
	_, err := d.Perform(within(t, 3000), driver.Tap{Target: at(node(t, d, "#b", "/in"))})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), "covered by div#veil") {
		t.Fatalf("err = %v", err)
	}
	js(t, d, "veil.remove()")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b", "/in"))})
	want(t, "clicks", js(t, d, "n", "/in"), "1")
}

func TestClickShadow(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<x-open></x-open><script>const r=document.querySelector('x-open').attachShadow({mode:'open'});
		r.innerHTML='<button>in</button><slot></slot>';r.querySelector('button').onclick=()=>window.n=(window.n||0)+1</script>`)
	perform(t, d, driver.Tap{Target: at(node(t, d, "document.querySelector('x-open').shadowRoot.querySelector('button')"))})
	want(t, "clicks", js(t, d, "n"), "1")
}

func TestClickPoint(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<canvas id=c width=300 height=200 style="position:absolute;left:50px;top:40px" onclick="window.p=[event.offsetX,event.offsetY]"></canvas>`)
	perform(t, d, driver.Tap{Target: driver.Target{Node: node(t, d, "#c"), Point: &point{X: 120, Y: 33}}})
	want(t, "offset", js(t, d, "p"), "[120,33]")
	perform(t, d, driver.Tap{Target: driver.Target{Point: &point{X: 60, Y: 50}}})
	want(t, "offset", js(t, d, "p"), "[10,10]")
}

func TestClickTouch(t *testing.T) {
	t.Parallel()
	d := actPages(t, map[string]string{"/": `<meta name=viewport content="width=device-width">` + counter +
		`<script>window.log=[];for(const k of ['touchstart','touchend','pointerdown','click'])b.addEventListener(k,e=>log.push(k+(e.pointerType||'')))</script>`},
		DeviceOptions{Preset: "iPhone 14"})
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "events", js(t, d, "log"), `["pointerdowntouch","touchstart","touchend","clicktouch"]`)
	want(t, "clicks", js(t, d, "n"), "1")
}

func TestHover(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<div id=m style="width:100px" onmouseenter="i.hidden=false">menu<p id=i hidden>item</p></div>
		<div id=w><a id=x>hover me</a></div><script>w.addEventListener('mouseover',()=>{ if(window.r)return;window.r=1;
w.innerHTML='<a id=x>hover me</a>' })</script>`)
	e := perform(t, d, driver.Hover{Target: at(node(t, d, "#m"))})
	want(t, "shown", js(t, d, "!i.hidden"), "true")
	if !e.Changes.Verified || e.Changes.Tree == 0 {
		t.Errorf("effect %+v", e.Changes)
	}
	e = perform(t, d, driver.Hover{Target: at(node(t, d, "#x"))})
	if !e.Changes.Verified {
		t.Errorf("effect %+v", e)
	}
}

func TestDrag(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<style>div{width:80px;height:80px;position:absolute}</style><div id=a
style="left:20px;top:20px;background:red"></div><div id=z style="left:400px;top:300px;background:blue"></div>
		<script>let on;window.moves=0;a.onpointerdown=()=>on=true;onpointermove=()=>{if(on)moves++};onpointerup=e=>{on=false;
window.up=[e.clientX,e.clientY]}</script>`)
	e := perform(t, d, driver.Drag{From: at(node(t, d, "#a")), To: at(node(t, d, "#z"))})
	want(t, "released", js(t, d, "up"), "[440,340]")
	want(t, "moves", js(t, d, "moves>=5"), "true")
	want(t, "method", e.Method, "mouse")
}

// TestDragPassesOverEverything is about lists that swap two rows when the pointer passes over half
// of one: a drag must not jump over it.
func TestDragPassesOverEverything(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<style>div{width:80px;height:40px;position:absolute;left:20px}</style><div id=a style="top:20px">a</div><div id=z style="top:400px">z</div>
		<script>let last;window.gap=0;a.onpointerdown=(e)=>last=e.clientY;
onpointermove=(e)=>{if(last!==undefined){for(const c of e.getCoalescedEvents()){gap=Math.max(gap,Math.abs(c.clientY-last));last=c.clientY}}
};onpointerup=()=>document.title=gap</script>`)
	perform(t, d, driver.Drag{From: at(node(t, d, "#a")), To: at(node(t, d, "#z"))})
	want(t, "longest jump is short", js(t, d, "gap>0&&gap<=11"), "true")
}

func TestDragAndDrop(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<style>div{width:80px;height:80px;position:absolute}</style><div id=a draggable=true
style="left:20px;top:20px;background:red">x</div><div id=z style="left:400px;top:300px;background:blue"></div>
		<script>window.log=[];a.ondragstart=e=>{e.dataTransfer.setData('text/plain','cargo');log.push('start')};
z.ondragenter=e=>{e.preventDefault();log.push('enter')};z.ondragover=e=>e.preventDefault();
		z.ondrop=e=>{e.preventDefault();log.push(e.dataTransfer.getData('text/plain'));z.append(a)};a.ondragend=()=>log.push('end')</script>`)
	e := perform(t, d, driver.Drag{From: at(node(t, d, "#a")), To: at(node(t, d, "#z"))})
	want(t, "events", js(t, d, "log"), `["start","enter","cargo","end"]`)
	if e.Changes.Tree == 0 || e.Method != "dragAndDrop" {
		t.Errorf("effect %+v", e)
	}
}

const closedPage = `<style>x-c{display:block;margin:20px}</style><x-c></x-c><script>const host=document.querySelector('x-c');
const r=host.attachShadow({mode:'closed'});
	r.innerHTML='<button id=b>in</button><input id=i><div id=v style="position:absolute;left:0;top:0;right:0;height:300px" hidden></div><slot></slot>';
	r.querySelector('button').onclick=()=>window.n=(window.n||0)+1;r.querySelector('input').oninput=e=>window.v=e.target.value;
window.veil=on=>{r.querySelector('#v').hidden=!on}</script>`

func TestClosedShadow(t *testing.T) {
	t.Parallel()
	d := actPage(t, closedPage)
	s := snapshot(t, d)
	var button, input driver.Target
	for n := range all(s.Root) {
		switch n.Role {
		case "button":
			button = at(n.ID)
		case "textbox":
			input = at(n.ID)
		}
	}
	if button.Node == 0 || input.Node == 0 {
		t.Fatalf("the closed tree is not captured: %+v", s.Root)
	}
	perform(t, d, driver.Tap{Target: button})
	want(t, "clicks", js(t, d, "n"), "1")
	e := perform(t, d, driver.TypeText{Target: input, Text: "inside", Clear: true})
	want(t, "typed", js(t, d, "v"), `"inside"`)
	want(t, "method", e.Method, "insertText")
	js(t, d, "veil(true)")
	_, err := d.Perform(within(t, 3000), driver.Tap{Target: button})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), "div#v") {
		t.Errorf("err = %v", err)
	}
	want(t, "clicks", js(t, d, "n"), "1")
}

// all yields a node and everything in it.
func all(n *screen.Node) iter.Seq[*screen.Node] {
	return func(yield func(*screen.Node) bool) {
		var walk func(n *screen.Node) bool
		walk = func(n *screen.Node) bool {
			if n == nil {
				return true
			}
			if !yield(n) {
				return false
			}
			for _, c := range n.Children {
				if !walk(c) {
					return false
				}
			}
			return true
		}
		walk(n)
	}
}

func TestEffectsInOtherFrames(t *testing.T) {
	t.Parallel()
	d := actPages(t, map[string]string{
		"/": `<p id=out></p><button id=b onclick="frames[0].postMessage('x','*')">x</button><iframe src="OTHER/in"></iframe>` +
			`<script>onmessage=e=>out.textContent=e.data</script>`,
		"/in": `<p id=out></p><button id=b onclick="parent.postMessage('y','*')">x</button><script>onmessage=e=>out.textContent=e.data</script>`,
	}, DeviceOptions{})
	e := perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	if e.Changes.Tree == 0 {
		t.Errorf("change in the frame is not seen: %+v", e.Changes)
	}
	e = perform(t, d, driver.Tap{Target: at(node(t, d, "#b", "/in"))})
	if e.Changes.Tree == 0 {
		t.Errorf("change around the frame is not seen: %+v", e.Changes)
	}
}

func TestClickAfterDropDownAndContextMenu(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<select id=s><option>a</option><option>b</option></select><p style="height:300px"></p>`+counter)
	perform(t, d, driver.Tap{Target: at(node(t, d, "#s"))})
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "n"), "1")
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b")), Button: driver.Right})
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "n"), "2")
}

func TestClickOnZoomedOutPhonePage(t *testing.T) {
	t.Parallel()
	d := actPages(t, map[string]string{"/": `<div style="width:980px;height:900px"></div><div style="padding-left:700px">` + counter +
		`</div>`}, DeviceOptions{Preset: "Pixel 7"})
	perform(t, d, driver.Tap{Target: at(node(t, d, "#b"))})
	want(t, "clicks", js(t, d, "n"), "1")
}

func TestActWhileDialogIsOpen(t *testing.T) {
	t.Parallel()
	d := actPage(t, counter+`<button id=c onclick="confirm('sure?')">x</button>`)
	if err := d.SetDialogPolicy(deadline(t), driver.DialogPolicy{Keep: true}); err != nil {
		t.Fatal(err)
	}
	perform(t, d, driver.Tap{Target: at(node(t, d, "#c"))})
	_, err := d.Perform(within(t, 5000), driver.Tap{Target: at(d.frames.Active.Main.Document.NodeID(1))})
	if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), "dialog") {
		t.Errorf("err = %v", err)
	}
}

func TestClickThatOutlastsTheDeadline(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<button id=b onclick="window.n=(window.n||0)+1;const e=performance.now()+1500;while(performance.now()<e);">x</button>`)
	_, err := d.Perform(within(t, 1500), driver.Tap{Target: at(node(t, d, "#b"))})
	if fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "was sent") {
		t.Errorf("err = %v", err)
	}
	want(t, "clicks", js(t, d, "n"), "1")
}
