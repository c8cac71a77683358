package replay

import "strings"

// Who is who after the page has changed.
func whoIsWho() []honest {
	rows := func(names ...string) string {
		var b strings.Builder
		b.WriteString(`<ul aria-label=Cart>`)
		for _, n := range names {
			b.WriteString(`<li><h3>` + n + `</h3><button onclick="document.getElementById('o').textContent='Gone: ` + n + `'">Delete</button></li>`)
		}
		return b.String() + `</ul><p id=o></p>`
	}
	deleteCup := `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Delete, nthIndex: 1}}, fingerprint: {role: button, name: Delete, alike: 2, near: ['heading "Cup"'], within: ['list "Cart"']}}` +
		"\n" + see("Gone: Cup")
	say := func(what string) string { return `onclick="o.textContent='` + what + `'"` }
	const o = `<p id=o></p>`
	css := func(sel, print string) string {
		return `web_click: {nodeSelector: {web: {cssSelector: "` + sel + `"}}, fingerprint: {` + print + `}}` + "\n" + see("Saved")
	}
	const saveButton = `role: button, name: Save, tag: button`
	return []honest{
		pass("the recorded row", rows("Mug", "Cup", "Jar"), deleteCup),
		fail("the recorded row, moved: its neighbour is not clicked", rows("Mug", "Jar", "Pot"), deleteCup, "Cup"),
		fail("the rows in another order", rows("Cup", "Mug", "Jar"), deleteCup, "Cup"),
		pass("more rows below", rows("Mug", "Cup", "Jar", "Pot", "Pan"), deleteCup),
		fail("css alone does not overrule role and name", `<button class=go>Buy</button><p>x</p>`, `web_click: {nodeSelector: {web: {cssSelector: .go, ariaRole: button, ariaNameRegex: Save}}}`, "Buy"),
		pass("css and who it was", `<button id=s `+say("Saved")+`>Save</button>`+o, css("#s", saveButton)),
		fail("another name by the same css", `<button id=s `+say("Saved")+`>Delete</button>`+o, css("#s", saveButton), "Delete"),
		fail("another role by the same css and text", `<a href="#x" id=s `+say("Saved")+`>Save</a>`+o, css("#s", saveButton), "link"),
		fail("the language switched", `<button id=s `+say("Saved")+`>Speichern</button>`+o, css("#s", saveButton), "Speichern"),
		pass("the same id twice, the second recorded", `<button id=s `+say("Wrong")+`>Open</button><button id=s `+say("Saved")+`>Save</button>`+o, css("#s", saveButton)),
		pass("a counter beside it has changed", `<ul aria-label=Cart><li><p>7 pieces</p><button id=s `+say("Saved")+`>Save</button></li></ul>`+o, css("#s", saveButton+`, near: ['paragraph "3 pieces"'], within: ['list "Cart"']`)),
		pass("a field whose own value has changed", `<input id=s aria-label=Name value=Bea onclick="o.textContent='Saved'">`+o, css("#s", `role: textbox, name: Name, tag: input`)),
		pass("a counter in its own name has changed", `<button data-testid=cart `+say("Saved")+`>Cart (7)</button>`+o, `web_click: {nodeSelector: {web: {dataTestId: cart}}, fingerprint: {role: button, name: Cart (3), testId: cart, tag: button}}`+"\n"+see("Saved")),
		pass("the visible one of two", `<button style="display:none" `+say("Wrong")+`>Save</button><button `+say("Saved")+`>Save</button>`+o, clickSave+"\n"+see("Saved")),
		pass("the one that is not covered", `<div style="position:relative"><button `+say("Wrong")+`>Save</button><div style="position:absolute;inset:0;background:#eee"></div></div><button `+say("Saved")+`>Save</button>`+o, clickSave+"\n"+see("Saved")),
		pass("the one in the frame", `<button `+say("Wrong")+`>Save</button>`+o+`<iframe title=Pay srcdoc="<h2>Pay</h2><button onclick='parent.o.textContent=&quot;Saved&quot;'>Save</button>"></iframe>`, `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save, nthIndex: 1}}, fingerprint: {role: button, name: Save, alike: 2, near: ['heading "Pay"'], within: ['iframe "Pay"']}}`+"\n"+see("Saved")),
		fail("the one in the frame, which is gone", `<h2>Pay</h2><button `+say("Saved")+`>Save</button>`+o+`<button `+say("Saved")+`>Save</button>`, `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save, nthIndex: 1}}, fingerprint: {role: button, name: Save, alike: 2, near: ['heading "Bill"'], within: ['iframe "Pay"']}}`+"\n"+see("Saved"), "Save"),
		fail("a name in a longer one", `<button `+say("Wrong")+`>Save as draft</button>`+o, clickSave, "Save as draft"),
		fail("a row that is not rendered", `<div id=h style="height:100px;overflow:auto"><div style="height:4000px;position:relative"></div></div>`+o+virtual, press("button", "Row 90"), "Row 9"),
		pass("a row that is rendered when scrolled to", `<div id=h style="height:100px;overflow:auto"><div style="height:4000px;position:relative"></div></div>`+o+virtual, `scrollUntilTextIsVisible: {text: Row 90}`+"\n"+press("button", "Row 90")+"\n"+see("Took 90")),
		fail("what was replaced by an equal one with another meaning", `<table><tr><td>Ada<td><button `+say("Wrong")+`>Delete</button></table>`+o, `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Delete}}, fingerprint: {role: button, name: Delete, alike: 3, near: ['cell "Bea"'], within: ['row "Bea Delete"']}}`, "Bea"),
	}
}

// virtual renders only the rows in view.
const virtual = `<script>const r=()=>{const a=Math.floor(h.scrollTop/40),d=h.firstChild;d.innerHTML='';for(let i=a;i<a+4&&i<100;i++){const b=document.createElement('button');b.textContent='Row '+i;b.style='position:absolute;height:40px;top:'+i*40+'px';b.onclick=()=>{o.textContent='Took '+i};d.append(b)}};h.onscroll=r;r()</script>`

// What a failure has to tell besides that it is one.
func whatFailuresSay() []honest {
	return []honest{
		fail("what was looked for", `<button>Store</button>`, clickSave, `looked for: button "Save"`),
		fail("what comes nearest", `<button>Save draft</button><button>Cancel</button>`, clickSave, `nearest: button "Save draft"`),
		fail("what covers it", `<button>Save</button><div class=toast style="position:fixed;inset:0;background:#eee">Wait</div>`, clickSave, "toast"),
		fail("what the text is instead", `<p>Status: Open</p>`, see("Status: Paid"), "Status: Open"),
		fail("that the text is there but hidden", `<p hidden>Paid</p>`, seePaid, "hidden"),
		unsure("that a dialog is in the way", `<p>x</p><button onclick="setTimeout(()=>alert('Session expired'),50)">Save</button>`, "web_setDialogPolicy: {policy: keep}\n"+`web_click: {effect: none, nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`+"\n"+seePaid, "Session expired"),
		fail("that the page is an error page", `<p>x</p>`, `web_navigate: {url: "{{base}}/odd/500?say=Down"}`, "500"),
		fail("what a field holds instead", `<input aria-label=Name value=Bea>`, value("textbox", "Name", "Ada"), `"Bea"`),
	}
}
