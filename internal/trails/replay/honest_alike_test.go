package replay

import "strings"

// What tells an element from those alike when its page is styled anew, and what is another element all the same.
func whatTellsThoseAlike() []honest {
	const o = `<p id=o></p>`
	say := func(what string) string { return `onclick="o.textContent='` + what + `'"` }
	click := func(sel, print string) string {
		return `web_click: {nodeSelector: {` + sel + `}, fingerprint: {` + print + `}}`
	}
	saved := func(sel, print string) string { return click(sel, print) + "\n" + see("Saved") }
	day := func(n string, class string, texts ...string) string { // the event called Dentist is meant
		var b strings.Builder
		b.WriteString(`<td aria-label="April ` + n + `"><b>` + n + `</b>`)
		for _, t := range texts {
			what := "Wrong"
			if t == "Dentist" {
				what = "Saved"
			}
			b.WriteString(`<a tabindex=0 class="` + class + `" ` + say(what) + `><span>` + t + `</span></a>`)
		}
		return b.String() + `</td>`
	}
	days := func(cells ...string) string {
		return `<table role=grid aria-label=April><tr>` + strings.Join(cells, "") + `</tr></table>` + o
	}
	editor := func(class, attrs string) string {
		return `<div class="` + class + `" contenteditable=true style="min-height:30px;border:1px solid" oninput="o.textContent=this.dataset.says||'Saved'" ` + attrs + `></div>`
	}
	write := func(print string) string {
		return `web_type: {text: plums, nodeSelector: {web: {ariaRole: generic, cssSelector: "[contenteditable]:read-write"}}, fingerprint: {` + print + `}}`
	}
	options := func(list, what string, names ...string) string {
		var b strings.Builder
		for _, n := range names {
			says := "Wrong"
			if n == "Halldis" {
				says = what
			}
			b.WriteString(`<div role=option tabindex=-1 ` + say(says) + `>` + n + `</div>`)
		}
		return `<div role=listbox aria-label="` + list + `">` + b.String() + `</div>`
	}
	closed := func(list string, names ...string) string {
		return `<div style="display:none">` + options(list, "Wrong", names...) + `</div>`
	}
	const (
		dentist = `web: {ariaRole: generic, textRegex: Dentist}, containsDescendants: [{web: {ariaRole: generic, textRegex: Dentist}}]`
		event   = `role: generic, text: Dentist, tag: a, class: [fc-event], within: ['grid "April"'], near: ['text "16"'], alike: 1, place: 2 of 2`
		lone    = `role: generic, tag: div, class: [ql-editor], near: ['heading "Note"', 'button "Keep"']`
		frame   = `<h1>Note</h1>%<button>Keep</button>` + o
		halldis = `web: {ariaRole: option, ariaNameRegex: Halldis}`
		chosen  = `role: option, name: Halldis, tag: div, alike: 2`
	)
	const (
		hidden = `role: generic, tag: div, class: [ql-editor], editor: true, near: ['heading "Note"'], alike: 1`
		box    = `web: {ariaRole: checkbox}, childOf: {web: {ariaRole: listitem}, containsDescendants: [{web: {ariaRole: generic, textRegex: Buy bread}}]}`
		boxOf  = `role: checkbox, tag: input, class: [toggle], item: listitem, near: ['text "Buy bread"'], alike: 2`
	)
	boxes := func(class string, texts ...string) string { // the one of bread is meant
		var b strings.Builder
		for _, t := range texts {
			what := "Wrong"
			if t == "Buy bread" {
				what = "Saved"
			}
			b.WriteString(`<li><input type=checkbox class=` + class + ` ` + say(what) + `><label>` + t + `</label></li>`)
		}
		return `<ul>` + b.String() + `</ul>` + o
	}
	note := func(body string) string { return strings.Replace(frame, "%", body, 1) }
	status := func(rows ...string) string { // name and state of each row in turn; the one of Mug is meant
		var b strings.Builder
		for i := 0; i < len(rows); i += 2 {
			what := "Wrong"
			if rows[i] == "Mug" {
				what = "Saved"
			}
			b.WriteString(`<tr><td>` + rows[i] + `</td><td><a tabindex=0 ` + say(what) + `><span>` + rows[i+1] + `</span></a></td></tr>`)
		}
		return `<table>` + b.String() + `</table>` + o
	}
	const (
		open      = `web: {ariaRole: generic, textRegex: Open}, containsDescendants: [{web: {ariaRole: generic, textRegex: Open}}]`
		openOfMug = `role: generic, text: Open, tag: a, item: row, near: ['cell "Mug"'], alike: 1`
	)
	return []honest{
		pass("an event by its text", days(day("14", "fc-event", "Lunch"), day("16", "fc-event", "Dentist")), saved(dentist, event)),
		pass("an event whose class is renamed", days(day("14", "kq-event", "Lunch"), day("16", "kq-event", "Dentist")), saved(dentist, event)),
		pass("an event with another above it", days(day("14", "fc-event", "Lunch"), day("16", "fc-event", "Away", "Dentist")), saved(dentist, event)),
		pass("an event that was moved to another day", days(day("14", "kq-event", "Lunch", "Dentist"), day("16", "kq-event")), saved(dentist, event)),
		fail("an event that is gone", days(day("14", "fc-event", "Lunch"), day("16", "fc-event", "Cleaner")), click(dentist, event), "Dentist"),
		fail("an event in the calendar of another month", strings.Replace(strings.ReplaceAll(days(day("14", "fc-event", "Lunch"), day("16", "fc-event", "Dentist")), "April", "May"), "<b>16", "<b>17", 1), click(dentist, event), `within grid "April"`),
		fail("another event at the recorded place", days(day("14", "fc-event", "Lunch"), day("16", "kq-event", "Cleaner")), click(`web: {ariaRole: generic, nthIndex: 1}, childOf: {web: {ariaRole: grid}}`, event), ""),
		fail("two events of one text, and a new class", days(day("14", "kq-event", "Dentist"), day("16", "kq-event", "Dentist")), click(dentist, event), "class"),
		fail("a state that was unique, in another row", status("Mug", "Sold", "Cup", "Open"), click(open, openOfMug), `next to cell "Mug"`),
		pass("a state that was unique, its row moved", status("Jar", "Sold", "Cup", "Sold", "Mug", "Open"), saved(open, openOfMug)),
		fail("a state that two rows have now", status("Cup", "Open", "Jar", "Open", "Mug", "Sold"), click(open, openOfMug), `next to cell "Mug"`),
		pass("the editor", note(editor("ql-editor", "")), write(lone)+"\n"+see("Saved")),
		pass("the editor, its class renamed", note(editor("kl-editor", "")), write(lone)+"\n"+see("Saved")),
		pass("the editor among much that only holds things", note(`<div tabindex=0></div><div tabindex=0></div>`+editor("kl-editor", "")), write(lone)+"\n"+see("Saved")),
		pass("the editor beside one that nobody sees", note(editor("ql-editor", "")+`<div style="display:none">`+editor("ql-clip", "data-says=Wrong")+`</div>`), write(lone)+"\n"+see("Saved")),
		fail("the editor is gone", note(`<div class=ql-editor tabindex=0>plain</div>`), write(lone), "contenteditable"),
		fail("the editor is for reading now", note(`<div class=ql-editor contenteditable=false tabindex=0></div>`), write(lone), "contenteditable"),
		unsure("two editors of one class now", note(editor("ql-editor", "data-says=Wrong")+editor("ql-editor", "")), write(lone), "several elements look like"),
		fail("two editors of another class now", note(editor("kl-editor", "data-says=Wrong")+editor("kl-editor", "")), write(lone), "class"),
		pass("the editor beside one that nobody sees, recorded so", note(editor("kl-editor", "")+`<div style="display:none">`+editor("kl-clip", "data-says=Wrong")+`</div>`), write(hidden)+"\n"+see("Saved")),
		fail("the editor that was hidden is the one that is shown", `<h1>Letter</h1><div style="display:none">`+editor("ql-editor", "")+`<hr></div>`+editor("ql-editor", "data-says=Wrong")+`<button>Keep</button>`+o, write(hidden), "heading"),
		pass("the box of a row, its class renamed", boxes("flip", "Milk", "Buy bread"), saved(box, boxOf)),
		pass("the box of a row, its class renamed and one more on top", boxes("flip", "Tea", "Milk", "Buy bread"), saved(box, boxOf)),
		fail("the box of a row that is gone, its class renamed", boxes("flip", "Tea", "Milk"), click(box, boxOf), "checkbox"),
		fail("a box by its number, rows in another order and its class renamed", boxes("flip", "Buy bread", "Milk"), click(`web: {ariaRole: checkbox, nthIndex: 1}`, boxOf), `text "Buy bread"`),
		fail("the button of a row does another thing by its class", `<ul><li><button class=keep `+say("Wrong")+`></button><b>Milk</b></li><li><button class=archive `+say("Wrong")+`></button><b>Buy bread</b></li></ul>`+o,
			click(strings.ReplaceAll(box, "checkbox", "button"), strings.ReplaceAll(boxOf, "checkbox, tag: input", "button, tag: button")), "class"),
		pass("an option of the list that is open", closed("Lead", "Gunnar", "Halldis")+options("People", "Saved", "Gunnar", "Halldis")+o, saved(halldis, chosen)),
		pass("an option of the list that is open, one more on top", closed("Lead", "Aase", "Gunnar", "Halldis")+options("People", "Saved", "Aase", "Gunnar", "Halldis")+o, saved(halldis, chosen)),
		unsure("an option of lists that are closed", closed("Lead", "Gunnar", "Halldis")+closed("People", "Gunnar", "Halldis")+o, click(halldis, chosen), "several elements look like"),
		unsure("an option of two lists that are open", options("Lead", "Wrong", "Halldis")+options("People", "Saved", "Halldis")+o, click(halldis, chosen), "several elements look like"),
		fail("an option that is not in the list any more", closed("Lead", "Halldis Olsen")+options("People", "Saved", "Gunnar", "Halldis Olsen")+o, click(halldis, chosen), "Halldis Olsen"),
	}
}

