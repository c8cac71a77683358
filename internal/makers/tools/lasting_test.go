package tools_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/call/dispatch"
)

// outcome is where a page writes what was done.
const outcome = `<p id=o></p>`

// TestRecordedCallsLast: what a call records names its element so that the call holds on a page that has grown.
func TestRecordedCallsLast(t *testing.T) {
	t.Parallel()
	todo := func(texts ...string) string {
		var b strings.Builder
		for _, t := range texts {
			b.WriteString(`<li onclick="o.textContent='Did ` + t + `'">` + t + `</li>`)
		}
		return `<ul>` + b.String() + `</ul>` + outcome
	}
	stock := func(names ...string) string {
		var b strings.Builder
		for i, n := range names {
			b.WriteString(`<tr><td>` + n + `<td><button id=row-b` + string(rune('1'+i)) + ` onclick="o.textContent='Removed ` + n + `'">Remove</button></tr>`)
		}
		return `<table>` + b.String() + `</table>` + outcome
	}
	// Under the mouse the words become a button, which alone does anything.
	hover := `<div><span id=s onmouseenter="this.outerHTML='<button onclick=&quot;o.textContent=\'Bought\'&quot;>Buy</button>'">Buy</span></div>` + outcome
	field := `<label>Name <input id=f oninput="o.textContent='Name '+this.value"></label><script>f.focus()</script>` + outcome
	tests := []struct {
		name        string
		page, grown string
		tool        string
		args        args
		keeps, not  string // in the recording
		says        string
	}{
		{"text is a selector", todo("Milk", "Olwen"), todo("New", "Milk", "Olwen"), "web_click", args{"ref": "Olwen"}, `"textRegex":"Olwen"`, "ndex", "Did Olwen"},
		{"a button of a row", stock("Mouse", "Laptop"), stock("Desk", "Mouse", "Laptop"), "web_click", args{"ref": "css=#row-b2"},
			`"ariaNameRegex":"Laptop"`, "row-b2", "Removed Laptop"},
		{"CSS that was given and counts nothing", `<button class=go onclick="o.textContent='Went'">Go</button>` + outcome,
			`<h1>Sale</h1><button class=go onclick="o.textContent='Went'">Go</button>` + outcome, "web_click",
			args{"ref": "css=.go"}, `"cssSelector":".go"`, "ndex", "Went"},
		{"what was matched, not what it became under the mouse", hover, hover, "web_click", args{"ref": "Buy"}, `"role":"generic"`, `"role":"button"`, "Bought"},
		{"a button without a name in a row that a name tells", iconTable("table", "Ada", "Ben"), iconTable("table", "New", "Ada", "Ben"), "web_click",
			args{"ref": "css=tr:nth-child(3) .d"}, `"ariaNameRegex":"Ben"`, "ndex", "Dropped Ben"},
		{"a button without a name in a row that a number tells", iconTable("grid", "1041", "1042"), iconTable("grid", "1039", "1041", "1042"), "web_click",
			args{"ref": "css=tr:nth-child(3) .m"}, `"columnRegex":"Edit"`, "ndex", "Opened 1042"},
		{"an empty cell of a table that ticks", iconTable("grid", "AAPL", "MSFT"), iconTable("grid", "SAP", "AAPL", "MSFT"), "web_click",
			args{"ref": "css=tr:nth-child(3) td:nth-child(3)"}, `"columnRegex":"Note"`, "ndex", "Noted MSFT"},
		{"a cell of a table that ticks", iconTable("treegrid", "AAPL", "MSFT"), iconTable("treegrid", "SAP", "AAPL", "MSFT"), "web_hover",
			args{"ref": "css=tr:nth-child(3) td:nth-child(2)"}, `"columnRegex":"Price"`, "ndex", "Key"},
		{"a button without a name beside a text", iconCards("Ada", "Ben"), iconCards("Ada", "Ben"), "web_click", args{"ref": "css=.r:nth-child(2) .m"},
			`Ben`, "xx", "Opened Ben"},
		{"a text that is remembered, named by a part of it", `<h1>Room</h1><p>R-77</p>`, `<h1>Room</h1><p>R-12</p>`, "remember",
			args{"variable": "code", "text": "R-", "regex": "R-[0-9]+"}, `"text":"R-"`, "77", "R-12"},
		{"a text that is remembered, named by a ref", `<h1>Room</h1><p>One<p id=code>R-77</p>`, `<h1>Room</h1><p>One<p id=code>R-12</p>`, "remember",
			args{"variable": "code", "ref": "R-77", "regex": "R-[0-9]+"}, `#code`, "77", "R-12"},
		{"a text that is remembered, with nothing of its own", `<h1>Room</h1><p>One<p>R (77)</p>`, `<h1>Room</h1><p>One<p>R-12</p>`, "remember",
			args{"variable": "code", "ref": "R (77)"}, `"nodeSelector"`, "77", "R-12"},
		{"the field that had the focus", field, `<label>Mail <input></label>` + field, "web_type", args{"text": "Ada"}, `"ariaNameRegex":"Name"`, "ndex", "Name Ada"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := open(t, tt.page)
			w.do(tt.tool, tt.args)
			record := w.last.Record
			if record == nil {
				t.Fatal("nothing is recorded")
			}
			if text := string(record.Args); !strings.Contains(text, tt.keeps) || strings.Contains(text, tt.not) || strings.Contains(text, `"ref"`) {
				t.Errorf("recorded %s, want %s in it and no %s", text, tt.keeps, tt.not)
			}
			w = open(t, tt.grown) // with the mouse where it begins
			r, err := w.disp.Call(w.ctx(), w.sess, dispatch.Replay, *record)
			if err == nil {
				err = r.Err()
			}
			if err != nil {
				t.Fatalf("%s: %v", record.Args, err)
			}
			w.do("web_verifyTextVisible", args{"text": tt.says})
		})
	}
}

// iconTable is a table with two buttons without a name in each row; some cells tick.
func iconTable(role string, keys ...string) string {
	var b strings.Builder
	for i, k := range keys {
		icon := `<svg width=9 height=9><circle r=4 /></svg></button>`
		b.WriteString(`<tr><td>` + k + `<td>` + strconv.Itoa(10+i) + `.25<td onclick="o.textContent='Noted ` + k +
			`'"><td><button class=m onclick="o.textContent='Opened ` + k + `'">` +
			icon + `<td><button class=d onclick="o.textContent='Dropped ` + k + `'">` + icon + `</tr>`)
	}
	return `<table role=` + role + `><tr><th>Key<th>Price<th>Note<th>Edit<th>Drop</tr>` + b.String() + `</table>` + outcome
}

// iconCards are cards with a button without a name each.
func iconCards(names ...string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(`<div class=r><span>` + n + `</span> <button class=m onclick="o.textContent='Opened ` + n +
			`'"><svg width=9 height=9><circle r=4 /></svg></button></div>`)
	}
	return `<div>` + b.String() + `</div>` + outcome
}
