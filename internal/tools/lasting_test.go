package tools_test

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/dispatch"
)

// TestRecordedCallsLast: what a call records names its element so that the call holds on a page that has grown.
func TestRecordedCallsLast(t *testing.T) {
	t.Parallel()
	const o = `<p id=o></p>`
	todo := func(texts ...string) string {
		var b strings.Builder
		for _, t := range texts {
			b.WriteString(`<li onclick="o.textContent='Did ` + t + `'">` + t + `</li>`)
		}
		return `<ul>` + b.String() + `</ul>` + o
	}
	stock := func(names ...string) string {
		var b strings.Builder
		for i, n := range names {
			b.WriteString(`<tr><td>` + n + `<td><button id=row-b` + string(rune('1'+i)) + ` onclick="o.textContent='Removed ` + n + `'">Remove</button></tr>`)
		}
		return `<table>` + b.String() + `</table>` + o
	}
	// Under the mouse the words become a button, which alone does anything.
	hover := `<div><span id=s onmouseenter="this.outerHTML='<button onclick=&quot;o.textContent=\'Bought\'&quot;>Buy</button>'">Buy</span></div>` + o
	field := `<label>Name <input autofocus oninput="o.textContent='Name '+this.value"></label>` + o
	tests := []struct {
		name        string
		page, grown string
		tool        string
		args        args
		keeps, not  string // in the recording
		says        string
	}{
		{"text is a selector", todo("Milk", "Olwen"), todo("New", "Milk", "Olwen"), "web_click", args{"ref": "Olwen"}, `"textRegex":"Olwen"`, "ndex", "Did Olwen"},
		{"a button of a row", stock("Mouse", "Laptop"), stock("Desk", "Mouse", "Laptop"), "web_click", args{"ref": "css=#row-b2"}, `"ariaNameRegex":"Laptop"`, "row-b2", "Removed Laptop"},
		{"CSS that was given and counts nothing", `<button class=go onclick="o.textContent='Went'">Go</button>` + o, `<h1>Sale</h1><button class=go onclick="o.textContent='Went'">Go</button>` + o, "web_click", args{"ref": "css=.go"}, `"cssSelector":".go"`, "ndex", "Went"},
		{"what was matched, not what it became under the mouse", hover, hover, "web_click", args{"ref": "Buy"}, `"role":"generic"`, `"role":"button"`, "Bought"},
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