// What labels say of custom elements that take part in forms, as component libraries make them.
func whatLabelsOfComponentsSay() []honest {
	const script = `<p id=o></p><script>
const says=(e,w)=>e.addEventListener('click',()=>{o.textContent=w});
customElements.define('x-radio',class extends HTMLElement{static formAssociated=true;constructor(){super();this.i=this.attachInternals();this.i.role='radio';this.i.ariaChecked='false';
this.tabIndex=0;this.style='display:inline-block;width:20px;height:20px;background:#cde';this.onclick=()=>{this.i.ariaChecked='true';o.textContent=this.id+' chosen'}}});
customElements.define('x-box',class extends HTMLElement{static formAssociated=true;constructor(){super();this.i=this.attachInternals();
this.attachShadow({mode:'open',delegatesFocus:true}).innerHTML=this.hasAttribute('two')?'<input type=checkbox><input type=checkbox>':'<input type=checkbox>';
this.shadowRoot.firstChild.onchange=e=>{o.textContent=this.id+(e.target.checked?' ticked':' cleared')}}});
</script>`
	const (
		seats  = `<p><label><x-box id=window></x-box> Window seat</label></p><p><label><x-box id=table></x-box> At a table</label></p>` + script
		means  = `<x-radio id=card></x-radio><label for=card>Card</label> <x-radio id=cash></x-radio><label for=cash>Cash</label>` + script
		window = `role: checkbox, name: Window seat, tag: input`
	)
	tick := func(name string) string { return `web_setChecked: {checked: true, ` + named("checkbox", name) + `}` }
	return []honest{
		pass("the box that a component draws by its label", seats, tick("Window seat")+"\n"+see("window ticked")),
		pass("the other box by its label", seats, tick("At a table")+"\n"+see("table ticked")),
		pass("the box of a component with its fingerprint", seats, `web_click: {`+named("checkbox", "Window seat")+`, fingerprint: {`+window+`}}`+"\n"+see("window ticked")),
		fail("a box of a component that is labelled otherwise", strings.ReplaceAll(seats, "Window seat", "Aisle seat"), tick("Window seat"), "Aisle seat"),
		pass("a component that is a radio by its label", means, press("radio", "Cash")+"\n"+see("cash chosen")),
		fail("a radio of no such label", means, press("radio", "Cheque"), "radio"),
		fail("a label says nothing where a component draws two boxes", `<label><x-box id=window two></x-box> Window seat</label>`+script, tick("Window seat"), "Window seat"),
		fail("the label of a plain element names nothing", `<label><x-plain></x-plain> Window seat</label><script>document.querySelector('x-plain').attachShadow({mode:'open'}).innerHTML='<input type=checkbox>'</script>`, tick("Window seat"), "Window seat"),
		pass("a label that comes later", `<x-radio id=cash></x-radio>`+script+`<script>setTimeout(()=>{cash.insertAdjacentHTML('afterend','<label for=cash>Cash</label>')},300)</script>`, press("radio", "Cash")+"\n"+see("cash chosen")),
	}
}
