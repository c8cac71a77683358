package tools_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/screen"
	"github.com/trailblaze-dev/trailblaze/screen/text"
)

// did makes every element say what was done to it.
const did = `<p id=out></p><script>
const say = (what, e) => { out.textContent = what + ' ' + (e.target.closest('[id]') || e.target).id };
for (const what of ['click', 'input', 'change', 'drop', 'dblclick']) document.addEventListener(what, (e) => {
if (e.target.closest('[id]') && e.target.closest('[id]') !== out) say(what, e) }, true);
</script>`

// show puts another page into the same context.
func (w *world) show(t *testing.T, page string) *world {
	t.Helper()
	c := *w
	c.t = t
	server := httptest.NewServer(html(page))
	t.Cleanup(server.Close)
	c.do("web_navigate", args{"url": server.URL + "/"})
	return &c
}

// TestTextAsRef proves which element a text names, for each class of what may be meant: exact before words before
// parts, what can be acted on before text, a label is its field, a part of a control is the control, what is seen
// before what is not. What stays open is refused.
func TestTextAsRef(t *testing.T) {
	t.Parallel()
	const olwens = `<ul><li id=a>Call Olwen Smith</li><li id=b>Olwen</li></ul>`
	tests := []struct {
		name, page, tool string
		args             args
		out, says        string // what was done to which element, and what the reply tells
	}{
		{"exact before a word", olwens, "web_click", args{"ref": "Olwen"}, "click b", `Clicked listitem "Olwen".`},
		{"a word where nothing is exact", olwens, "web_click", args{"ref": "Smith"}, "click a", `Clicked listitem "Call Olwen Smith".`},
		{"a part where there is no such word", olwens, "web_click", args{"ref": "Smi"}, "click a", `Clicked listitem "Call Olwen Smith".`},
		{"a label in its item", `<ul><li id=a><label id=al>Call Olwen</label></li><li id=b><label id=bl>Olwen</label></li></ul>`, "web_click",
			args{"ref": "Olwen"}, "click bl", `"Olwen"`},
		{"a text in a button is the button", `<button id=a><span>Save</span></button><button id=b><span>Save</span> <span>draft</span></button>`,
			"web_click", args{"ref": "Save"}, "click a", `Clicked button "Save".`},
		{"an item with a handler before the text in it", `<div id=a onclick="1" style="cursor:pointer"><span>Olwen</span></div>`, "web_click",
			args{"ref": "Olwen"}, "click a", `"Olwen"`},
		{"a control before a heading", `<h1 id=a>Sign in</h1><button id=b>Sign in</button>`, "web_click", args{"ref": "Sign in"}, "click b",
			`Clicked button "Sign in".`},
		{"a heading before the region it names", `<section id=a aria-labelledby=h style="height:300px"><h2 id=h>Orders</h2></section>`,
			"web_click", args{"ref": "Orders"}, "click h", `Clicked heading "Orders".`},
		{"a label is its field", `<label id=a for=b>Name</label> <input id=b>`, "web_type", args{"ref": "Name", "text": "x"}, "input b",
			`Typed into textbox "Name".`},
		{"a part of a label is its field", `<label id=a>Email <b>*</b> <input id=b></label>`, "web_type", args{"ref": "Email", "text": "x"},
			"input b", `textbox "Email *"`},
		{"typing goes to the field, not the button", `<input id=a aria-label=Search> <button id=b>Search</button>`, "web_type",
			args{"ref": "Search", "text": "x"}, "input a", `Typed into textbox "Search".`},
		{"choosing goes to the list, not the heading", `<h2 id=a>Size</h2><select id=b aria-label="Size"><option>S<option>L</select>`,
			"web_selectOption", args{"ref": "Size", "values": []string{"L"}}, "change b", `in combobox "Size".`},
		{"checking goes to the box, not the button", `<button id=a>Terms</button> <input type=checkbox id=b aria-label=Terms>`, "web_setChecked",
			args{"ref": "Terms"}, "change b", `Checked checkbox "Terms".`},
		{"a hint", `<input id=a aria-label="New todo" placeholder="What needs to be done?">`, "web_type",
			args{"ref": "What needs to be done?", "text": "x"}, "input a", `Typed into textbox "New todo".`},
		{"what is seen before what is hidden", `<nav hidden><button id=a>Save</button></nav><button id=b>Save</button>`, "web_click",
			args{"ref": "Save"}, "click b", `Clicked button "Save".`},
		{"a descriptor, too", `<nav hidden><button id=a>Save</button></nav><button id=b>Save</button>`, "web_click", args{"ref": `button "Save"`},
			"click b", `Clicked button "Save".`},
		{"an item by its role and text", olwens, "web_click", args{"ref": `listitem "Olwen"`}, "click b", `Clicked listitem "Olwen".`},
		{"a text by its role", olwens, "web_click", args{"ref": `text "Olwen"`}, "click b", `"Olwen"`},
		{"a text in quotes", olwens, "web_click", args{"ref": `"Olwen"`}, "click b", `"Olwen"`},
		{"an expression", olwens, "web_click", args{"ref": `/^Olwen$/`}, "click b", `"Olwen"`},
		{"an expression in any case", olwens, "web_click", args{"ref": `/smith/i`}, "click a", `"Call Olwen Smith"`},
		{"the role word of a snapshot", `<table role=grid><tr><td id=a>Mug</td><td id=b>Cup</td></tr></table>`, "web_click",
			args{"ref": `cell "Cup"`}, "click b", `cell "Cup"`},
		{"the role word of ARIA", `<table role=grid><tr><td role=gridcell id=a>Mug</td><td role=gridcell id=b>Cup</td></tr></table>`, "web_click",
			args{"ref": `gridcell "Cup"`}, "click b", `"Cup"`},
		{"the mark of an item", olwens, "web_click", args{"ref": `- "Olwen"`}, "click b", `"Olwen"`},
		{"an item by a text in it", `<ul><li id=a>Call Olwen Smith <button>x</button></li>` +
			`<li id=b onmouseover="say('mouseover', event)"><label>Olwen</label> <button>x</button></li></ul>`, "web_hover",
			args{"ref": `listitem "Olwen"`}, "mouseover b", `Hovered over listitem "Olwen`},
		{"a name without the glyph of its icon", "<button id=a>\uf015 Home</button><button id=b>\uf015 Home page</button>", "web_click",
			args{"ref": `button "Home"`}, "click a", `Clicked button "Home".`},
		{"a text without the glyph of its icon", "<button id=a>\uf015 Home</button><button id=b>\uf015 Home page</button>", "web_click",
			args{"ref": "Home"}, "click a", `Clicked button "Home".`},
		{"an element in its place", `<ul><li>Mug <button id=a>Delete</button><li>Cup <button id=b>Delete</button></ul>`, "web_click",
			args{"ref": `button "Delete" in listitem "Cup"`}, "click b", `Clicked button "Delete".`},
		{"a box without a name is told by its item", `<ul><li>Mug <input type=checkbox id=a><li>Cup <input type=checkbox id=b></ul>`, "web_click",
			args{"ref": "checkbox in listitem \"Cup\""}, "change b", `Clicked checkbox in listitem "Cup".`},
		{"a drag tells both ends", `<p id=a draggable=true>Mug</p><p>A Mug and a Cart</p><div id=b style="width:200px;` +
			`height:80px" ondragover="event.preventDefault()">Cart</div>`, "web_drag", args{"ref": "Mug", "toRef": "Cart"}, "drop b",
			`Dragged paragraph "Mug" to generic "Cart".`},
		{"tap by text, too", olwens, "tap", args{"text": "Olwen"}, "click b", `Tapped listitem "Olwen".`},
		{"a word that is a role and a text", `<button id=a>list</button>`, "web_click", args{"ref": "list"}, "click a", `Clicked button "list".`},
	}
	w := open(t, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := w.show(t, tt.page+did)
			text := w.do(tt.tool, tt.args)
			w.is(`out.textContent`, tt.out)
			w.saw(text, tt.says)
		})
	}
}

