package replay

// whichIsMeant are texts that name elements: the right one is acted on, and where it is not clear which one that is,
// none.
func whichIsMeant() []honest {
	const olwens = `<ul><li onclick="wrong()">Call Olwen Smith</li><li onclick="done()">Olwen</li></ul><script>const wrong=()=>{o.textContent='wrong'}</script>`
	const rows = `<table><tr><td>Mug<td><button onclick="o.textContent='wrong'">Delete</button><tr><td>Cup<td><button onclick="done()">Delete</button></table>`
	return []honest{
		pass("the exact text before one that contains it", olwens+counts, `web_click: {ref: Olwen}`+"\n"+seeDone),
		pass("the exact item by its role", olwens+counts, `web_click: {ref: 'listitem "Olwen"'}`+"\n"+seeDone),
		pass("an expression for the whole text", olwens+counts, `web_click: {ref: '/^Olwen$/'}`+"\n"+seeDone),
		pass("a tap on the exact text", olwens+counts, `tapOnElementWithText: {text: Olwen}`+"\n"+seeDone),
		fail("two items of one text", `<ul><li onclick="done()">Olwen</li><li>Gwyn</li><li onclick="done()">Olwen</li></ul>`+counts, `web_click: {ref: Olwen}`, `fits 2 elements`),
		fail("two buttons of one name", rows+counts, `web_click: {ref: 'button "Delete"'}`, `in row "Cup Delete"`),
		fail("a tap on one of two texts", rows+counts, `tapOnElementWithText: {text: Delete}`, `fits 2 elements`),
		pass("one of two buttons by its row", rows+counts, `web_click: {ref: 'button "Delete" in row "Cup"'}`+"\n"+seeDone),
		pass("one of two buttons by its index", rows+counts, `tapOnElementWithText: {text: Delete, index: 1}`+"\n"+seeDone),
		pass("one of two when the other goes", `<button id=b>Save</button><button onclick="done()">Save</button><script>setTimeout(()=>b.remove(),1500)</script>`+counts, `web_click: {ref: Save}`+"\n"+seeDone),
		pass("a text that comes late", `<div id=d></div><script>setTimeout(()=>{d.innerHTML='<button onclick="done()">Save</button>'},3000)</script>`+counts, `web_click: {ref: Save}`+"\n"+seeDone),
		fail("a hidden one and one that is called alike", `<button hidden>Delete</button><button onclick="done()">Delete all</button>`+counts, `web_click: {ref: Delete}`, `button "Delete all"`),
		pass("a hidden one of the same name", `<nav style="display:none"><button>Save</button></nav><button onclick="done()">Save</button>`+counts, `web_click: {ref: Save}`+"\n"+seeDone),
		pass("typing where a button has the name as well", `<input aria-label=Search oninput="done()"><button>Search</button>`+counts, `web_type: {ref: Search, text: x}`+"\n"+seeDone),
		fail("clicking where a field has the name as well", `<input aria-label=Search><button onclick="done()">Search</button>`+counts, `web_click: {ref: Search}`, `textbox "Search"`),
		fail("typing where only the text has the name", `<p>Name</p><input><label>Last Name <input oninput="done()"></label>`+counts, `web_type: {ref: Name, text: x}`, `fits 2 elements`),
		fail("an assertion on a part of a word", `<p>Unpaid</p>`, `web_verifyElementVisible: {ref: Paid}`, "nothing on the screen matches"),
		fail("an assertion on one of two", `<h2>Paid</h2><h2>Paid</h2>`, `web_verifyElementVisible: {ref: 'heading "Paid"'}`, `fits 2 elements`),
		fail("a value of one of two fields", `<label>Name <input value=Ada></label><hr><label>Name <input value=Grace></label>`, `web_verifyValue: {ref: Name, type: VALUE, expected: Grace}`, `fits 2 elements`),
		pass("a name without the glyph of its icon", "<button onclick=done()>\uf015 Home</button><button>\uf015 Home page</button>"+counts, `web_click: {ref: 'button "Home"'}`+"\n"+seeDone),
		fail("a number is not a part of another", `<ul><li onclick="done()">13</li></ul>`+counts, `web_click: {ref: "3"}`, "nothing on the screen matches"),
	}
}
