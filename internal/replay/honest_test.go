package replay

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/event"
)

// honest is a page, what a trail does on it, and how that must end. Each case is a way in which a replay tool can lie
// or give up; says is what the failure must tell.
type honest struct {
	name    string
	page    string
	calls   string // of one verify step after the navigation
	outcome event.Outcome
	says    string
}

const (
	seePaid   = `web_verifyTextVisible: {text: Paid}`
	clickSave = `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}`
	seeDone   = `web_verifyTextVisible: {text: Done once}`
	// counts says "Done once" after one click, and something else after more.
	counts = `<p id=o></p><script>let n=0;const done=()=>{n++;document.getElementById('o').textContent='Done '+(n===1?'once':n+' times')}</script>`
)

func whatPeopleSee() []honest {
	return []honest{
		{"text on the page", `<p>Paid</p>`, seePaid, event.Passed, ""},
		{"text in a longer word", `<p>Unpaid, Paidup</p>`, seePaid, event.Failed, "Paid"},
		{"text below the fold is scrolled to", `<div style="height:3000px"></div><p>Paid</p>`, seePaid, event.Passed, ""},
		{"transparent text", `<p style="opacity:0">Paid</p>`, seePaid, event.Failed, "transparent"},
		{"hidden text", `<p style="visibility:hidden">Paid</p>`, seePaid, event.Failed, ""},
		{"text off the page", `<p style="position:absolute;left:-9999px">Paid</p>`, seePaid, event.Failed, ""},
		{"text clipped away", `<div style="height:0;overflow:hidden"><p>Paid</p></div>`, seePaid, event.Failed, ""},
		{"text in a closed disclosure", `<details><summary>More</summary><p>Paid</p></details>`, seePaid, event.Failed, ""},
		{"text under something opaque", `<p>Paid</p><div style="position:fixed;inset:0;background:#fff"></div>`, seePaid, event.Failed, "covered"},
		{"text under a see-through layer", `<p>Paid</p><div style="position:fixed;inset:0;background:transparent;pointer-events:none"></div>`, seePaid, event.Passed, ""},
		{"text that comes late", `<p id=p></p><script>setTimeout(()=>{p.textContent='Paid'},700)</script>`, seePaid, event.Passed, ""},
		{"text in an iframe that comes late", `<script>setTimeout(()=>{const f=document.createElement('iframe');f.srcdoc='<p>Paid</p>';document.body.append(f)},400)</script>`, seePaid, event.Passed, ""},
		{"text in an open shadow root", `<x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'open'}).innerHTML='<p>Paid</p>'</script>`, seePaid, event.Passed, ""},
		{"text in a closed shadow root", `<x-y></x-y><script>document.querySelector('x-y').attachShadow({mode:'closed'}).innerHTML='<p>Paid</p>'</script>`, seePaid, event.Passed, ""},
	}
}