// TestSeveralAreRefused proves that no tool chooses among elements that a name fits alike: it lists them, with refs
// and with what they stand in, and does nothing.
func TestSeveralAreRefused(t *testing.T) {
	t.Parallel()
	const rows = `<table><tr><td>Mug<td><button>Delete</button><tr><td>Cup<td><button>Delete</button></table>`
	const fields = `<h2>Billing</h2><label>Name <input></label><h2>Shipping</h2><label>Name <input></label>`
	tests := []struct {
		name, page, tool string
		args             args
		says             []string
	}{
		{"two texts", `<ul><li>Olwen</li><li>Gwyn</li><li>Olwen</li></ul>`, "web_click", args{"ref": "Olwen"},
			[]string{`ref Olwen fits 2 elements: listitem "Olwen"`}},
		{"two buttons by descriptor", rows, "web_click", args{"ref": `button "Delete"`}, []string{`button "Delete" e`, `in row "Mug Delete"`, `in row "Cup Delete"`}},
		{"two buttons by text", rows, "web_click", args{"ref": "Delete"}, []string{`in row "Mug Delete"`}},
		{"two buttons by expression", rows, "web_click", args{"ref": "/^Del/"}, []string{`in row "Cup Delete"`}},
		{"two buttons by role", rows, "web_click", args{"ref": "button"}, []string{`in row "Cup Delete"`}},
		{"two buttons by css", rows, "web_click", args{"ref": "css=button"}, []string{`in row "Cup Delete"`}},
		{"two words", `<ul><li>Call Olwen</li><li>Olwen Smith</li></ul>`, "web_click", args{"ref": "Olwen"}, []string{`"Call Olwen"`, `"Olwen Smith"`}},
		{"a field and a button", `<input aria-label=Search> <button>Search</button>`, "web_click", args{"ref": "Search"},
			[]string{`textbox "Search" e`, `button "Search" e`}},
		{"two fields of one label", fields, "web_type", args{"ref": "Name", "text": "x"}, []string{`under heading "Billing"`, `under heading "Shipping"`}},
		{"a label without a field, and another field", `<p>Name</p><input><p><label>Last Name <input></label>`, "web_type",
			args{"ref": "Name", "text": "x"}, []string{`paragraph "Name"`, `textbox "Last Name"`}},
		{"a better match that is hidden", `<button hidden>Delete</button><button>Delete all</button>`, "web_click", args{"ref": "Delete"},
			[]string{`button "Delete"`, `(hidden)`, `button "Delete all"`}},
		{"the end of a drag", `<p draggable=true>Mug</p>` + rows, "web_drag", args{"ref": `paragraph "Mug"`, "toRef": "Delete"}, []string{`in row "Cup Delete"`}},
		{"the beginning of a drag", rows + `<p>Bin</p>`, "web_drag", args{"ref": "Delete", "toRef": "Bin"}, []string{`in row "Cup Delete"`}},
		{"hover", rows, "web_hover", args{"ref": "Delete"}, []string{`in row "Cup Delete"`}},
		{"choosing", `<h2>A</h2><select aria-label=Size><option>S</select><h2>B</h2><select aria-label=Size><option>S</select>`,
			"web_selectOption", args{"ref": "Size", "values": []string{"S"}}, []string{`under heading "A"`}},
		{"checking", `<ul><li>Mug <input type=checkbox aria-label=Done><li>Cup <input type=checkbox aria-label=Done></ul>`, "web_setChecked",
			args{"ref": "Done"}, []string{`in listitem "Mug"`}},
		{"clearing", fields, "web_clear", args{"ref": "Name"}, []string{`under heading "Billing"`}},
		{"keys", fields, "web_pressKey", args{"ref": "Name", "key": "Enter"}, []string{`under heading "Billing"`}},
		{"tap by text", rows, "tap", args{"text": "Delete"}, []string{`in row "Cup Delete"`}},
		{"tap by ref", rows, "tap", args{"ref": "Delete"}, []string{`in row "Cup Delete"`}},
		{"legacy tap by text", rows, "tapOnElementWithText", args{"text": "Delete"}, []string{`in row "Cup Delete"`}},
		{"legacy tap by name", rows, "tapOnElementWithAccessibilityText", args{"accessibilityText": "Delete"}, []string{`in row "Cup Delete"`}},
		{"scrolling", rows, "web_scroll", args{"ref": "Delete"}, []string{`in row "Cup Delete"`}},
		{"an assertion", rows, "web_verifyElementVisible", args{"ref": `button "Delete"`}, []string{`in row "Cup Delete"`}},
		{"an assertion of a value", fields, "web_verifyValue", args{"ref": "Name", "type": "VALUE", "expected": ""}, []string{`under heading "Billing"`}},
		{"reading", rows, "getElementText", args{"ref": "Delete"}, []string{`in row "Cup Delete"`}},
		{"reading by text", rows, "getElementText", args{"text": "Delete"}, []string{`in row "Cup Delete"`}},
		{"a script", rows, "web_evaluate", args{"ref": "Delete", "script": "(e) => e.click()"}, []string{`in row "Cup Delete"`}},
		{"a picture", rows, "getScreenshot", args{"ref": "Delete"}, []string{`in row "Cup Delete"`}},
	}
	w := open(t, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := w.show(t, tt.page+did)
			began := time.Now()
			err := w.refuse(fault.Conflict, tt.tool, tt.args)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("refused after %s", took)
			}
			for _, part := range tt.says {
				w.saw(err.Error(), part)
			}
			if d := fault.DetailOf(err); d == nil || len(d.Candidates) < 2 {
				t.Errorf("detail = %+v, want the candidates", d)
			}
			w.is(`out.textContent`, "")
		})
	}
}

