package web

import (
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
)

// picker hides a moment after its field has lost the focus, and takes every key until then.
const picker = `<input id=d onfocus="p.hidden=false" onblur="setTimeout(()=>{p.hidden=true},250)"><div id=p hidden>Pick</div><input id=n><p id=o></p><script>
	addEventListener('keydown',e=>{if(!p.hidden&&document.activeElement===n){e.preventDefault();e.stopImmediatePropagation();
window.eaten=(window.eaten||0)+1}},true);
	n.onkeydown=e=>{if(e.key==='Enter')o.textContent='sent'}</script>`

// TestActionWaitsForShortTimers: what the page is about to do because of one action is done before
// the next one is sent.
func TestActionWaitsForShortTimers(t *testing.T) {
	d := actPage(t, picker)
	for range 3 {
		js(t, d, "(o.textContent='',d.focus())")
		perform(t, d, driver.Tap{Target: at(node(t, d, "#n"))})
		perform(t, d, driver.PressKey{Key: "Enter"})
		want(t, "sent", js(t, d, "[o.textContent,p.hidden,window.eaten]"), `["sent",true,null]`)
	}
}

// TestTypingWaitsForItsPause: what a field suggests after a short pause has come when the text is
// entered.
func TestTypingWaitsForItsPause(t *testing.T) {
	d := actPage(t, `<input id=i oninput="clearTimeout(window.k);window.k=setTimeout(()=>{o.textContent='Results for '+this.value},300)"><p id=o></p>`)
	for _, keys := range []bool{false, true} {
		e := perform(t, d, driver.TypeText{Target: at(node(t, d, "#i")), Text: "rasp", Clear: true, Keys: keys})
		want(t, "results", js(t, d, "o.textContent"), `"Results for rasp"`)
		if e.Changes.Tree == 0 {
			t.Errorf("effect %+v", e.Changes)
		}
		js(t, d, "(o.textContent='')")
	}
}

// TestTimersOfThePageAreNotWaitedFor: what a page sets again and again, has cleared, or sets for
// long keeps no action.
func TestTimersOfThePageAreNotWaitedFor(t *testing.T) {
	tests := []struct{ name, html string }{
		{"none", counter},
		{"a loop of timers", counter + `<script>(function f(){setTimeout(f,300)})()</script>`},
		{"a loop of promises", counter + `<script>(async()=>{for(;;)await new Promise(done=>setTimeout(done,300))})()</script>`},
		{"a loop that a click starts", counter + `<script>b.addEventListener('mousedown',()=>{(function f(){window.k=setTimeout(f,30)})()},{once:true})</script>`},
		{"a timer that is cleared",
			counter + `<script>b.addEventListener('mousedown',()=>{window.k=setTimeout(()=>0,380)});b.addEventListener('mouseup',()=>clearTimeout(k))</script>`},
		{"a long timer", counter + `<script>b.addEventListener('click',()=>setTimeout(()=>0,5000))</script>`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := actPage(t, test.html)
			eval[bool](t, d, "new Promise(done=>{let n=0;const f=()=>++n>80?done(true):requestAnimationFrame(f);f()})")
			id := node(t, d, "#b")
			perform(t, d, driver.Tap{Target: at(id)})
			perform(t, d, driver.Tap{Target: at(id)})
			var waits time.Duration
			for range 5 {
				eval[bool](t, d, "(window.now=performance.now(),b.addEventListener('mousedown',()=>{window.now=performance.now()-now},{once:true,capture:true}),true)")
				perform(t, d, driver.Tap{Target: at(id)})
				waits += time.Duration(eval[float64](t, d, "now")) * time.Millisecond
			}
			t.Logf("5 clicks were sent after %s in all", waits)
			want(t, "clicks", js(t, d, "window.n"), "7")
			if waits > 1200*time.Millisecond {
				t.Errorf("5 clicks were sent after %s in all", waits)
			}
		})
	}
}

// TestTransformIsAnEffect: what moves or grows a picture in a later frame, or did so before and
// came to rest, is an effect.
func TestTransformIsAnEffect(t *testing.T) {
	// The canvas stands clear of the buttons at any size of their font: scaled beside them, it would cover the next one.
	d := actPage(t, `<canvas id=c width=100 height=100 style="position:fixed;left:200px;top:300px"></canvas><button id=zoom
onclick="requestAnimationFrame(()=>requestAnimationFrame(()=>{c.style.transform='scale(2)'}))">+</button>
		<button id=shake>~</button><button id=dead>x</button><script>shake.onclick=()=>{const end=performance.now()+2600;
(function f(){c.style.transform='translateX('+Math.random()+'px)';
		if(performance.now()<end)requestAnimationFrame(f);else setTimeout(()=>{window.rested=true},400)})()}</script>`)
	changed := func(css string) bool { return perform(t, d, driver.Tap{Target: at(node(t, d, css))}).Changes.Tree > 0 }
	if !changed("#zoom") {
		t.Error("a transform in the next frame is no effect")
	}
	if changed("#dead") {
		t.Error("a dead button has an effect")
	}
	if !changed("#shake") {
		t.Error("an animation by script is no effect")
	}
	eval[bool](t, d, "new Promise(done=>{(function f(){window.rested?done(true):requestAnimationFrame(f)})()})")
	if !changed("#zoom") {
		t.Error("what had moved for long and came to rest cannot be moved any more")
	}
}
