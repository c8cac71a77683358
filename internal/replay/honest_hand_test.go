package replay

// Where a click lands, when its target stands still, and what typing leaves in a field.
func whatHandsDo() []honest {
	const o = `<p id=o></p>`
	say := func(what string) string { return `onclick="event.stopPropagation();o.textContent='` + what + `'"` }
	item := press("listitem", "Olwen")
	const restless = `<div id=bar style="height:9px;width:9px;background:#c00;transition:width .4s"></div><script>let w=0;setInterval(()=>{bar.style.width=(w=(w+37)%300)+'px'},150)</script>`
	save := `<button onclick="done()">Save</button>` + counts
	click := clickSave + "\n" + seeDone
	return []honest{
		pass("a child has the handler of its focusable item", `<ul style="width:max-content"><li tabindex=0 aria-label=Olwen><span `+say("Sorted")+`>Olwen</span></ul>`+o, item+"\n"+see("Sorted")),
		pass("a column header whose label has the handler", `<div role=grid><div role=row><div role=columnheader tabindex=-1 style="width:200px;display:flex"><div style="flex:1" `+say("Sorted")+`><span>Price</span></div></div></div></div>`+o, press("columnheader", "Price")+"\n"+see("Sorted")),
		pass("a row and not the delete button in its middle", `<div role=option tabindex=0 aria-label=Olwen style="width:300px;padding:40px" `+say("Chosen")+`><button style="display:block;margin:auto" `+say("Gone")+`>x</button></div>`+o, press("option", "Olwen")+"\n"+see("Chosen")),
		pass("a link that fills its item", `<ul style="width:200px"><li tabindex=0 aria-label=Olwen><a href="#x" style="display:block" `+say("Home")+`>Olwen</a></ul>`+o, item+"\n"+see("Home")),
		fail("a card whose child swallows the click", `<div role=button tabindex=0 onclick="done()" style="width:200px"><span style="display:block" onclick="event.stopPropagation()">Save</span></div>`+counts, clickSave, "nothing changed"),
		pass("a progress bar that restarts elsewhere", save+restless, click),
		pass("a progress bar that restarts above", restless+save, click),
		pass("a drawer that slides in is waited for", `<style>#d{position:fixed;left:0;top:0;transform:translateX(-300px);transition:transform .6s}#d.in{transform:none}</style><div id=d>`+save+`</div><script>setTimeout(()=>{d.className='in'},100)</script>`, click),
	}
}