// TestListedCandidatesAreAccepted proves that what an error lists can be given back.
func TestListedCandidatesAreAccepted(t *testing.T) {
	t.Parallel()
	w := open(t, `<table><tr><td>Mug<td><button>Delete</button><tr><td>Cup<td><button>Delete</button></table>
<h2>Team</h2><ul><li>Olwen</li><li>Gwyn</li></ul><h2>Guests</h2><ul aria-label="Guests"><li>Olwen</li></ul>`)
	for _, name := range []string{"Delete", "Olwen"} {
		lines := fault.DetailOf(w.refuse(fault.Conflict, "web_hover", args{"ref": name})).Candidates
		if len(lines) != 2 {
			t.Fatalf("candidates = %q", lines)
		}
		for _, line := range lines {
			if strings.Contains(line, "nodeSelector") {
				continue
			}
			w.do("web_hover", args{"ref": line, "effect": "none"})
		}
	}
}

// TestPrintedFormsAreAccepted proves the property: whatever a snapshot prints of an element, the line with its ref or
// without, names that element, or is refused because it fits several of which that is one.
func TestPrintedFormsAreAccepted(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"click": clickPage, "sight": sightPage, "fields": formPage, "look": lookPage,
		"form": `<form aria-label=Payment><h2>Card</h2><label>Number <input required
value="4111"></label><label>Month <select><option>May<option>June</select></label>
<input type=range aria-label=Tip min=0 max=20 step=0.5 value=5><input placeholder="Promo code"><input aria-label=Note
placeholder="Say it"><textarea aria-label=More>a
b</textarea><fieldset><legend>Size</legend><label><input type=radio name=s checked> Small</label><label><input type=radio name=s> Large</label></fieldset>
<input type=checkbox><input type=file aria-label=Photo><progress value=3 max=9></progress><button disabled title="Not yet">Pay</button></form>`,
		"lists": `<main><h1>Shop "quoted"</h1><p>Read the <a href=#t>terms</a> first</p><ul><li><a
href=#m>Mug</a> 2 left</li><li>Cup</li><li><label>Olwen</label> <button>×</button></li></ul>
<table><tr><th>Item<th>Price<tr><td>Mug<td>$5<td><button>Remove</button><tr><td>Cup<td>$3<td><button>Remove</button></table>
<div role=grid><div role=row><div role=gridcell>A1</div><div role=gridcell tabindex=0>B1</div></div></div><div role=tree><div role=treeitem
aria-expanded=true>Folder<div role=group><div role=treeitem>File</div></div></div></div>
<dl><dt>Term<dd>Meaning of <em>it</em></dl><details
open><summary>More</summary>Details here</details><blockquote>Quote</blockquote><pre>a  b</pre><img alt="A cat" src="data:,">` +
			"<button>\uf015 Home</button><button>\uf00d</button><p style='text-transform:uppercase'>printed</p><p>" + strings.Repeat("long words ", 60) + `</p></main>`,
	}
	w := open(t, "")
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			w := w.show(t, page)
			snap, err := w.dev.Snapshot(w.ctx(), driver.SnapshotOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, detail := range [][]string{nil, {text.DetailAll}} {
				for i, line := range strings.Split(strings.TrimSpace(text.Of(snap, text.Options{Detail: detail})), "\n") {
					line = strings.TrimSpace(line)
					if i == 0 || strings.HasPrefix(line, "(") {
						continue // the head of the page, and what is left out
					}
					accepted(t, snap, line)
				}
			}
		})
	}
}

