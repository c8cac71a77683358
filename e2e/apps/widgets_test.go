package apps

import "slices"

// widgetFlows are flows on widget libraries: pickers, lists to sort, grids, calendars, editors, a map.
func widgetFlows() []*flow {
	return slices.Concat(listFlows(), choiceFlows(), editorFlows(), viewFlows())
}

func listFlows() []*flow {
	return []*flow{
		{
			name: "jqueryui-datepicker", page: "/datepicker.html",
			moves: []move{
				open("Open the ferry page"),
				click("Leave on 15 April", target{"textbox", "Leave on", ""}),
				click("Leave on 15 April", target{"", "Next", ""}),
				click("Leave on 15 April", target{"link", "15", ""}),
				see("Leaving 04/15/2026"),
				click("Return on 2 June", target{"textbox", "Return on", ""}),
				click("Return on 2 June", target{"", "Next", ""}),
				click("Return on 2 June", target{"", "Next", ""}),
				click("Return on 2 June", target{"", "Next", ""}),
				click("Return on 2 June", target{"link", "2", ""}),
				see("returning 06/02/2026"),
			},
			state: `[$('#out').val(), $('#back').val()]`, want: `["04/15/2026","06/02/2026"]`,
			renames: []string{"ui-", "zq-", "#out", "#leave", `"out"`, `"leave"`},
			breaks:  swallow("click", `[data-handler=selectDay]`, "2"),
		},
		{
			name: "jqueryui-sortable", page: "/sortable.html",
			moves: []move{
				open("Open the order"),
				drag("Plums come first", target{"", "Plums", ""}, target{"heading", "Shopping order", ""}),
				typed("Add raspberries", target{"", "One more", ""}, "rasp").byKeys(),
				click("Add raspberries", target{"", "Raspberries", ""}),
				see("Added Raspberries"),
				drag("Apples come last", target{"", "Apples", ""}, target{"textbox", "One more", ""}),
				see("Plums, Pears, Quinces, Raspberries, Apples"),
			},
			state:   `$('#order li').get().map((li) => li.textContent)`,
			want:    `["Plums","Pears","Quinces","Raspberries","Apples"]`,
			wantRow: `["Bananas","Plums","Pears","Quinces","Raspberries","Apples"]`,
			renames: []string{"ui-", "zq-", "#order", "#sequence", `"order"`, `"sequence"`},
			breaks:  swallow("mousedown", "li", "Apples"),
		},
		{
			name: "sortablejs", page: "/sortablejs.html", ci: true,
			moves: []move{
				open("Open the board"),
				drag("Writing is done", target{"", "Write", ""}, target{"", "Plan", ""}),
				see("Write is now in Done"),
				drag("Count before reading", target{"", "Count", ""}, target{"", "Read", ""}),
				see("Count is now in To do"),
			},
			state:   `['todo', 'done'].map((id) => [...document.getElementById(id).children].map((li) => li.textContent))`,
			want:    `[["Count","Read"],["Write","Plan"]]`,
			wantRow: `[["Breathe","Count","Read"],["Write","Plan"]]`,
			renames: []string{`'todo'`, `'ahead'`, `"todo"`, `"ahead"`, `'done'`, `'behind'`, `"done"`, `"behind"`},
			breaks:  swallow("pointerdown", "li", "Count"),
		},
		{
			name: "ag-grid", page: "/aggrid.html",
			moves: []move{
				open("Open the cars"),
				click("Cheapest first", target{"", "Price", ""}),
				double("The Celica gets cheaper", target{"cell", "35000", ""}),
				entered("The Celica gets cheaper", target{"", "Input Editor", ""}, "34000"),
				see("Celica now costs 34000"),
				click("Tick the Ford and the Volvo", target{"checkbox", "", "Mondeo"}),
				click("Tick the Ford and the Volvo", target{"checkbox", "", "Amazon"}),
				click("Sell them", target{"button", "Sell what is ticked", ""}),
				see("Sold"),
				gone("Mondeo 32000"),
				gone("Volvo"),
			},
			state:   `(() => { const out = []; api.forEachNodeAfterFilterAndSort((n) => out.push([n.data.model, n.data.price])); return out })()`,
			want:    `[["Panda",9000],["Celica",34000],["Boxster",72000]]`,
			wantRow: `[["Panda",9000],["Celica",34000],["Boxster",72000],["Quattro",99000]]`,
			renames: []string{"ag-row-container", "ag-row-container" /* a tag */, "ag-row-", "zg-row-", "ag-header-cell", "zg-header-cell",
				"ag-cell", "zg-cell", `id="grid"`, `id="stock"`, `ById('grid')`, `ById('stock')`, `"sell"`, `"trade"`, `'sell'`, `'trade'`},
			breaks: swallow("click", "button", "Sell what is ticked"),
		},
	}
}

