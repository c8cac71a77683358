package replay

// vain is no pass. Whether it is a failure hangs on when the page changed last.
func vain(name, page, calls string) honest {
	return honest{name: name, page: page, calls: hurry(calls), says: "nothing changed"}
}

// Pages that change by themselves, and actions on them that do something or nothing.
func whatPagesDoThemselves() []honest {
	const (
		dead  = `<div role=button tabindex=-1 onmousedown="event.preventDefault()">Save</div><p>Done once</p>`
		live  = `<button onmousedown="event.preventDefault()" onclick="go()">Save</button>` + counts
		click = clickSave + "\n" + seeDone
		wait  = "web_wait: {seconds: 2}\n"

		second = `<p id=t>0</p><script>let k=0;setInterval(()=>{t.textContent=++k},1000)</script>`
		// Any cell of a table changes, now this one, now that one.
		table = `<table><tbody id=t></tbody></table><script>for(let i=0;i<8;i++)t.innerHTML+='<tr><th>Row '+i+'<td>1<td>2';
			const cells=[...document.querySelectorAll('td')];let k=0;const cell=()=>cells[(k+=7)%16];
			const tick=()=>{cell().textContent=Math.random()}</script>`
		cells  = table + `<script>setInterval(tick,150)</script>`
		feed   = `<ul id=t></ul><script>let k=0;(function f(){setTimeout(f,80+200*Math.random());const l=document.createElement('li');l.textContent=++k;t.prepend(l);if(k>9)t.lastChild.remove()})()</script>`
		tasks  = `<script>const c=new MessageChannel(),later=f=>{c.port2.onmessage=f;c.port1.postMessage(0)}</script>`
		title  = `<script>let k=0;setInterval(()=>{document.title='('+ ++k+') Inbox'},1000)</script>`
		scroll = `<div id=t style="height:40px;overflow:auto"><div style="height:9000px">x</div></div><script>setInterval(()=>{t.scrollTop+=5},400)</script>`
	)
	does := func(what string) string { return `<script>function go(){` + what + `}</script>` }
	return []honest{
		vain("a dead button beside a clock of seconds", dead+second, clickSave),
		vain("a dead button beside a clock of seconds that has ticked", dead+second, wait+clickSave),
		vain("a dead button beside a table that ticks", dead+cells, wait+clickSave),
		vain("a dead button beside a table that ticks since a moment", dead+cells, clickSave),
		vain("a dead button beside a feed", dead+feed, wait+clickSave),
		vain("a dead button beside a clock that is drawn in a task of its own", dead+tasks+`<p id=t>0</p><script>let k=0;setInterval(()=>later(()=>{t.textContent=++k}),700)</script>`, clickSave),
		vain("a dead button beside a table that draws what it fetches", dead+table+`<script>setInterval(()=>fetch('/odd/page').then(tick),250)</script>`, wait+clickSave),
		vain("a dead button on a page whose title ticks", dead+title, clickSave),
		vain("a dead button beside a box that scrolls by itself", dead+scroll, wait+clickSave),
		vain("a dead button where the page draws something late", dead+`<p id=t></p><script>setTimeout(()=>{t.textContent='News'},900)</script>`, clickSave),
		vain("a dead button beside a spinner that turns", dead+`<i id=t>*</i><script>let k=0;(function f(){t.style.rotate=++k+'deg';requestAnimationFrame(f)})()</script>`, clickSave),

		pass("a button that changes a cell of a table that ticks", live+cells+does(`done();cell().textContent='set'`), wait+click),
		pass("a button that changes nothing but a cell of a table that ticks", `<button onmousedown="event.preventDefault()" onclick="cell().textContent='set'">Save</button>`+cells, wait+clickSave),
		pass("a button that adds to a feed", `<button onmousedown="event.preventDefault()" onclick="t.append('more')">Save</button>`+feed, wait+clickSave),
		pass("a button that changes a cell after a pause", `<button onmousedown="event.preventDefault()" onclick="setTimeout(()=>{cell().textContent='set'},300)">Save</button>`+cells, wait+clickSave),
		pass("a button that works slowly beside a clock of seconds", live+second+does(`setTimeout(done,900)`), click),
		pass("a button that waits for a promise beside a clock", live+second+does(`(async()=>{await new Promise(f=>setTimeout(f,700));done()})()`), click),
		pass("a button whose change is drawn in a task of its own", live+cells+tasks+does(`later(done)`), wait+click),
		pass("a button whose change is drawn in the next frames", live+cells+does(`requestAnimationFrame(()=>requestAnimationFrame(done))`), wait+click),
		pass("a button that asks a server on a page that ticks", live+cells+does(`fetch('/odd/page?n=1').then(done)`), wait+click),
		pass("a button whose change a loop draws that draws all the time", live+`<p id=t></p><script>let k=0,want=0;setInterval(()=>{t.textContent=++k;if(want){want=0;done()}},60)</script>`+does(`want=1`), wait+click),
		pass("a key on a page that ticks", `<body onkeydown="event.key==='Escape'&&done()">`+cells+counts, wait+"web_pressKey: {key: Escape}\n"+seeDone),
	}
}
