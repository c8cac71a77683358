package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/trails/record"
)

func calls(list ...any) args {
	var out []args
	for i := 0; i < len(list); i += 2 {
		out = append(out, args{"tool": list[i], "args": list[i+1]})
	}
	return args{"calls": out}
}

// A form of 12 fields is one request, and a recording keeps its calls.
func TestBatch(t *testing.T) {
	t.Parallel()
	var form strings.Builder
	var list []any
	for i := range 12 {
		fmt.Fprintf(&form, "<label>Field %d <input id=f%d></label>\n", i, i)
		list = append(list, "web_type", args{"ref": fmt.Sprintf("css=#f%d", i), "text": fmt.Sprintf("v%d {{{}}{who}", i)})
	}
	list[3] = args{"ref": "css=#f1", "text": "{{who}}"}
	w := open(t, form.String()+`<button onclick="out.textContent = [...document.querySelectorAll('input')].map(i => i.value).join()">Save</button><p id=out></p>`)
	w.mem.Set("who", "Ann")
	w.do("batch", calls(append(list, "web_click", args{"ref": `button "Save"`})...))
	w.is(`document.querySelector('#out').textContent.slice(0, 24)`, "v0 {{who},Ann,v2 {{who},")
	if len(w.last.Made) != 13 {
		t.Errorf("%d calls were made", len(w.last.Made))
	}
	log, err := record.OfLog(w.sess.Log)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range log.Groups {
		for _, a := range g.Actions {
			names = append(names, a.Call.Name)
			if strings.Contains(string(a.Call.Args), `"Ann"`) {
				t.Errorf("the recording holds what a token stood for: %s", a.Call.Args)
			}
		}
	}
	if got := strings.Join(names, " "); strings.Count(got, "web_type") != 12 || strings.Count(got, "web_click") != 1 || strings.Contains(got, "batch") {
		t.Errorf("recorded %s", got)
	}
}

// A batch ends at the first failure and at a surprise, and says what was not made.
func TestBatchStops(t *testing.T) {
	t.Parallel()
	w := open(t, `<input aria-label=A><button id=d onclick="alert('Sure?')">Ask</button><a href="/other">Go</a>
		<button id=b onclick="document.body.dataset.n = 1; document.activeElement.blur()">Blur</button>`)
	typing := args{"ref": `textbox "A"`, "text": "x"}
	for _, tc := range []struct {
		name string
		kind fault.Kind
		list args
		want string
	}{
		{"a failure", fault.NotFound, calls("web_type", typing, "web_click", args{"ref": "css=#none", "timeoutMs": 100}, "web_type", typing),
			"delegate 2 of 3, web_click"},
		{"wrong arguments", fault.Invalid, calls("web_type", typing, "web_click", args{"reff": "a"}), "delegate 2 of 2, web_click"},
		{"a dialog", fault.Conflict, calls("web_click", args{"ref": "css=#d"}, "web_type", typing),
			"a dialog came up, so the calls after it were not made: web_type"},
		{"the focus is lost", fault.Conflict, calls("web_type", typing, "web_click", args{"ref": "css=#b"}, "web_pressKey", args{"key": "Enter"}),
			"no element has the focus, so the calls after it were not made: web_pressKey"},
		{"another page", fault.Conflict, calls("web_click", args{"ref": `link "Go"`}, "web_type", typing), "the page went to " + w.server.URL + "/other"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w.do("web_navigate", args{"url": w.server.URL + "/"})
			err := w.refuse(tc.kind, "batch", tc.list)
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v\nwant %s", err, tc.want)
			}
			if ev := w.last.Evidence; ev == nil || ev.Effect == nil && ev.None == "" {
				t.Errorf("the result does not say that something was done: %+v", ev)
			}
		})
	}
}

// R172: commands of Maestro are carried out by the tools that mean the same.
func TestMaestroCommands(t *testing.T) {
	t.Parallel()
	w := open(t, `<input aria-label=Search value=abc><button onclick="out.textContent = 'Found'">Search now</button><p id=out></p>`)
	w.mem.Set("word", "mug {x}")
	w.do("maestro", args{"commands": []any{
		args{"tapOn": "Search"}, args{"eraseText": args{"charactersToErase": nil}}, args{"inputText": "{{word}}"}, "hideKeyboard",
		args{"tapOn": args{"text": "Search now", "index": 0}}, args{"assertVisible": "Found"}, args{"assertNotVisible": args{"text": "Nothing"}},
	}})
	w.is(`document.querySelector('input').value`, "mug {x}")
	w.js(`document.querySelector('input').focus()`)
	w.do("maestro", args{"commands": []any{args{"repeat": args{"times": 2, "while": args{"notVisible": "Never"}, "commands": []any{args{"inputText": 7}}}},
		args{"runFlow": args{"when": args{"visible": "Never"}, "commands": []any{args{"tapOn": "Never"}}}}}})
	w.is(`document.querySelector('input').value`, "mug {x}77")
	w.do("mobile_maestro", args{"commands": []any{args{"extendedWaitUntil": args{"visible": args{"text": "Found"}, "timeout": "30000"}}}})
	w.refuse(fault.Invalid, "maestro", args{"commands": []any{args{"runFlow": args{"file": "x"}}}})
}