// accepted gives a line back, as it is and without the ref of its element.
func accepted(t *testing.T, snap *screen.Snapshot, line string) {
	t.Helper()
	ref, _ := screen.RefOf(line)
	if ref == "" {
		if f := strings.Fields(line); len(f) > 1 && snap.ByRef(f[1]) != nil {
			ref = f[1] // of an element without a name
		}
	}
	forms := []string{line}
	if ref != "" {
		forms = append(forms, strings.Replace(line, " "+ref, "", 1))
	}
	for _, form := range forms {
		nodes, err := snap.Locate(form)
		switch {
		case err != nil || len(nodes) == 0:
			t.Errorf("%q names nothing: %v", form, err)
		case form != line && strings.HasPrefix(form, `"`): // a text alone means what acts on it: a label its field
		case ref != "" && !slices.Contains(nodes, snap.ByRef(ref)):
			t.Errorf("%q names %s, not %s", form, told(snap, nodes), ref)
		}
		for _, n := range nodes[:min(1, len(nodes))] {
			if said, err := snap.Locate(snap.ReplyName(n)); err != nil || len(said) == 0 {
				t.Errorf("%q is said to be %q, which names nothing", form, snap.ReplyName(n))
			}
		}
	}
}

func told(snap *screen.Snapshot, nodes []*screen.Node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, snap.Label(n))
	}
	return fmt.Sprintf("%q", out)
}

// TestNamesThatCannotMatch proves that a live caller waits for less than two seconds, and that the hint can be
// followed.
func TestNamesThatCannotMatch(t *testing.T) {
	t.Parallel()
	w := open(t, `<ul><li>Olwen Smith</li></ul><button onclick="out.textContent='saved'">Save draft</button><p id=out></p>`)
	for _, tt := range []struct{ tool, ref, near string }{
		{"web_click", `button "Save it"`, `button "Save draft"`}, {"web_click", "Olwyn", `listitem "Olwen Smith"`}, {"web_hover", "/^Olwyn$/", `"Olwen Smith"`},
		{"web_verifyElementVisible", `button "Save it"`, `button "Save draft"`}, {"web_click", `cell "Save draft"`, `button "Save draft"`},
	} {
		began := time.Now()
		kind := fault.NotFound
		if strings.HasPrefix(tt.tool, "web_verify") {
			kind = fault.Assertion
		}
		err := w.refuse(kind, tt.tool, args{"ref": tt.ref})
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s %s failed after %s", tt.tool, tt.ref, took)
		}
		w.saw(fault.HintOf(err), tt.near)
	}
	w.do("web_click", args{"ref": `button "Save draft"`})
	w.is(`out.textContent`, "saved")
}
