package web

import (
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// drawnEditor takes keys in a textarea of one pixel, keeps the text itself, and draws the lines
// with their numbers.
const drawnEditor = `<style>.line{position:relative;padding-left:40px;height:18px;white-space:pre}.number{position:absolute;left:5px}</style>
	<div id=ed style="width:300px;height:120px;position:relative;overflow:hidden"><div
style="width:3px;height:0;overflow:hidden;position:relative"><textarea id=i style="width:200px"></textarea></div><div id=lines></div></div><script>
	let text='let old = 1;\nlet second = 2;',all=false,typed=0;
	const draw=()=>{lines.innerHTML='';text.split('\n').forEach((s,k)=>{const d=document.createElement('div');d.className='line';
d.innerHTML='<span class="number'+(k?'':' active')+'">'+(k+1)+'</span>';d.append(s.replace(/ /g,'\u00a0'));lines.append(d)})};
	i.addEventListener('keydown',e=>{if(e.ctrlKey&&e.key==='a'){all=true;e.preventDefault()}
else if(e.key==='Delete'||e.key==='Backspace'){text=all?'':text.slice(0,-1);all=false;e.preventDefault();draw()}});
	i.addEventListener('input',()=>{typed++;text=(all?'':text)+i.value;all=false;i.value='';draw()});draw();
	ed.onmousedown=()=>setTimeout(()=>i.focus())</script>`

// TestTypeIntoDrawnEditor: an editor is read by what it shows, and emptied by its keys.
func TestTypeIntoDrawnEditor(t *testing.T) {
	d := actPage(t, drawnEditor)
	steps := []struct {
		name   string
		action func(driver.Target) driver.Action
		want   string
	}{
		{"replace", func(t driver.Target) driver.Action {
			return driver.TypeText{Target: t, Text: "const a = [1, 2];", Clear: true}
		}, "const a = [1, 2];"},
		{"append", func(t driver.Target) driver.Action { return driver.TypeText{Target: t, Text: " // more"} }, "const a = [1, 2]; // more"},
		{"keys", func(t driver.Target) driver.Action {
			return driver.TypeText{Target: t, Text: "12", Clear: true, Keys: true}
		}, "12"},
		{"erase", func(t driver.Target) driver.Action { return driver.EraseText{Target: t} }, ""},
		{"again", func(t driver.Target) driver.Action { return driver.TypeText{Target: t, Text: "x", Clear: true} }, "x"},
	}
	for _, s := range steps {
		e := perform(t, d, s.action(at(node(t, d, "#i"))))
		want(t, s.name, js(t, d, "text"), `"`+s.want+`"`)
		if e.Value != s.want || !e.Changes.Verified {
			t.Errorf("%s: effect %+v", s.name, e)
		}
	}
	js(t, d, "(typed=0,i.addEventListener('input',()=>{text='nothing like it';draw()}))")
	_, err := d.Perform(within(t, 3000), driver.TypeText{Target: at(node(t, d, "#i")), Text: "y", Clear: true})
	wantFault(t, err, fault.NotActed, "nothing like it")
	want(t, "typed", js(t, d, "typed"), "1")
	js(t, d, "i.addEventListener('keydown',e=>e.stopImmediatePropagation(),true)")
	_, err = d.Perform(within(t, 3000), driver.EraseText{Target: at(node(t, d, "#i"))})
	wantFault(t, err, fault.NotActed, "still holds")
}

// TestTypeAsPeopleDo: what typing leaves in fields that select, complete, refuse or come to it
// late.
func TestTypeAsPeopleDo(t *testing.T) {
	const complete = `<input id=i role=combobox aria-autocomplete=both oninput="if(event.inputType==='insertText'){const ` +
		`n=this.value.length,f=['Alabama','Alaska'].find(s=>s.toLowerCase().startsWith(this.value.toLowerCase()));if(f){this.value=f;` +
		`this.setSelectionRange(n,f.length)}}">`
	tests := []struct {
		name, html string
		prepare    string
		action     driver.TypeText
		want       string // the value after
		fails      string
	}{
		{"over a selection", `<input id=i value="one two three">`, "(i.focus(),i.setSelectionRange(4,7))", driver.TypeText{Text: "2", Keys: true}, "one 2 three", ""},
		{"over a selection, inserted", `<input id=i value="one two three">`, "(i.focus(),i.setSelectionRange(4,7))", driver.TypeText{Text: "2"}, "one 2 three", ""},
		{"over a selection in an editor", `<div id=i contenteditable>one two three</div>`,
			"(i.focus(),getSelection().setBaseAndExtent(i.firstChild,4,i.firstChild,7))", driver.TypeText{Text: "2", Keys: true}, "one 2 three", ""},
		{"over a selection in a number", `<input id=i type=number value=12>`, "(i.focus(),i.select())", driver.TypeText{Text: "5", Keys: true}, "5", ""},
		{"over a selection in an address", `<input id=i type=email value="ada@old.example">`, "(i.focus(),i.select())",
			driver.TypeText{Text: "ada@new.example"}, "ada@new.example", ""},
		{"completed inline", complete, "", driver.TypeText{Text: "al", Keys: true, Clear: true}, "Alabama", ""},
		{"completed to another", complete, "", driver.TypeText{Text: "alas", Keys: true, Clear: true}, "Alaska", ""},
		{"completed and not selected", `<input id=i oninput="this.value='Alabama'">`, "", driver.TypeText{Text: "Al", Clear: true}, "", `holds "Alabama"`},
		{"typed once", `<input id=i oninput="window.n=(window.n||0)+1;const v=this.value;this.value='';setTimeout(()=>{this.value=v},0)">`, "",
			driver.TypeText{Text: "Ada", Clear: true}, "Ada", ""},
		{"beforeinput refused", `<input id=i value=x onbeforeinput="event.preventDefault()">`, "", driver.TypeText{Text: "Ada", Clear: true}, "", `holds "x"`},
		{"beforeinput refused in an editor", `<div id=i contenteditable onbeforeinput="event.preventDefault()">x</div>`, "",
			driver.TypeText{Text: "Ada", Clear: true}, "", `holds "x"`},
		{"beforeinput refused when emptied", `<input id=i value=x onbeforeinput="event.preventDefault()">`, "", driver.TypeText{Clear: true}, "", `holds "x"`},
		{"beforeinput refused by a date", `<input id=i type=date value=2020-01-01 onbeforeinput="event.preventDefault()">`, "",
			driver.TypeText{Text: "2026-02-03", Clear: true}, "", `holds "2020-01-01"`},
		{"a read-only date", `<input id=i type=date readonly value=2020-01-01>`, "", driver.TypeText{Text: "2026-02-03", Clear: true}, "", "read-only"},
		{"a disabled colour", `<fieldset disabled><input id=i type=color></fieldset>`, "", driver.TypeText{Text: "#ff0000", Clear: true}, "", "disabled"},
		{"a veil over all of it", `<input id=i><div id=veil style="position:fixed;inset:0;background:#eee"></div>`, "",
			driver.TypeText{Text: "Ada", Clear: true}, "", "covered by div#veil"},
		{"transparent over its drawing", `<div style="position:relative;width:200px;height:30px">••<input id=i style="position:absolute;` +
			`inset:0;opacity:0"></div>`, "", driver.TypeText{Text: "42", Clear: true}, "42", ""},
		{"its own hint over it", `<div style="position:relative;width:200px"><input id=i style="width:200px">` +
			`<span style="position:absolute;left:0;top:0;width:200px;height:20px">Name</span></div>`, "", driver.TypeText{Text: "Ada", Clear: true}, "Ada", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := actPage(t, test.html)
			if test.prepare != "" {
				js(t, d, test.prepare)
			}
			test.action.Target = at(node(t, d, "#i"))
			ctx := deadline(t)
			if test.fails != "" {
				ctx = within(t, 3000)
			}
			_, err := d.Perform(ctx, test.action)
			if test.fails != "" {
				wantFault(t, err, fault.NotActed, test.fails)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want(t, "value", js(t, d, "i.value??i.innerText"), `"`+test.want+`"`)
			if test.name == "typed once" {
				want(t, "inputs", js(t, d, "n"), "1")
			}
		})
	}
}

// TestTypeIntoNothing: without a field and without the focus, typing fails at once.
func TestTypeIntoNothing(t *testing.T) {
	d := actPage(t, `<input id=i><button id=b>x</button>`)
	for _, focus := range []string{"0", "b.focus()"} {
		js(t, d, focus)
		began := time.Now()
		_, err := d.Perform(deadline(t), driver.TypeText{Text: "Ada"})
		if took := time.Since(began); took > testtime.Within(200*time.Millisecond) {
			t.Errorf("it took %s", took)
		}
		if fault.KindOf(err) != fault.NotActed || fault.HintOf(err) == "" {
			t.Errorf("err = %v", err)
		}
	}
	want(t, "value", js(t, d, "i.value"), `""`)
}

// TestTypeSaysWhatCovers: a field that is partly covered takes text, and the reply says what lies
// over it.
func TestTypeSaysWhatCovers(t *testing.T) {
	d := actPage(t, `<input id=i style="width:300px"><div id=banner style="position:absolute;left:100px;top:0;width:500px;height:100px;background:#eee"></div>`)
	e := perform(t, d, driver.TypeText{Target: at(node(t, d, "#i")), Text: "Ada", Clear: true})
	want(t, "value", js(t, d, "i.value"), `"Ada"`)
	if said := strings.Join(e.Retries, ";"); !strings.Contains(said, "partly covered by div#banner") {
		t.Errorf("said %q", said)
	}
}
