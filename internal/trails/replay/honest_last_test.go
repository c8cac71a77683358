package replay

import "strings"

// What a recording finds after its page has changed, and what it refuses to take for the same.
func whatRecordingsFind() []honest {
	const o = `<p id=o></p>`
	say := func(what string) string { return `onclick="o.textContent='` + what + `'"` }
	click := func(sel, print string) string {
		return `web_click: {nodeSelector: {` + sel + `}, fingerprint: {` + print + `}}`
	}
	saved := func(sel, print string) string { return click(sel, print) + "\n" + see("Saved") }
	items := func(texts ...string) string { // the one called Olwen is meant
		var b strings.Builder
		for _, t := range texts {
			what := "Wrong"
			if t == "Olwen" {
				what = "Saved"
			}
			b.WriteString(`<li ` + say(what) + `>` + t + `</li>`)
		}
		return `<ul>` + b.String() + `</ul>` + o
	}
	todos := func(texts ...string) string { // the checkbox of bread is meant
		var b strings.Builder
		for _, t := range texts {
			what := "Wrong"
			if t == "Buy bread" {
				what = "Saved"
			}
			b.WriteString(`<li><input type=checkbox ` + say(what) + `><label>` + t + `</label><button class=destroy></button></li>`)
		}
		return `<ul>` + b.String() + `</ul>` + o
	}
	stock := func(names ...string) string { // ids count rows; the button says whose it is
		var b strings.Builder
		for i, n := range names {
			id := string(rune('1' + i))
			b.WriteString(`<tr id=row-` + id + `><td>` + n + `<td><button id=row-b` + id + ` ` + say("Removed "+n) + `>Remove</button></tr>`)
		}
		return `<table>` + b.String() + `</table>` + o
	}
	stars := func(n int) string {
		return `<ul aria-label=Rating>` + strings.Repeat(`<li><button aria-label=Star `+say("Saved")+`>*</button></li>`, n) + `</ul>` + o
	}
	const (
		olwen    = `web: {ariaRole: listitem, textRegex: Olwen}`
		item     = `role: listitem, tag: li`
		box      = `web: {ariaRole: checkbox}, childOf: {web: {ariaRole: listitem}, containsDescendants: [{web: {ariaRole: generic, textRegex: Buy bread}}]}`
		boxPrint = `role: checkbox, tag: input, item: listitem, near: ['text "Buy bread"'], alike: 2`
		laptop   = `web: {ariaRole: button, ariaNameRegex: Remove}, childOf: {web: {ariaRole: row}, containsDescendants: [{web: {ariaRole: cell, ariaNameRegex: Laptop}}]}`
		remove   = `role: button, name: Remove, tag: button, item: row, near: ['cell "Laptop"'], alike: 1`
		star     = `web: {ariaRole: button, ariaNameRegex: Star, nthIndex: 1}`
		starOf3  = `role: button, name: Star, tag: button, within: ['list "Rating"'], alike: 2, place: 2 of 3`
		arrow    = `web: {ariaRole: button, nthIndex: 1}`
	)
	removed := "\n" + see("Removed Laptop")
	return []honest{
		pass("an item by its text", items("Call Olwen Smith", "Olwen"), saved(olwen, item+`, near: ['text "Olwen"'], alike: 1`)),
		pass("an item by its text, others above", items("New", "Call Olwen Smith", "Olwen", "Olwen Smith"), saved(olwen, item+`, near: ['text "Olwen"'], alike: 1`)),
		fail("an item by its text, gone", items("Call Olwen Smith", "Olwen Smith"), click(olwen, item), "Olwen Smith"),
		pass("an item by a pattern", items("Olwen"), saved(`web: {ariaRole: listitem, textRegex: "Ol\\w+"}`, item)),
		pass("an item by the text that stands in it itself", `<ul><li `+say("Saved")+`>Rent <b>due</b> <button>Pay</button></li><li>Rent</li></ul>`+o,
			saved(`web: {ariaRole: listitem, ownTextRegex: Rent}, containsDescendants: [{web: {ariaRole: button}}]`, item)),
		pass("text that nobody sees is not in the text", `<ul><li `+say("Saved")+`>Rent<span id=h style="display:none">draft</span></li></ul>`+o, saved(`web: {ariaRole: listitem, textRegex: Rent}`, item)),
		pass("the box of an item", todos("Milk", "Buy bread"), saved(box, boxPrint)),
		pass("the box of an item, one more on top", todos("New", "Milk", "Buy bread"), saved(box, boxPrint)),
		fail("the box of an item that is gone", todos("New", "Milk"), click(box, boxPrint), "checkbox"),
		pass("the button of a row", stock("Mouse", "Laptop"), click(laptop, remove)+removed),
		pass("the button of a row, one more on top", stock("Desk", "Mouse", "Laptop"), click(laptop, remove)+removed),
		fail("an id that counts leads to another row", stock("Desk", "Mouse", "Laptop"), click(`web: {ariaRole: button, ariaNameRegex: Remove, cssSelector: "#row-b2"}`, remove), `like the recorded one: button "Remove" next to cell "Laptop"`),
		unsure("a number among equals says nothing", `<button `+say("Saved")+`>Go</button><button `+say("Saved")+`>Go</button>`+o, click(`web: {ariaRole: button, ariaNameRegex: Go, nthIndex: 1}`, `role: button, name: Go, tag: button, alike: 1`), "only its number"),
		unsure("recorded alone, two equals now", `<button `+say("Saved")+`>Go</button><button `+say("Saved")+`>Go</button>`+o, click(`web: {ariaRole: button, ariaNameRegex: Go}`, `role: button, name: Go, tag: button`), "several elements look like"),
		pass("a number in a named list", stars(3), saved(star, starOf3)),
		unsure("a number in a named list that has grown", stars(4), click(star, starOf3), "only its number"),
		pass("a number among equals that nobody sees", `<p>Size</p><button `+say("Saved")+`>Go</button><div style="display:none"><p>Old</p><button `+say("Wrong")+`>Go</button></div>`+o, saved(`web: {ariaRole: button, ariaNameRegex: Go}`, `role: button, name: Go, tag: button, near: ['text "Size"'], alike: 1`)),
		pass("the number of the one that is seen", `<div style="display:none"><p>Old</p><button `+say("Wrong")+`>Go</button></div><p>Size</p><button `+say("Saved")+`>Go</button>`+o, saved(`web: {ariaRole: button, ariaNameRegex: Go, nthIndex: 1}`, `role: button, name: Go, tag: button, near: ['text "Size"'], alike: 1`)),
		fail("its hidden twin is the one that is shown now", `<div style="display:none"><p>Size</p><button `+say("Wrong")+`>Go</button></div><p>Old</p><button `+say("Wrong")+`>Go</button>`+o, click(`web: {ariaRole: button, ariaNameRegex: Go}`, `role: button, name: Go, tag: button, near: ['text "Size"'], alike: 1`), "Go"),
		pass("an icon by its class", `<button class=prev></button><button class=next `+say("Saved")+`></button>`+o, saved(arrow, `role: button, tag: button, class: [next], alike: 1`)),
		fail("another icon in its place", `<button class=next `+say("Saved")+`></button><button class=close `+say("Wrong")+`></button>`+o, click(arrow, `role: button, tag: button, class: [next], alike: 1`), "class"),
		pass("an item of a tree whose neighbour went", `<div role=tree><div role=treeitem>Family</div><div role=treeitem tabindex=0 `+say("Saved")+`>Holiday</div></div>`+o,
			saved(`web: {ariaRole: treeitem, ariaNameRegex: Holiday}`, `role: treeitem, name: Holiday, tag: div, near: ['treeitem "Work"']`)),
		fail("the only row left is another one", `<ul aria-label=Cart><li><h3>Cup</h3><button `+say("Wrong")+`>Delete</button></li></ul>`+o,
			click(`web: {ariaRole: button, ariaNameRegex: Delete}`, `role: button, name: Delete, tag: button, within: ['list "Cart"'], item: listitem, near: ['heading "Mug"']`), "Mug"),
		pass("text that scripts measure letters by is no neighbour", `<div><button `+say("Saved")+`>Go</button><p>More</p></div>`+o, saved(`web: {ariaRole: button, ariaNameRegex: Go}`, `role: button, name: Go, tag: button, near: ['text "xxxxxxxxxx"']`)),
		pass("a neighbour that changes by itself", `<div role=status>12 people look at this</div><button `+say("Saved")+`>Go</button>`+o, saved(`web: {ariaRole: button, ariaNameRegex: Go}`, `role: button, name: Go, tag: button, near: ['text "9 people look at this"']`)),
		pass("the one field without a name", `<input aria-label=New><input onfocus="o.textContent='Saved'">`+o, saved(`web: {ariaRole: textbox, ariaNameRegex: "^$"}`, `role: textbox, tag: input`)),
	}
}
