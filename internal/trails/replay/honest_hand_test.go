package replay

// Where a click lands, when its target stands still, and what typing leaves in a field.
func whatHandsDo() []honest {
	const o = `<p id=o></p>`
	say := func(what string) string { return `onclick="event.stopPropagation();o.textContent='` + what + `'"` }
	item := press("listitem", "Olwen")
	const restless = `<div id=bar style="height:9px;width:9px;background:#c00;transition:width .4s"></div><script>let w=0;setInterval(()=>{bar.style.width=(w=(w+37)%300)+'px'},150)</script>`
	save := `<button onclick="done()">Save</button>` + counts
	click := clickSave + "\n" + seeDone
	ada := enter("Name", "Ada")
	typed := func(text string) string {
		return `web_type: {clearFirst: false, text: "` + text + `", ` + named("textbox", "Name") + `}`
	}
	const combo = `<input aria-label=Name role=combobox aria-autocomplete=both oninput="if(event.inputType==='insertText'){const n=this.value.length,f=['Alabama','Alaska'].find(s=>s.toLowerCase().startsWith(this.value.toLowerCase()));if(f){this.value=f;this.setSelectionRange(n,f.length)}}">`
	byKeys := func(text string) string {
		return `web_type: {keys: true, text: ` + text + `, ` + named("combobox", "Name") + `}`
	}
	// An editor that takes keys in a small field, keeps the text itself and draws it.
	const editor = `<div id=ed style="width:300px;height:80px;position:relative"><textarea id=i aria-label=Name style="position:absolute;width:1px;height:1px;padding:0;border:0"></textarea><pre id=lines style="margin:0 0 0 30px"></pre></div><script>let text='old text',all=false;const draw=()=>{lines.textContent=text};i.onkeydown=e=>{if(e.ctrlKey&&e.key==='a'){all=true;e.preventDefault()}else if(e.key==='Delete'&&all){text='';all=false;draw()}};i.oninput=()=>{text=(all?'':text)+i.value;all=false;i.value='';draw()};draw()</script>`
	const picker = `<input aria-label=Date onfocus="p.hidden=false" onblur="setTimeout(()=>{p.hidden=true},250)"><div id=p hidden>Pick</div><input id=n aria-label=Name><p id=o></p><script>addEventListener('keydown',e=>{if(!p.hidden&&document.activeElement===n){e.preventDefault();e.stopImmediatePropagation()}},true);n.onkeydown=e=>{if(e.key==='Enter')o.textContent='Sent'}</script>`
	const zoom = `<div style="width:200px;height:100px;overflow:hidden"><canvas id=map width=200 height=100></canvas></div>`
	return []honest{
		pass("a child has the handler of its focusable item", `<ul style="width:max-content"><li tabindex=0 aria-label=Olwen><span `+say("Sorted")+`>Olwen</span></ul>`+o, item+"\n"+see("Sorted")),
		pass("a column header whose label has the handler", `<div role=grid><div role=row><div role=columnheader tabindex=-1 style="width:200px;display:flex"><div style="flex:1" `+say("Sorted")+`><span>Price</span></div></div></div></div>`+o, press("columnheader", "Price")+"\n"+see("Sorted")),
		pass("a row and not the delete button in its middle", `<div role=option tabindex=0 aria-label=Olwen style="width:300px;padding:40px" `+say("Chosen")+`><button style="display:block;margin:auto" `+say("Gone")+`>x</button></div>`+o, press("option", "Olwen")+"\n"+see("Chosen")),
		pass("a link that fills its item", `<ul style="width:200px"><li tabindex=0 aria-label=Olwen><a href="#x" style="display:block" `+say("Home")+`>Olwen</a></ul>`+o, item+"\n"+see("Home")),
		fail("a card whose child swallows the click", `<div role=button tabindex=0 onclick="done()" style="width:200px"><span style="display:block" onclick="event.stopPropagation()">Save</span></div>`+counts, clickSave, "nothing changed"),
		pass("a progress bar that restarts elsewhere", save+restless, click),
		pass("a progress bar that restarts above", restless+save, click),
		pass("a drawer that slides in is waited for", `<style>#d{position:fixed;left:0;top:0;transform:translateX(-300px);transition:transform .6s}#d.in{transform:none}</style><div id=d>`+save+`</div><script>setTimeout(()=>{d.className='in'},100)</script>`, click),
		pass("typing over a selection replaces it", `<input aria-label=Name value="one two three" onfocus="this.setSelectionRange(4,7)">`, press("textbox", "Name")+"\n"+`web_evaluate: {script: "document.querySelector('input').setSelectionRange(4,7)"}`+"\n"+typed("2")+"\n"+value("textbox", "Name", "one 2 three")),
		pass("a combobox that completes what is typed", combo, byKeys("al")+"\n"+value("combobox", "Name", "Alabama")),
		pass("a combobox typed to another completion", combo, byKeys("alas")+"\n"+value("combobox", "Name", "Alaska")),
		fail("a field that puts another text in place of what is typed", `<input aria-label=Name oninput="this.value='Alabama'">`, enter("Name", "Al"), "Alabama"),
		fail("a field that refuses typing", `<input aria-label=Name onbeforeinput="event.preventDefault()">`, ada, "holds"),
		fail("an editable element that refuses typing", `<div contenteditable role=textbox aria-label=Name onbeforeinput="event.preventDefault()" style="min-height:20px"></div>`, ada, "holds"),
		fail("a field that refuses to be emptied", `<input aria-label=Name value=x onbeforeinput="event.preventDefault()">`, `web_clear: {`+named("textbox", "Name")+`}`, "holds"),
		fail("a date that refuses input", `<input type=date value=2020-01-01 onbeforeinput="event.preventDefault()">`, `web_type: {text: "2026-02-03", ref: css=input}`, "2020-01-01"),
		fail("a read-only date", `<input type=date value=2020-01-01 readonly>`, `web_type: {text: "2026-02-03", ref: css=input}`, "read-only"),
		fail("a select under a veil", `<select aria-label=Name><option>A<option>B</select><div id=veil style="position:fixed;inset:0;background:#eee"></div>`, `web_selectOption: {values: [B], ref: css=select}`, "veil"),
		fail("a disabled file input", `<input type=file disabled>`, `web_uploadFile: {paths: [doc.go], ref: css=input}`, "disabled"),
		fail("a field under a veil", `<input aria-label=Name><div id=veil style="position:fixed;inset:0;background:#eee"></div>`, ada, "veil"),
		pass("a field under its own hint", `<div style="position:relative;width:200px"><input aria-label=Name style="width:200px"><span style="position:absolute;inset:0">Hint</span></div>`, ada+"\n"+value("textbox", "Name", "Ada")),
		pass("an editor that draws its own text", editor, `web_type: {text: "new words", ref: css=textarea}`+"\n"+see("new words")+"\n"+assertNot("old text")),
		fail("an editor that cannot be emptied", editor+`<script>i.addEventListener('keydown',e=>e.stopImmediatePropagation(),true)</script>`, `web_type: {text: "new words", ref: css=textarea}`, "still holds"),
		fail("typing where nothing has the focus", `<input aria-label=Name>`, `web_type: {text: Ada}`, "nothing on the page has the focus"),
		pass("typing where the focus is", `<input aria-label=Name autofocus>`, `inputText: {text: Ada}`+"\n"+value("textbox", "Name", "Ada")),
		pass("a picker that hides on a timer and takes the keys until then", picker, press("textbox", "Date")+"\n"+press("textbox", "Name")+"\nweb_pressKey: {key: Enter}\n"+see("Sent")),
		pass("a suggestion that fades before the next click", `<input aria-label=Date onblur="setTimeout(()=>{veil.hidden=true},300)"><div id=veil style="position:fixed;top:60px;left:0;right:0;height:50px;background:#eee" onclick="o.textContent='Wrong'"></div><div style="position:absolute;top:70px">`+save+`</div><input aria-label=Name>`+o, press("textbox", "Date")+"\n"+press("textbox", "Name")+"\n"+click),
		pass("a menu that opens after a pause takes the key that follows", `<input aria-label=Name oninput="clearTimeout(window.k);k=setTimeout(()=>{m.hidden=false},300)" onkeydown="if(event.key==='ArrowDown'&&!m.hidden)o.textContent='Chosen'"><div id=m hidden>Raspberry</div>`+o, enter("Name", "rasp")+"\nweb_pressKey: {key: ArrowDown}\n"+see("Chosen")),
		fail("a menu that never opens", `<input aria-label=Name onkeydown="if(event.key==='ArrowDown'&&!m.hidden)o.textContent='Chosen'"><div id=m hidden>Raspberry</div>`+o, enter("Name", "rasp")+"\nweb_pressKey: {key: ArrowDown, effect: none}\n"+see("Chosen"), "Chosen"),
		pass("a page that sets timers for ever", save+`<script>(function f(){setTimeout(f,100)})();(async()=>{for(;;)await new Promise(done=>setTimeout(done,50))})()</script>`, click),
		pass("a map that grows in the next frame", zoom+`<button onclick="requestAnimationFrame(()=>{map.style.transform='scale(2)'})">Save</button>`, clickSave),
		fail("a map whose button is dead", zoom+`<button>Save</button>`, clickSave, "nothing changed"),
	}
}
