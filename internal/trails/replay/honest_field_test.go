package replay

// What fields make of what is entered.
func whatFieldsKeep() []honest {
	ada, see := enter("Name", "Ada"), see("Form")
	const form = `<p>Form</p>`
	sel := func(v string) string { return `web_selectOption: {values: [` + v + `], ref: css=select}` }
	check := func(on string) string {
		return `web_setChecked: {checked: ` + on + `, nodeSelector: {web: {ariaRole: checkbox}}}`
	}
	typed := func(kind string) string { return `<p>Form</p><input aria-label=Name type=` + kind + `>` }
	set := func(text string) string { return `web_type: {text: "` + text + `", ref: css=input}` }
	holds := func(v string) string {
		return "\n" + `web_verifyValue: {type: VALUE, expected: "` + v + `", ref: css=input}`
	}
	const clickBox = `web_click: {nodeSelector: {web: {ariaRole: checkbox}}}`
	return []honest{
		pass("a plain field", form+`<input aria-label=Name>`, ada+"\n"+see),
		fail("a field that cuts off", form+`<input aria-label=Name maxlength=2>`, enter("Name", "Adalbert"), "Ad"),
		pass("a field that formats", form+`<input aria-label=Name oninput="this.value=this.value.replace(/\D/g,'').replace(/(.{4})(?=.)/g,'$1 ')">`, enter("Name", "4242424242424242")+"\n"+see),
		fail("a field that drops letters", form+`<input aria-label=Name oninput="this.value=this.value.replace(/a/g,'')">`, enter("Name", "banana"), "bnn"),
		fail("a field that is cleared afterwards", form+`<input aria-label=Name onchange="this.value=''" oninput="queueMicrotask(()=>{this.value=''})">`, ada, ""),
		fail("a field that takes digits only", form+`<input aria-label=Name onkeypress="if(!/\d/.test(event.key))event.preventDefault()" oninput="this.value=this.value.replace(/\D/g,'')">`, enter("Name", "12ab"), "12"),
		fail("a read-only field", form+`<input aria-label=Name readonly value=x>`, ada, "read"),
		fail("a disabled field", form+`<input aria-label=Name disabled>`, ada, "disabled"),
		pass("a page that steals the focus", form+`<input aria-label=Name><input id=thief aria-label=Thief><script>document.querySelector('input').onfocus=()=>{if(!window.k){window.k=1;setTimeout(()=>thief.focus(),0)}}</script>`, ada+"\n"+value("textbox", "Name", "Ada")),
		pass("a field that moves on when full", form+`<input aria-label=Name maxlength=3 oninput="this.value.length===3&&n.focus()"><input id=n aria-label=Next>`, ada+"\n"+value("textbox", "Name", "Ada")+"\n"+value("textbox", "Next", "")),
		pass("a field kept by a component", form+`<input aria-label=Name id=i><p id=o></p><script>let state='';const p=Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value');let last='';Object.defineProperty(i,'value',{get(){return p.get.call(this)},set(v){last=v;p.set.call(this,v)}});i.addEventListener('input',()=>{const v=i.value;if(v!==last){state=v;last=v;o.textContent='Hello '+state}queueMicrotask(()=>p.set.call(i,state))})</script>`, ada+"\n"+`web_verifyTextVisible: {text: Hello Ada}`),
		fail("a field whose component keeps nothing", form+`<input aria-label=Name oninput="Promise.resolve().then(()=>{this.value=''})">`, ada, ""),
		pass("a field replaced with every key", `<p>Form</p><div id=h></div><script>let v='';const r=()=>{h.innerHTML='<input aria-label=Name>';const i=h.firstChild;i.value=v;i.oninput=()=>{v=i.value;setTimeout(()=>{r();h.firstChild.focus();h.firstChild.setSelectionRange(9,9)},0)}};r()</script>`, ada+"\n"+value("textbox", "Name", "Ada")),
		pass("a search that waits for a pause", `<input aria-label=Name oninput="clearTimeout(window.t);window.t=setTimeout(()=>{o.textContent='Results for '+this.value},350)"><p id=o></p>`, ada+"\n"+`web_verifyTextVisible: {text: Results for Ada}`),
		pass("a list of suggestions that is rendered anew", `<input aria-label=Name oninput="r(this.value)"><ul id=l role=listbox></ul><p id=o></p><script>const r=v=>{l.innerHTML='';for(let k=1;k<5;k++)setTimeout(()=>{l.innerHTML=['Ada','Adam','Bea'].filter(n=>n.startsWith(v)).map(n=>'<li role=option onclick="o.textContent=\'Took '+n+'\'">'+n+'</li>').join('')},k*90)}</script>`, enter("Name", "Ad")+"\n"+press("option", "Adam")+"\n"+`web_verifyTextVisible: {text: Took Adam}`),
		pass("an editable element", form+`<div contenteditable aria-label=Name role=textbox style="min-height:20px"></div>`, ada+"\n"+`web_verifyTextVisible: {text: Ada}`),
		pass("a date", typed("date"), set("2026-02-03")+holds("2026-02-03")),
		fail("a date that is none", typed("date"), set("2026-02-31"), ""),
		pass("a time", typed("time"), set("13:45")+holds("13:45")),
		pass("a date and time", typed("datetime-local"), set("2026-02-03T13:45")+holds("2026-02-03T13:45")),
		pass("a month", typed("month"), set("2026-02")+holds("2026-02")),
		pass("a week", typed("week"), set("2026-W05")+holds("2026-W05")),
		pass("a colour", typed("color"), set("#ff8800")+holds("#ff8800")),
		pass("a range", typed("range"), set("70")+holds("70")),
		fail("a range that does not go so far", typed("range"), set("700"), "100"),
		pass("a number", typed("number"), set("12.5")+holds("12.5")),
		fail("a number that is none", typed("number"), set("abc"), ""),
		pass("a number as another may write it", typed("number"), set("1e3")+"\n"+see),
		pass("a password", typed("password"), set("s3cret")+"\n"+see),
		pass("an e-mail address", typed("email"), set("ada@example.org")+holds("ada@example.org")),
		pass("letters of the world and emoji", typed("text"), set("Žluťoučký 日本 👩‍👧 né")+holds("Žluťoučký 日本 👩‍👧 né")),
		pass("lines in a text area", form+`<textarea aria-label=Name></textarea>`, `web_type: {text: "One\nTwo", nodeSelector: {web: {ariaRole: textbox}}}`+"\n"+`web_verifyValue: {type: VALUE, expected: "One\nTwo", nodeSelector: {web: {ariaRole: textbox}}}`),
		pass("an element that hands on the focus", form+`<x-y role=group aria-label=Outer></x-y><script>document.querySelector('x-y').attachShadow({mode:'open',delegatesFocus:true}).innerHTML='<input aria-label=Name>'</script>`, ada+"\n"+value("textbox", "Name", "Ada")),
		fail("something that is no field", form+`<p id=x>Name</p>`, `web_type: {text: Ada, ref: css=#x}`, ""),
		fail("a select without the option", form+`<select aria-label=Name><option>A</select>`, sel("B"), "B"),
		fail("a select with the option disabled", form+`<select aria-label=Name><option>A<option disabled>B</select>`, sel("B"), "disabled"),
		fail("a select with the option's group disabled", form+`<select aria-label=Name><option>A<optgroup label=G disabled><option>B</optgroup></select>`, sel("B"), "disabled"),
		fail("a select that jumps back", form+`<select aria-label=Name onchange="this.selectedIndex=0"><option>A<option>B</select>`, sel("B"), ""),
		fail("a select that jumps back a little later", form+`<select aria-label=Name onchange="setTimeout(()=>{this.selectedIndex=0},0)"><option>A<option>B</select>`, sel("B"), ""),
		pass("a select with groups", form+`<select aria-label=Name><optgroup label=G><option>A</optgroup><optgroup label=H><option>B</optgroup></select>`, sel("B")+"\n"+see),
		pass("a select of several", form+`<select multiple aria-label=Name><option>A<option>B<option>C</select><p id=o></p><script>document.querySelector('select').onchange=e=>{o.textContent='Chose '+[...e.target.selectedOptions].map(x=>x.text)}</script>`, sel("A, C")+"\n"+`web_verifyTextVisible: {text: "Chose A,C"}`),
		pass("a select whose options come late", form+`<select aria-label=Name id=s><option>A</select><script>setTimeout(()=>s.add(new Option('B')),500)</script>`, sel("B")+"\n"+see),
		pass("a hidden select is chosen from through its replacement", form+`<select aria-label=Name style="display:none"><option>A</select><button onclick="l.hidden=false">Save</button><ul id=l hidden role=listbox><li role=option onclick="o.textContent='Took B'">B</ul><p id=o></p>`, clickSave+"\n"+press("option", "B")+"\n"+`web_verifyTextVisible: {text: Took B}`),
		pass("a checkbox", form+`<input type=checkbox aria-label=Name>`, check("true")+"\n"+see),
		pass("a checkbox that is checked already", form+`<input type=checkbox checked aria-label=Name onclick="document.body.textContent='Bad'">`, check("true")+"\n"+see),
		fail("a checkbox that bounces back", form+`<input type=checkbox aria-label=Name onclick="event.preventDefault()">`, check("true"), ""),
		fail("a checkbox that bounces back later", form+`<input type=checkbox aria-label=Name onclick="setTimeout(()=>{this.checked=false},0)">`, check("true"), ""),
		fail("a clicked checkbox that bounces back", form+`<input type=checkbox aria-label=Name onclick="event.preventDefault()">`, clickBox, "nothing changed"),
		pass("a file input hidden behind a button", `<button onclick="f.click()">Save</button><input id=f type=file style="display:none" onchange="o.textContent='Got '+this.files[0].name"><p id=o></p>`, `web_uploadFile: {paths: [doc.go], nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`+"\n"+`web_verifyTextVisible: {text: Got doc.go}`),
		pass("a hidden file input itself", `<input id=f type=file style="display:none" onchange="o.textContent='Got '+this.files[0].name"><p id=o></p>`, `web_uploadFile: {paths: [doc.go], ref: css=#f}`+"\n"+`web_verifyTextVisible: {text: Got doc.go}`),
	}
}