func choiceFlows() []*flow {
	return []*flow{
		{
			name: "fullcalendar", page: "/calendar.html",
			moves: []move{
				open("Open the calendar"),
				click("Go to April", target{"button", "Next month", ""}),
				see("April 2026"),
				click("When is the dentist?", target{"", "Dentist", ""}),
				see("Dentist is on 2026-04-16"),
				drag("Lunch moves to the day of the rehearsal", target{"", "Team lunch", ""}, target{"", "Rehearsal", ""}),
				see("Team lunch was moved to 2026-04-22"),
				click("Show the list", target{"button", "list*", ""}),
				click("When is the rehearsal?", target{"", "Rehearsal", ""}),
				see("Rehearsal is on 2026-04-22"),
			},
			state:   `calendar.getEvents().map((e) => [e.title, e.startStr])`,
			want:    `[["Team lunch","2026-04-22"],["Dentist","2026-04-16"],["Rehearsal","2026-04-22"]]`,
			wantRow: `[["Away day","2026-04-14"],["Team lunch","2026-04-22"],["Dentist","2026-04-16"],["Rehearsal","2026-04-22"]]`,
			renames: []string{"fc-", "kq-", `"calendar"`, `"diary"`, `'calendar'`, `'diary'`},
			breaks:  swallow("click", "a", "Rehearsal"),
		},
		{
			name: "select2", page: "/select2.html", ci: true,
			moves: []move{
				open("Order a pizza"),
				click("A large one", target{"combobox", "Choose a size", ""}),
				click("A large one", target{"option", "Large", ""}),
				click("With olives and capers", target{"searchbox", "Search", ""}),
				click("With olives and capers", target{"option", "Olives", ""}),
				click("With olives and capers", target{"searchbox", "Search", ""}),
				click("With olives and capers", target{"option", "Capers", ""}),
				click("No, without olives", target{"button", "", "Olives"}),
				press("No, without olives", "Escape"),
				click("Bake it", target{"button", "Bake it", ""}),
				see("A Large pizza with Capers"),
			},
			state: `[$('#size').val(), $('#toppings').val()]`, want: `["Large",["Capers"]]`, wantRow: `["Large",["Capers"]]`,
			renames: []string{"select2-", "pick3-", `"size"`, `"girth"`, `#size`, `#girth`},
			breaks:  swallow("click", "button", "Bake it"),
		},
		{
			name: "choices", page: "/choices.html",
			moves: []move{
				open("Open the team"),
				click("Halldis and Olaf take part", target{"", "People", ""}),
				click("Halldis and Olaf take part", target{"option", "Halldis", ""}),
				click("Halldis and Olaf take part", target{"option", "Olaf", ""}),
				press("Halldis and Olaf take part", "Escape"),
				click("Ingrid leads", target{"combobox", "", "Lead"}),
				click("Ingrid leads", target{"option", "Ingrid", ""}),
				click("Halldis does not", target{"button", "Remove item: Halldis", ""}),
				click("Form the team", target{"button", "Form the team", ""}),
				see("ingrid leads olaf"),
			},
			state: `[lead.value, [...people.selectedOptions].map((o) => o.value)]`, want: `["ingrid",["olaf"]]`, wantRow: `["ingrid",["olaf"]]`,
			renames: []string{"choices__", "options__", "choices-", "options-"},
			breaks:  swallow("click", "button", "Form the team"),
		},
		{
			name: "tom-select", page: "/tomselect.html", ci: true,
			moves: []move{
				open("Open the library"),
				click("It is about law and music", target{"combobox", "Subjects", ""}),
				click("It is about law and music", target{"option", "Law", ""}),
				click("It is about law and music", target{"option", "Music", ""}),
				press("It is about law and music", "Escape"),
				click("It stands in the north", target{"combobox", "Shelf", ""}),
				click("It stands in the north", target{"option", "North", ""}),
				click("It is not about law", target{"", "×", "Law"}),
				click("Keep", target{"button", "Keep", ""}),
				see("music on shelf north"),
			},
			state: `[tags.getValue(), shelf.getValue()]`, want: `[["music"],"north"]`, wantRow: `[["music"],"north"]`,
			renames: []string{"ts-control", "zs-control", "ts-dropdown", "zs-dropdown", "ts-wrapper", "zs-wrapper", `"tags"`, `"topics"`, "#tags", "#topics"},
			breaks:  swallow("click", "button", "Keep"),
		},
	}
}

