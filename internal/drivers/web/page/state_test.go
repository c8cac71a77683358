package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestStates proves every state of screen.State against the markup that gives it.
func TestStates(t *testing.T) {
	const can = screen.Clickable | screen.Focusable
	const field = can | screen.Editable
	tests := []struct {
		name, html string
		want       screen.State
	}{
		{"button", `<button id=x>b</button>`, can},
		{"disabled button", `<button id=x disabled>b</button>`, screen.Disabled | screen.Clickable},
		{"disabled by fieldset", `<fieldset disabled><button id=x>b</button></fieldset>`, screen.Disabled | screen.Clickable},
		{"aria-disabled", `<button id=x aria-disabled=true>b</button>`, can | screen.Disabled},
		{"aria-disabled around", `<div aria-disabled=true><button id=x>b</button></div>`, can | screen.Disabled},
		{"text field", `<input id=x>`, field},
		{"read-only field", `<input id=x readonly>`, can | screen.ReadOnly},
		{"required field", `<input id=x required>`, field | screen.Required},
		{"aria-required", `<input id=x aria-required=true>`, field | screen.Required},
		{"aria-invalid", `<input id=x aria-invalid=true>`, field | screen.Invalid},
		{"aria-invalid spelling", `<input id=x aria-invalid=spelling>`, field | screen.Invalid},
		{"untouched required field is not invalid", `<input id=x required value="">`, field | screen.Required},
		{"textarea", `<textarea id=x></textarea>`, field | screen.Multiline},
		{"contenteditable", `<div id=x contenteditable>e</div>`, field | screen.Multiline},
		{"single-line contenteditable", `<div id=x role=textbox aria-multiline=false contenteditable>e</div>`, field},
		{"aria-multiline", `<div id=x role=textbox aria-multiline=true tabindex=0>e</div>`, can | screen.Multiline},
		{"password", `<input id=x type=password value=s>`, field | screen.Password | screen.Masked},
		{"one-time code", `<input id=x autocomplete="one-time-code" value=123>`, field | screen.Masked},
		{"card number", `<input id=x autocomplete="billing cc-number" value=123>`, field | screen.Masked},
		{"dotted text", `<input id=x style="-webkit-text-security:disc" value=123>`, field | screen.Masked},
		{"checkbox", `<input id=x type=checkbox>`, can | screen.Checkable},
		{"checked", `<input id=x type=checkbox checked>`, can | screen.Checkable | screen.Checked},
		{"mixed", `<input id=x type=checkbox><script>x.indeterminate=true</script>`, can | screen.Checkable | screen.Mixed},
		{"radio", `<input id=x type=radio checked>`, can | screen.Checkable | screen.Checked},
		{"aria checkbox", `<div id=x role=checkbox aria-checked=mixed>c</div>`, screen.Clickable | screen.Checkable | screen.Mixed},
		{"switch", `<button id=x role=switch aria-checked=true>s</button>`, can | screen.Checkable | screen.Checked},
		{"pressed", `<button id=x aria-pressed=true>p</button>`, can | screen.Pressed},
		{"half pressed", `<button id=x aria-pressed=mixed>p</button>`, can | screen.Mixed},
		{"selected tab", `<div id=x role=tab aria-selected=true tabindex=0>t</div>`, can | screen.Selected},
		{"selected option", `<select size=2><option>a<option id=x selected>b</select>`, screen.Clickable | screen.Selected},
		{"expanded", `<button id=x aria-expanded=true>e</button>`, can | screen.Expandable | screen.Expanded},
		{"collapsed", `<button id=x aria-expanded=false>e</button>`, can | screen.Expandable},
		{"summary", `<details><summary id=x>s</summary></details>`, can | screen.Expandable},
		{"summary open", `<details open><summary id=x>s</summary></details>`, can | screen.Expandable | screen.Expanded},
		{"drop-down", `<select id=x><option>a</select>`, can | screen.Expandable},
		{"list box", `<select id=x multiple><option>a</select>`, can},
		{"popover button", `<button id=x popovertarget=p>b</button><div id=p popover>p</div>`, can | screen.Expandable},
		{"has popup", `<button id=x aria-haspopup=menu>b</button>`, can | screen.HasPopup},
		{"focused", `<button id=x autofocus>b</button><script>x.focus()</script>`, can | screen.Focused},
		{"modal", `<dialog id=x>m<script>x.showModal()</script></dialog>`, screen.Modal | screen.Focused},
		{"aria-modal", `<div id=x role=dialog aria-modal=true>m</div>`, screen.Modal},
		{"not modal", `<dialog id=x open>m</dialog>`, 0},
		{"busy", `<div id=x aria-busy=true>b</div>`, screen.Busy},
		{"current", `<a id=x href="#" aria-current=page>a</a>`, can | screen.Current},
		{"not current", `<a id=x href="#" aria-current=false>a</a>`, can},
		{"draggable", `<p id=x draggable=true>d</p>`, screen.Draggable | screen.Clickable},
		{"landmark", `<nav id=x>n</nav>`, screen.Landmark},
		{"handler", `<span id=x onclick="1">s</span>`, screen.Clickable},
		{"pointer cursor", `<span id=x style="cursor:pointer">s</span>`, screen.Clickable},
		{"inherited pointer cursor", `<div style="cursor:pointer"><span id=x>s</span> t</div>`, 0},
		{"tabindex", `<div id=x tabindex=0>d</div>`, can},
		{"label of a control", `<label id=x for=i>l</label><input id=i>`, screen.Clickable},
		{"label of nothing", `<label id=x>l</label>`, 0},
		{"plain text", `<p id=x>p</p>`, 0},
		{"anchor without href", `<a id=x>a</a>`, 0},
	}
	l := newLab(t)
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			l.TB = t
			if got := find(t, l.show(tc.html), "x").State; got != tc.want {
				t.Errorf("state of %s = %b, want %b (differs in %b)", tc.html, got, tc.want, got^tc.want)
			}
		})
	}
	l.TB = t
}

