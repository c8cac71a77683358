package replay

// Ways in which what people act on differs from what the markup says: handlers without a role, fields that are
// transparent over their picture, native controls that nobody sees because the page draws its own.
func whatControlsShow() []honest {
	const (
		o       = `<p id=o></p>`
		clear   = `opacity:0;position:absolute;left:0;top:0;width:40px;height:40px;margin:0`
		row     = `<li style="position:relative;height:50px;list-style:none"><input type=checkbox aria-label="Buy bread" style="` + clear + `" onchange="o.textContent='Done once'"><label style="display:block;padding:12px 60px;background:#cde">Buy bread</label></li>` + o
		gone    = `position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden;border:0`
		drawn   = `<span role=combobox tabindex=0 aria-label=Colour onclick="o.textContent='Done once'">Red</span>` + o
		options = `<option>Red<option>Green</select>`
		choose  = `web_selectOption: {values: [Green], nodeSelector: {web: {cssSelector: "#s"}}}`
		seen    = `web_verifyElementVisible: {nodeSelector: {web: {ariaRole: checkbox}}}`
	)
	on := func(event string) string {
		return `<script>x.addEventListener('` + event + `',()=>{o.textContent='Done once'})</script>`
	}
	x := `web_click: {nodeSelector: {web: {cssSelector: "#x"}}}` + "\n" + seeDone
	// tabs declare their roles and states through their internals, as Material's do.
	const tabs = `<x-tab id=a>Flights</x-tab><x-tab id=b>Hotels</x-tab>` + o + `<script>customElements.define('x-tab',class extends HTMLElement{
constructor(){super();this.i=this.attachInternals();this.i.role='tab';this.i.ariaSelected=String(this.id==='a');
this.onclick=()=>{a.i.ariaSelected=b.i.ariaSelected='false';this.i.ariaSelected='true';o.textContent='Done once'}}})</script>`
	return []honest{
		pass("a tab that only its internals say is one", tabs, press("tab", "Hotels")+"\n"+seeDone),
		fail("a tab that is not there", tabs, press("tab", "Cars"), "tab"),
		pass("an arrow that a listener alone makes a control", `<i id=x style="display:inline-block;width:20px;height:20px;background:#cde"></i>`+o+on("click"), x),
		pass("an empty cell with a listener", `<table><tr><td>A<td id=x width=60 height=30></table>`+o+on("mousedown"), x),
		pass("a shape with a listener", `<svg width=90 height=90><circle id=x cx=45 cy=45 r=30 /></svg>`+o+on("pointerdown"), x),
		pass("a list item with a listener and a button in it", `<ul><li id=x style="padding:30px">Todo <button onclick="event.stopPropagation()">Delete</button></ul>`+o+on("click"), x),
		fail("an arrow that nobody listens to", `<i id=x style="display:inline-block;width:20px;height:20px;background:#cde"></i><p>Done once</p>`, x, "nothing changed"),
		pass("a transparent checkbox over its row is checked", row, `web_setChecked: {checked: true, `+named("checkbox", "Buy bread")+`}`+"\n"+seeDone),
		pass("a transparent checkbox over its row is seen", row, seen),
		fail("a transparent checkbox over nothing is not seen", `<div style="height:200px"></div><input type=checkbox aria-label="Buy bread" style="opacity:0">`, seen, "transparent"),
		fail("a transparent checkbox under something else is not seen", `<div style="position:relative"><input type=checkbox style="`+clear+`"><b style="position:absolute;left:0;top:0;width:40px;height:40px;background:red"></b></div>`, seen, "transparent"),
		fail("a checkbox in a transparent form is not seen", `<form style="opacity:0;background:#cde"><label><input type=checkbox>Terms</label></form>`, seen, "transparent"),
		fail("the name of a transparent checkbox is no text", `<div style="position:relative;width:40px;height:40px;background:#cde"><input type=checkbox aria-label=Paid style="`+clear+`"></div>`, seePaid, ""),
		fail("what a transparent field holds is not read", `<div style="position:relative;width:120px;height:40px;background:#cde"><input value=Paid style="`+clear+`"></div>`, seePaid, "transparent"),
		fail("what a transparent select holds is not read", `<div style="position:relative;width:120px;height:40px;background:#cde"><select style="`+clear+`"><option>Paid</select></div>`, seePaid, "transparent"),
		pass("a transparent select over its picture", `<div style="position:relative;width:120px;height:40px;background:#cde"><select id=s style="`+clear+`" onchange="o.textContent='Done once'">`+options+`</div>`+o, choose+"\n"+seeDone),
		fail("a select of one pixel", `<select id=s style="`+gone+`" aria-hidden=true tabindex=-1 onchange="o.textContent='Done once'">`+options+drawn, choose, `combobox "Colour"`),
		fail("a select off the page", `<select id=s style="position:absolute;left:-9999px">`+options+drawn, choose, `combobox "Colour"`),
		fail("a select clipped away", `<select id=s style="position:absolute;clip-path:inset(50%)">`+options+drawn, choose, `combobox "Colour"`),
		fail("a hidden select beside the one drawn", `<div><select id=s hidden>`+options+drawn+`</div>`, choose, `combobox "Colour"`),
		fail("a native input behind the one drawn", `<div style="position:relative">`+drawn+`<input id=x aria-hidden=true tabindex=-1 style="position:absolute;inset:0;opacity:0;pointer-events:none"></div>`, `web_click: {nodeSelector: {web: {cssSelector: "#x"}}}`, `combobox "Colour"`),
		fail("a transparent select under the one drawn", `<div style="position:relative"><select id=s style="position:absolute;left:0;top:0;width:30px;height:18px;opacity:0">`+options+`<div style="position:relative;width:99px">`+drawn+`</div></div>`, choose, `combobox "Colour"`),
		pass("what stands in for a select", `<select id=s style="`+gone+`">`+options+drawn, press("combobox", "Colour")+"\n"+seeDone),
		pass("a checkbox of one pixel and its label", `<input id=c type=checkbox style="`+gone+`" onchange="o.textContent='Done once'"><label for=c>Terms</label>`+o, press("checkbox", "Terms")+"\n"+seeDone),
		fail("a checkbox of one pixel and nothing for it", `<input type=checkbox aria-label=Terms style="`+gone+`" onchange="o.textContent='Done once'">`+o, press("checkbox", "Terms"), "too small"),
	}
}