func editorFlows() []*flow {
	return []*flow{
		{
			name: "quill", page: "/quill.html", ci: true,
			moves: []move{
				open("Open the note"),
				click("Write a heading", target{"button", "bold", ""}),
				typed("Write a heading", target{"", "", ""}, "Harvest").byKeys(),
				press("Write a list", "Enter"),
				click("Write a list", target{"button", "bold", ""}),
				click("Write a list", target{"button", "list: bullet", ""}),
				typed("Write a list", target{"", "", ""}, "apples").byKeys(),
				press("Write a list", "Enter"),
				typed("Write a list", target{"", "", ""}, "plums").byKeys(),
				click("Keep it", target{"button", "Keep the note", ""}),
				see("<strong>Harvest</strong>"),
				see("<li>plums</li>"),
			},
			state: `quill.getText()`, want: `"Harvest\napples\nplums\n"`,
			renames: []string{"ql-", "kl-", `"editor"`, `"paper"`, `#editor`, `#paper`},
			breaks:  swallow("click", "button", "Keep the note"),
		},
		{
			name: "codemirror5", page: "/codemirror5.html",
			moves: []move{
				open("Open the script"),
				click("Write another script", target{"", "return*", ""}),
				press("Write another script", "Control+a"),
				typed("Write another script", target{}, "return 6 * 7"),
				click("Run it", target{"button", "Run", ""}),
				see("Result: 42"),
			},
			state: `editor.getValue()`, want: `"return 6 * 7"`,
			renames: []string{"CodeMirror-", "ZodeMirror-", `"editor"`, `"paper"`, `'editor'`, `'paper'`},
			breaks:  swallow("click", "button", "Run"),
		},
		{
			name: "codemirror6", page: "/codemirror6.html", ci: true,
			moves: []move{
				open("Open the script"),
				typed("Write another script", target{"textbox", "", ""}, "const six = 6\nreturn six * 7"),
				click("Run it", target{"button", "Run", ""}),
				see("Result: 42"),
			},
			state: `editor.state.doc.toString()`, want: `"const six = 6\nreturn six * 7"`,
			renames: []string{"cm-", "km-", `"editor"`, `"paper"`, `'editor'`, `'paper'`},
			breaks:  swallow("click", "button", "Run"),
		},
		{
			name: "monaco", page: "/monaco.html",
			moves: []move{
				open("Open the script"),
				click("Write another script", target{"", "return*", ""}),
				press("Write another script", "Control+a"),
				typed("Write another script", target{}, "return 6 * 7"),
				click("Run it", target{"button", "Run", ""}),
				see("Result: 42"),
			},
			state: `editor.getValue()`, want: `"return 6 * 7"`,
			renames: []string{"view-line", "show-line", "view-overlays", "show-overlays", `"editor"`, `"paper"`, `getElementById('editor')`, `getElementById('paper')`},
			breaks:  swallow("click", "button", "Run"),
		},
	}
}