// TestNodeFacts proves values, ranges, levels, options, descriptions and native words.
func TestNodeFacts(t *testing.T) {
	l := newLab(t)
	l.show(`<input id=sp value="  two  spaces "><textarea id=ta>line
 two	tab \n</textarea><input id=pw type=password value=topsecret><h3 id=h3>h</h3><div id=hl role=heading aria-level=7>h</div>
<input id=rg type=range min=10 max=20 step=2 value=14><input id=nm type=number min=1 value=3><progress id=pg value=.25></progress><div
id=sl role=slider aria-valuemin=1 aria-valuemax=9 aria-valuenow=4 aria-valuetext="four stars" tabindex=0></div>
<select id=se><option>One<option selected>Two  x</select><select id=mu multiple><option selected>A<option selected>B<option>C</select>
<button id=de aria-describedby=d1 title=tip>b</button><p id=d1>Described</p><a id=li href="/path?q=1" data-testid=tt>l</a><input id=ph
type=search placeholder="Find it"><div id=ed contenteditable>one<br>two</div>
<p id=mix>before <b>bold</b> after</p><pre id=pre>  keep
  this</pre><input id=toggle type=password value=hidden1>`)
	l.js(`toggle.type = 'text'`)
	root := l.capture()
	if raw := l.raw(true); strings.Contains(raw, "topsecret") || strings.Contains(raw, "hidden1") {
		t.Error("a password left the page")
	}
	type facts struct {
		Value, Text, Desc string
		Level             int
		Range             *screen.Range
	}
	want := map[string]facts{
		"sp": {Value: "  two  spaces "}, "ta": {Value: "line\n two\ttab \\n"}, "pw": {}, "toggle": {}, "h3": {Text: "h", Level: 3}, "hl": {Text: "h", Level: 7},
		"rg": {Value: "14", Range: &screen.Range{Min: 10, Max: 20, Now: 14, Step: 2}}, "nm": {Value: "3", Range: &screen.Range{Min: 1, Now: 3, Step: 1}},
		"pg": {Value: "0.25", Range: &screen.Range{Max: 1, Now: .25}}, "sl": {Value: "four stars", Range: &screen.Range{Min: 1, Max: 9, Now: 4}},
		"se": {Value: "Two x"}, "mu": {Value: "A, B"}, "de": {Text: "b", Desc: "Described"}, "li": {Text: "l"}, "ph": {},
		"ed": {Value: "one\ntwo"}, "pre": {Text: "  keep\n  this"},
	}
	for id, w := range want {
		n := find(t, root, id)
		if d := cmp.Diff(w, facts{n.Value, n.Text, n.Description, n.Level, n.Range}); d != "" {
			t.Errorf("#%s (-want +got):\n%s", id, d)
		}
	}
	if d := cmp.Diff(&screen.Web{Tag: "a", TestID: "tt", HTMLID: "li", Href: "/path?q=1", CSS: `[data-testid="tt"]`},
		find(t, root, "li").Native.(*screen.Web)); d != "" {
		t.Errorf("link (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"One", "Two x"}, find(t, root, "se").Native.(*screen.Web).Options); d != "" {
		t.Errorf("options (-want +got):\n%s", d)
	}
	if n := find(t, root, "ph").Native.(*screen.Web); n.Placeholder != "Find it" || n.InputType != "search" {
		t.Errorf("search field = %+v", n)
	}
	var kids []string
	for _, c := range find(t, root, "mix").Children {
		kids = append(kids, c.Role+":"+c.Name+"/"+c.Text)
	}
	if d := cmp.Diff([]string{"text:before /", "generic:/bold", "text: after/"}, kids); d != "" {
		t.Errorf("mixed content (-want +got):\n%s", d)
	}
}

// TestValueSetByScript proves that a value, check mark or choice set by script without any event
// reaches the next delta, and whatever quotes it.
func TestValueSetByScript(t *testing.T) {
	l := newLab(t)
	l.show(`<input id=i><input id=c type=checkbox><select id=s><option>A<option>B</select><label for=z>Say <input id=q value=old></label><button id=z>x</button>`)
	l.js(`i.value='typed'; c.checked=true; s.selectedIndex=1; q.value='new'`)
	root := l.capture()
	if v := find(t, root, "i").Value; v != "typed" {
		t.Errorf("input = %q", v)
	}
	if !find(t, root, "c").State.Has(screen.Checked) {
		t.Error("checkbox is not checked")
	}
	if v := find(t, root, "s").Value; v != "B" {
		t.Errorf("select = %q", v)
	}
	if n := find(t, root, "z").Name; n != "Say new" {
		t.Errorf("name that quotes a value = %q", n)
	}
}
