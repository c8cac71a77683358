package apps

// todoApp is an app of the TodoMVC collection. All do the same, each with another framework.
type todoApp struct {
	name string
	page string
	list string // selector of the items
	ci   bool

	newestFirst bool
	forgets     bool // it stores nothing, so it begins empty
	storesLast  bool // it stores when its page is left
}

var todoApps = []todoApp{
	{name: "vanillajs", ci: true},
	{name: "backbone", ci: true},
	{name: "angularjs"},
	{name: "knockoutjs"},
	{name: "react"},
	{name: "emberjs"},
	{name: "mithril"},
	{name: "vue"},
	{name: "ractive"},
	{name: "canjs"},
	{name: "dojo", storesLast: true},
	{name: "react16", page: "/lib/todomvc-react/dist/index.html", list: ".todo-list > li", newestFirst: true, forgets: true},
}

// todos is the flow of a TodoMVC app: adding, completing, renaming, removing, filtering, clearing.
func (a todoApp) flow() *flow {
	page := a.page
	if page == "" {
		page = "/lib/todomvc/examples/" + a.name + "/index.html"
	}
	list := a.list
	if list == "" {
		list = "#todo-list > li"
	}
	field := target{"textbox", "What needs to be done?", ""}
	f := &flow{
		name: "todomvc-" + a.name, page: page, ci: a.ci,
		moves: []move{
			open("Open the list"),
			entered("Write down what is to be done", field, "Buy bread"),
			entered("Write down what is to be done", field, "Call Olwen Smith"),
			entered("Write down what is to be done", field, "Olwen"),
			entered("Write down what is to be done", field, "Feed the cat"),
			click("Complete the bread", target{"checkbox", "", "Buy bread"}),
			double("Correct the name to call", target{"", "Call Olwen Smith", ""}),
			entered("Correct the name to call", target{"textbox", "", "Call Olwen Smith"}, "Call Olwen Jones"),
			hover("Remove Olwen", target{"", "Olwen", ""}),
			click("Remove Olwen", target{"button", "", "Olwen"}),
			click("Show what is completed", target{"", "Completed", ""}),
			see("Buy bread"),
			gone("Feed the cat"),
			click("Show what is left", target{"", "Active", ""}),
			see("Call Olwen Jones"),
			click("Show all", target{"", "All", ""}),
			click("Throw away what is completed", target{"button", "Clear completed*", ""}),
			gone("Buy bread"),
			see("Call Olwen Jones"),
			see("Feed the cat"),
		},
		seedBy: []move{open(""), entered("", field, "Water the plants")},
		state: `[...document.querySelectorAll('` + list +
			`')].map((li) => [li.querySelector('label').textContent.trim(), li.querySelector('[type=checkbox]').checked])`,
		want:    `[["Call Olwen Jones",false],["Feed the cat",false]]`,
		wantRow: `[["Water the plants",false],["Call Olwen Jones",false],["Feed the cat",false]]`,
		renames: []string{"new-todo", "fresh-entry", "todo-list", "entry-pile", "toggle-all", "flip-each", "todo-count", "entry-sum",
			"clear-completed", "sweep-up", "todoapp", "jotter"},
	}
	if a.newestFirst {
		f.want = `[["Feed the cat",false],["Call Olwen Jones",false]]`
	}
	if a.forgets {
		f.seedBy, f.wantRow = nil, ""
	}
	if a.storesLast {
		f.seedBy = append(f.seedBy, open(""))
	}
	f.breaks = `addEventListener('click', (e) => { if (/^Clear completed/.test(e.target.textContent.trim())) { e.preventDefault();` +
		` e.stopImmediatePropagation(); } }, true);`
	return f
}

func todoFlows() []*flow {
	var out []*flow
	for _, a := range todoApps {
		out = append(out, a.flow())
	}
	return out
}
