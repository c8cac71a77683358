package replay

// whatFocusIsFor are presses that give nothing but the focus, some for the keys that follow and some in vain, and
// handlers that throw.
func whatFocusIsFor() []honest {
	const (
		o      = `<p id=o></p>`
		hit    = `web_pressKey: {key: Enter}`
		keyed  = ` onkeydown="if(event.key==='Enter')o.textContent='Done once'">`
		cell   = `<div role=button tabindex=0 aria-label=Save` + keyed + `Save</div>` + o
		dead   = `<button>Save</button>` + o
		thrown = `the page reported an error: `
	)
	say := func(what string) string { return `onclick="o.textContent='` + what + `'"` }
	return []honest{
		pass("a press that gives the focus to what listens to keys", cell, clickSave+"\n"+hit+"\n"+seeDone),
		pass("a press on what lies in the element that takes the focus", `<div tabindex=0`+keyed+`<span role=img aria-label=Save>[x]</span></div>`+o, press("img", "Save")+"\n"+hit+"\n"+seeDone),
		pass("a key of a phone after it", cell, clickSave+"\npressKey: {keyCode: ENTER}\n"+seeDone),
		fail("a press that gives the focus to what takes no text", cell, clickSave+"\nweb_type: {text: ab}", "web_type after it failed: "),
		pass("a list that keys walk through", `<ul role=listbox tabindex=0 aria-label=Sizes onkeydown="if(event.key==='ArrowDown'){b.setAttribute('aria-selected','true');o.textContent='Done once'}"><li role=option>S</li><li role=option id=b>M</li></ul>`+o, press("listbox", "Sizes")+"\nweb_pressKey: {key: ArrowDown}\n"+seeDone),
		fail("a label of a button that is dead", `<label for=b>Total</label><button id=b>Save</button>`, `web_click: {ref: "Total"}`, "nothing changed"),
		fail("a press that gives the focus and nothing after it", cell, clickSave, "nothing changed"),
		fail("a press that gives the focus before a look", dead+`<p>Done once</p>`, clickSave+"\n"+seeDone, "judge web_click: the action was carried out and nothing changed"),
		fail("a press that gives the focus to what takes no keys", dead, clickSave+"\n"+`web_pressKey: {key: F7}`, "it gave the element the focus, but web_pressKey after it failed"),
		fail("a press that gives the focus before a key that moves it on", dead+`<input aria-label=Name>`, clickSave+"\n"+`web_pressKey: {key: Tab}`, "web_pressKey after it had no effect there"),
		fail("a press that gives the focus before a key declared to do nothing", dead, clickSave+"\n"+`web_pressKey: {key: F7, effect: none}`, "web_pressKey after it had no effect there"),
		fail("a press that gives the focus before a text for another field", dead+`<input aria-label=Name>`, clickSave+"\n"+enter("Name", "Ada"), "judge web_click: the action was carried out and nothing changed"),
		fail("a press that gives the focus before another press", dead+`<button `+say("Done once")+`>Pay</button>`, clickSave+"\n"+press("button", "Pay"), "judge web_click: the action was carried out and nothing changed"),
		fail("a press on what takes no focus before a key", `<p>Save</p>`+o+`<script>onkeydown=()=>{o.textContent='Done once'}</script>`, `web_click: {ref: "Save"}`+"\n"+hit, "judge web_click: the action was carried out and nothing changed"),
		fail("a press on what has the focus already", `<button autofocus>Save</button>`+o+`<script>onkeydown=()=>{o.textContent='Done once'}</script>`, clickSave+"\n"+hit, "judge web_click: the action was carried out and nothing changed"),

		fail("a handler that throws", `<button onclick="throw new Error('no basket')">Save</button>`, clickSave, thrown+"Error: no basket"),
		fail("a handler that is not there", `<button onclick="savE()">Save</button>`, clickSave, thrown+"ReferenceError: savE is not defined"),
		fail("a handler that throws late", `<button onclick="setTimeout(()=>{null.x},700)">Save</button>`, clickSave, thrown+"TypeError: "),
		fail("a promise that fails", `<button onclick="Promise.reject(new Error('no basket'))">Save</button>`, clickSave, thrown+"Error: no basket"),
		fail("an error that the page reports to a server", `<button onclick="throw new Error('no basket')">Save</button><script>onerror=()=>{fetch('/odd/500')}</script>`, clickSave, thrown+"Error: no basket"),
		fail("a key's handler that throws", `<script>onkeydown=()=>{throw new Error('no basket')}</script>`, hit, thrown+"Error: no basket"),
		pass("a handler that throws when it has done its work", `<button onclick="o.textContent='Done once';throw new Error('no basket')">Save</button>`+o, clickSave+"\n"+seeDone),
		pass("a request that fails without an error", `<button onclick="fetch('/odd/500')">Save</button>`, clickSave),
		pass("an error that is shown", `<button onclick="throw new Error('no basket')">Save</button>`+o+`<script>onerror=(m)=>{o.textContent='Sorry: '+m}</script>`, clickSave+"\n"+see("Sorry")),
		pass("an error from before", `<button `+say("Done once")+`>Save</button>`+o+`<script>throw new Error('no basket')</script>`, clickSave+"\n"+seeDone),
	}
}
