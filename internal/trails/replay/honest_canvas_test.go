package replay

// Actions of which nothing comes but a drawing, a copy, or something late.
func whatIsDrawn() []honest {
	const (
		box  = `<canvas id=c width=200 height=120 style="display:block"></canvas>`
		flat = `<script>const g=c.getContext('2d');g.fillStyle='red';`
		tap  = `web_click: {ref: "css=#c"}`
		save = `<div style="position:relative;width:200px"><button style="position:absolute;left:20px;top:20px">Save</button>` + box + `</div>`
		gl   = `<script>const g=c.getContext('webgl');`
		none = "nothing changed"
	)
	return []honest{
		pass("a click that draws", box+flat+`c.onclick=e=>g.fillRect(e.offsetX,e.offsetY,6,6)</script>`, tap),
		pass("a click that draws with WebGL", box+gl+`c.onclick=()=>{g.clearColor(0,0,1,1);g.clear(g.COLOR_BUFFER_BIT)}</script>`, tap),
		pass("a click that draws in the next frame", box+flat+`c.onclick=()=>requestAnimationFrame(()=>g.fillRect(0,0,9,9))</script>`, tap),
		pass("a click that draws on a canvas of pictures from elsewhere", box+`<img id=i src="{{other}}/odd/picture" hidden>`+flat+`c.onclick=()=>g.drawImage(i,0,0)</script>`, tap),
		pass("a click that draws on a map that is moved and scaled", `<div style="transform:translate3d(-20px,15px,0) scale(2);transform-origin:0 0">`+box+`</div>`+flat+`c.onclick=()=>g.fillRect(30,30,5,5)</script>`, tap),
		pass("a button on a canvas that draws on it", save+flat+`document.querySelector('button').onclick=()=>g.fillRect(120,80,9,9)</script>`, clickSave),
		pass("a click that clears a drawing", box+flat+`g.fillRect(0,0,99,99);c.onclick=()=>g.clearRect(0,0,99,99)</script>`, tap),
		fail("a click on a canvas that draws nothing", box+flat+`g.fillRect(0,0,99,99);c.onclick=()=>{}</script>`, tap, none),
		fail("a click that draws what is there already", box+flat+`g.fillRect(0,0,99,99);c.onclick=()=>g.fillRect(0,0,99,99)</script>`, tap, none),
		fail("a click on a canvas that the pointer alone draws on", box+flat+`c.onmousemove=e=>g.fillRect(e.offsetX,e.offsetY,6,6)</script>`, tap, none),
		fail("a click on a canvas that moves by itself", box+flat+`let n=0;const f=()=>{g.clearRect(0,0,200,120);g.fillRect(n++%150,9,30,30);requestAnimationFrame(f)};f()</script>`, tap, none),
		fail("a dead button on a canvas, that shows the press", `<style>button:focus{background:lime;outline:4px solid lime}</style>`+save+flat+`</script>`, clickSave, none),
		pass("a copy button", `<button onclick="navigator.clipboard.writeText('x').then(()=>{o.textContent='Paid'},e=>{o.textContent=e.name})">Save</button><p id=o></p>`, clickSave+"\n"+seePaid),
		fail("a paste button without the permission", `<button onclick="navigator.clipboard.readText().then(()=>{o.textContent='Paid'},e=>{o.textContent=e.name})">Save</button><p id=o></p>`, clickSave+"\n"+seePaid, "NotAllowedError"),
		fail("a button that asks for the place without the permission", `<button onclick="navigator.geolocation.getCurrentPosition(()=>{o.textContent='Paid'},()=>{o.textContent='Denied'})">Save</button><p id=o></p>`, clickSave+"\n"+seePaid, "Denied"),
		pass("a press that moves the focus, and a slow handler", `<button onclick="setTimeout(()=>{o.textContent='Paid'},900)">Save</button><p id=o></p>`, clickSave+"\n"+seePaid),
		fail("a press that moves the focus and sets a timer for nothing", `<button onclick="setTimeout(()=>0,900)">Save</button>`, clickSave, none),
		fail("a dead button beside a canvas that moves by itself", box+`<button>Save</button>`+flat+`let n=0;const f=()=>{g.fillStyle='hsl('+n+++',90%,50%)';g.fillRect(0,0,99,99);requestAnimationFrame(f)};f()</script>`, clickSave, none),
	}
}