func viewFlows() []*flow {
	return []*flow{
		{
			name: "leaflet", page: "/leaflet.html",
			moves: []move{
				open("Open the map"),
				click("Look closer", target{"button", "Zoom in", ""}),
				click("Sail to Stavanger", target{"button", "Stavanger", ""}),
				click("Sail to Stavanger", target{"button", "Sail to Stavanger", ""}),
				see("Sailing to Stavanger"),
				click("Close the note", target{"button", "Close popup", ""}),
				gone("Sail to Stavanger"),
				click("Look from above", target{"button", "Zoom out", ""}),
				click("Look from above", target{"button", "Zoom out", ""}),
				click("Sail to Bergen", target{"button", "Bergen", ""}),
				click("Sail to Bergen", target{"button", "Sail to Bergen", ""}),
				see("Sailing to Bergen"),
			},
			state: `[map.getZoom(), document.querySelector('[role=status]').textContent]`, want: `[4,"Sailing to Bergen"]`, wantRow: `[4,"Sailing to Bergen"]`,
			renames: []string{"leaflet-", "sheet-", `"map"`, `"chart"`, `'map'`, `'chart'`},
			breaks:  swallow("click", "button", "Sail to Bergen"),
		},
		{
			name: "flatpickr", page: "/flatpickr.html", ci: true,
			moves: []move{
				open("Open the hall"),
				click("On 18 March at half past nine", target{"textbox", "Day", ""}),
				click("On 18 March at half past nine", target{"", "18", ""}),
				typed("On 18 March at half past nine", target{"", "Hour", ""}, "09"),
				typed("On 18 March at half past nine", target{"", "Minute", ""}, "30"),
				press("On 18 March at half past nine", "Enter"),
				click("For two weeks", target{"textbox", "From and to", ""}),
				click("For two weeks", target{"", "16", ""}),
				click("For two weeks", target{"", "27", ""}),
				click("Book", target{"button", "Book", ""}),
				see("Booked 2026-03-18 09:30, 2026-03-16 to 2026-03-27"),
			},
			state: `['day', 'nights'].map((id) => document.getElementById(id).value)`, want: `["2026-03-18 09:30","2026-03-16 to 2026-03-27"]`,
			renames: []string{"flatpickr-", "zlatpickr-", `"nights"`, `"stay"`, `'nights'`, `'stay'`, `#nights`, `#stay`},
			breaks:  swallow("click", "button", "Book"),
		},
		{
			name: "material", page: "/material.html",
			moves: []move{
				open("Open the ticket"),
				typed("Orm travels", target{"textbox", "Passenger name", ""}, "Orm"),
				click("Second class at the window", target{"tab", "Journey", ""}),
				click("Second class at the window", target{"combobox", "Class", ""}),
				click("Second class at the window", target{"option", "Second", ""}),
				click("Second class at the window", target{"checkbox", "Window seat", ""}),
				click("And quiet", target{"switch", "Quiet coach", ""}),
				click("Pay in cash", target{"tab", "Payment", ""}),
				click("Pay in cash", target{"radio", "Cash", ""}),
				click("Buy it", target{"button", "Buy the ticket", ""}),
				see("Ticket for Orm, paid by cash"),
			},
			state: `ticket()`, want: `["Orm","second",true,true,"cash"]`, wantRow: `["Orm","second",true,true,"cash"]`,
			renames: []string{`id="tabs"`, `id="parts"`, `'#tabs'`, `'#parts'`, `"buy"`, `"acquire"`, `'#buy'`, `'#acquire'`},
			breaks:  swallow("click", "md-filled-button", "Buy the ticket"),
		},
	}
}

// swallow is a fault: the app no longer hears an event on what a selector and a text name.
func swallow(event, selector, text string) string {
	return "addEventListener('" + event + "', (e) => { const at = e.target.closest('" + selector +
		"'); if (at && at.textContent.trim() === '" + text + "') { e.preventDefault(); e.stopImmediatePropagation(); } }, true);"
}