func whatActionsDo() []honest {
	return []honest{
		{"a click that works", `<button onclick="done()">Save</button>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a click without any effect", `<div role=button tabindex=-1 onmousedown="event.preventDefault()">Save</div><p>Done once</p>`, clickSave + "\n" + seeDone, event.Failed, "nothing changed"},
		{"a click without any effect beside a clock", `<div role=button tabindex=-1 onmousedown="event.preventDefault()">Save</div><p id=t></p><p>Done once</p><script>setInterval(()=>{t.textContent=Date.now()},60)</script>`,
			`web_wait: {seconds: 1}` + "\n" + clickSave + "\n" + seeDone, event.Failed, "nothing changed"},
		{"a click without any effect but that of the mouse on it", `<style>div{transition:background .6s}div:hover{background:#ddd}</style><div role=button tabindex=-1 onmousedown="event.preventDefault()">Save</div><p>Done once</p>`,
			clickSave + "\n" + seeDone, event.Failed, "nothing changed"},
		{"a click declared to have none", `<div role=button tabindex=-1 onmousedown="event.preventDefault()">Save</div><p>Done once</p>`,
			`web_click: {effect: none, nodeSelector: {web: {ariaRole: button, ariaNameRegex: Save}}}` + "\n" + seeDone, event.Passed, ""},
		{"a slow handler is waited for, not clicked again", `<button onclick="setTimeout(done,900)">Save</button>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a handler that blocks the page", `<button onclick="const t=Date.now();while(Date.now()-t<1500);done()">Save</button>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a disabled button", `<button disabled onclick="done()">Save</button>` + counts, clickSave, event.Failed, "disabled"},
		{"a button that becomes enabled", `<button disabled id=b onclick="done()">Save</button>` + counts + `<script>setTimeout(()=>{b.disabled=false},500)</script>`, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a covered button", `<button onclick="done()">Save</button><div id=veil style="position:fixed;inset:0;background:#eee"></div>` + counts, clickSave, event.Failed, "veil"},
		{"a cover that goes away", `<button onclick="done()">Save</button><div id=veil style="position:fixed;inset:0;background:#eee"></div>` + counts + `<script>setTimeout(()=>veil.remove(),600)</script>`, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a moving button is re-aimed", `<style>@keyframes m{from{margin-left:0}to{margin-left:600px}}button{animation:m .8s forwards}</style><button onclick="done()">Save</button>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a button under a sticky header", `<div style="position:sticky;top:0;height:120px;background:#ccc">Top</div><div style="height:1500px"></div><button onclick="done()">Save</button><div style="height:1500px"></div><script>scrollTo(0,1600)</script>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a button replaced when hovered", `<div id=h><button onclick="done()">Save</button></div>` + counts + `<script>h.onmouseover=()=>{if(!h.k){h.k=1;h.innerHTML='<button onclick="done()">Save</button>'}}</script>`, clickSave + "\n" + seeDone, event.Passed, ""},
		{"nodes that are replaced all the time", `<div id=h></div>` + counts + `<script>const r=()=>{h.innerHTML='<button onclick="done()">Save</button>'};r();const t=setInterval(r,120);setTimeout(()=>clearInterval(t),1500)</script>`, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a ticker neither hangs nor fails", `<p id=t></p><button onclick="done()">Save</button>` + counts + `<script>setInterval(()=>{t.textContent=Date.now()},30)</script>`, clickSave + "\n" + seeDone, event.Passed, ""},
		{"an endless animation neither hangs nor fails", `<style>@keyframes s{to{transform:rotate(1turn)}}i{display:inline-block;animation:s 1s linear infinite}</style><i>*</i><button onclick="done()">Save</button>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a click that raises a dialog does not hang", `<button onclick="alert('hi');done()">Save</button>` + counts, clickSave + "\n" + seeDone, event.Passed, ""},
		{"a link into an HTTP error", `<a href="/missing">Save</a>`, `web_click: {nodeSelector: {web: {ariaRole: link, ariaNameRegex: Save}}}`, event.Failed, "HTTP status 404"},
		{"a link into an HTTP error, as declared", `<a href="/missing">Save</a>`, `web_click: {expectStatus: 404, nodeSelector: {web: {ariaRole: link, ariaNameRegex: Save}}}` + "\nweb_verifyTextVisible: {text: Nothing here}", event.Passed, ""},
	}
}

func whatFieldsKeep() []honest {
	typeName := func(text string) string {
		return `web_type: {text: "` + text + `", nodeSelector: {web: {ariaRole: textbox, ariaNameRegex: Name}}}`
	}
	const see = "\nweb_verifyTextVisible: {text: Form}"
	return []honest{
		{"a plain field", `<p>Form</p><input aria-label=Name>`, typeName("Ada") + see, event.Passed, ""},
		{"a field that cuts off", `<p>Form</p><input aria-label=Name maxlength=2>`, typeName("Adalbert") + see, event.Failed, "Ad"},
		{"a field that formats", `<p>Form</p><input aria-label=Name oninput="this.value=this.value.replace(/\D/g,'').replace(/(.{4})(?=.)/g,'$1 ')">`, typeName("4242424242424242") + see, event.Passed, ""},
		{"a field that drops letters", `<p>Form</p><input aria-label=Name oninput="this.value=this.value.replace(/a/g,'')">`, typeName("banana") + see, event.Failed, "bnn"},
		{"a field that is cleared afterwards", `<p>Form</p><input aria-label=Name onchange="this.value=''" oninput="queueMicrotask(()=>{this.value=''})">`, typeName("Ada") + see, event.Failed, ""},
		{"a read-only field", `<p>Form</p><input aria-label=Name readonly value=x>`, typeName("Ada") + see, event.Failed, "read"},
		{"a page that steals the focus", `<p>Form</p><input aria-label=Name><input id=thief aria-label=Thief><script>document.querySelector('input').onfocus=()=>{if(!window.k){window.k=1;setTimeout(()=>thief.focus(),0)}}</script>`,
			typeName("Ada") + `
web_verifyValue: {type: VALUE, expected: Ada, nodeSelector: {web: {ariaRole: textbox, ariaNameRegex: Name}}}`, event.Passed, ""},
		{"a select without the option", `<p>Form</p><select aria-label=Name><option>A</select>`, `web_selectOption: {values: [B], nodeSelector: {web: {ariaRole: combobox}}}`, event.Failed, "B"},
		{"a select that jumps back", `<p>Form</p><select aria-label=Name onchange="this.selectedIndex=0"><option>A<option>B</select>`, `web_selectOption: {values: [B], nodeSelector: {web: {ariaRole: combobox}}}`, event.Failed, ""},
	}
}

func whoIsWho() []honest {
	rows := func(names ...string) string {
		var b strings.Builder
		b.WriteString(`<ul aria-label=Cart>`)
		for _, n := range names {
			b.WriteString(`<li><h3>` + n + `</h3><button onclick="document.getElementById('o').textContent='Gone: ` + n + `'">Delete</button></li>`)
		}
		return b.String() + `</ul><p id=o></p>`
	}
	deleteCup := `web_click: {nodeSelector: {web: {ariaRole: button, ariaNameRegex: Delete, nthIndex: 1}}, fingerprint: {role: button, name: Delete, alike: 2, near: ['heading "Cup"'], within: ['list "Cart"']}}` +
		"\nweb_verifyTextVisible: {text: 'Gone: Cup'}"
	return []honest{
		{"the recorded row", rows("Mug", "Cup", "Jar"), deleteCup, event.Passed, ""},
		{"the recorded row, moved: its neighbour is not clicked", rows("Mug", "Jar", "Pot"), deleteCup, event.Failed, "Cup"},
		{"css alone does not overrule role and name", `<button class=go>Buy</button><p>x</p>`, `web_click: {nodeSelector: {web: {cssSelector: .go, ariaRole: button, ariaNameRegex: Save}}}`, event.Failed, "Buy"},
	}
}

// TestHonestGreen plays every case on a real browser.
func TestHonestGreen(t *testing.T) {
	groups := map[string][]honest{"see": whatPeopleSee(), "act": whatActionsDo(), "fields": whatFieldsKeep(), "identity": whoIsWho()}
	pages := map[string]string{}
	for _, group := range groups {
		for _, h := range group {
			pages["/"+strings.ReplaceAll(h.name, " ", "-")] = "<!doctype html><title>t</title><body>" + h.page
		}
	}
	b := newBed(t, pages)
	for name, group := range groups {
		t.Run(name, func(t *testing.T) {
			for _, h := range group {
				t.Run(h.name, func(t *testing.T) { b.judge(t, h) })
			}
		})
	}
}

func (b *bed) judge(t *testing.T, h honest) {
	t.Helper()
	var text strings.Builder
	text.WriteString("config: {title: honest}\ntrail:\n  - step: Open\n    recording:\n      web:\n        - web_navigate: {url: \"{{base}}/" + strings.ReplaceAll(h.name, " ", "-") + "\"}\n")
	text.WriteString("  - step: Do\n    recording:\n      web:\n")
	for call := range strings.SplitSeq(h.calls, "\n") {
		text.WriteString("        - " + call + "\n")
	}
	out, _ := b.play(t, text.String())
	if out.Outcome != h.outcome {
		t.Fatalf("%s, want %s; failure: %+v", out.Outcome, h.outcome, out.Failure)
	}
	if h.says == "" {
		return
	}
	all := out.Failure.Message + out.Failure.Hint + strings.Join(out.Failure.Candidates, "\n") + strings.Join(out.Failure.Log, "\n")
	if !strings.Contains(all, h.says) {
		t.Errorf("the failure does not say %q: %+v", h.says, out.Failure)
	}
}
