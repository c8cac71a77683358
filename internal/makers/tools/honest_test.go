package tools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime"
)

// A framework that replaces its nodes all the time is clicked once, and on the node that is there then.
func TestReplacedNodesAreClickedOnce(t *testing.T) {
	t.Parallel()
	life := testtime.Within(20 * time.Millisecond) // 40 ms on an idle machine, more under load: finding and clicking a node takes longer then
	w := open(t, fmt.Sprintf(`<div id=app></div><p id=out>0</p><script>
	let n = 0;
	function render() { app.innerHTML = '<button>Count</button>'; app.firstChild.onclick = () => { out.textContent = ++n } }
	render(); setInterval(render, %d);</script>`, life.Milliseconds()))
	for i := range 5 {
		w.do("web_click", args{"ref": `button "Count"`})
		w.is(`out.textContent`, string(rune('1'+i)))
	}
}

// A page that never rests neither hangs nor fails anything.
func TestTickingPage(t *testing.T) {
	t.Parallel()
	w := open(t, `<p id=tick></p><button onclick="out.textContent='done'">Go</button><p id=out></p>
	<script>setInterval(() => { tick.textContent = performance.now() }, 16)</script>`)
	began := time.Now()
	w.do("web_click", args{"ref": `button "Go"`})
	w.do("web_verifyTextVisible", args{"text": "done"})
	w.do("assertNotVisibleWithText", args{"text": "Loading"})
	w.refuse(fault.Assertion, "web_verifyTextVisible", args{"text": "Nope", "timeoutMs": 500})
	if took := time.Since(began); took > testtime.Within(15*time.Second) {
		t.Errorf("four calls on a ticking page took %s", took)
	}
}

// A page that ticks does not make a dead button look alive.
func TestDeadButtonOnATickingPage(t *testing.T) {
	t.Parallel()
	w := open(t, `<p id=tick></p><button id=b>Dead</button><script>setInterval(() => { tick.textContent = performance.now() }, 16)</script>`)
	w.js(`new Promise(r => setTimeout(() => r(b.focus()), 1500))`) // long enough for the driver to know the page
	w.do("web_click", args{"ref": `button "Dead"`})
	if e := w.last.Evidence.Effect; e.Changes.Any() {
		t.Errorf("effect of a dead button = %+v", e)
	}
}

// A page that changes its address now and then by itself does not make a dead button look alive, whether or not the address
// changes while the button is pressed.
func TestDeadButtonOnARoamingPage(t *testing.T) {
	t.Parallel()
	w := open(t, `<button id=b>Dead</button><script>let n=0;setInterval(() => { location.hash = ++n }, 400)</script>`)
	w.js(`new Promise(r => setTimeout(() => r(b.focus()), 2500))`) // long enough for the driver to know the page
	for range 2 {
		w.do("web_click", args{"ref": `button "Dead"`})
		if e := w.last.Evidence.Effect; e.Changes.Any() {
			t.Errorf("effect of a dead button = %+v", e)
		}
	}
}

func TestShadowTrees(t *testing.T) {
	t.Parallel()
	w := open(t, `<x-open></x-open><x-closed></x-closed><p id=out></p><script>
	for (const mode of ['open', 'closed']) customElements.define('x-' + mode, class extends HTMLElement {
	  connectedCallback() { const r = this.attachShadow({mode});
	    r.innerHTML = '<label>Name ' + mode + ' <input></label><button>Go ' + mode + '</button>';
	    r.querySelector('button').onclick = () => { out.textContent = mode + ' ' + r.querySelector('input').value } } })</script>`)
	for _, mode := range []string{"open", "closed"} {
		w.do("web_type", args{"ref": `textbox "Name ` + mode + `"`, "text": "Ada"})
		w.do("web_click", args{"ref": `button "Go ` + mode + `"`})
		w.do("web_verifyTextVisible", args{"text": mode + " Ada"})
	}
}

func TestForeignAndLateFrames(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(html(`<label>Card <input></label><button onclick="this.textContent='Paid '+document.querySelector('input').value">Pay</button>`))
	defer other.Close()
	foreign := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	w := open(t, `<h1>Checkout</h1><script>setTimeout(() => { const f = document.createElement('iframe'); f.title = 'Payment'; f.src = '`+
		foreign+`'; document.body.append(f) }, 400)</script>`)
	w.do("web_type", args{"ref": `textbox "Card"`, "text": "4242"})
	w.do("web_click", args{"ref": `button "Pay"`})
	w.do("web_verifyTextVisible", args{"text": "Paid 4242"})

	t.Run("a secret for the page is not typed into the frame", func(t *testing.T) {
		w.mem.SetSecret("token", "t0ps3cret")
		w.mem.BindOrigin("token", w.server.URL)
		w.refuse(fault.Denied, "web_fillSecret", args{"ref": `textbox "Card"`, "name": "token"})
	})
}

func TestCoveredAndMovingElements(t *testing.T) {
	t.Parallel()
	w := open(t, `<button id=b onclick="out.textContent='clicked'">Save</button>
	<div id=veil style="position:fixed;inset:0;background:#0008"></div><p id=out></p>`)
	err := w.refuse(fault.NotActed, "web_click", args{"ref": `button "Save"`, "timeoutMs": 600})
	if d := fault.DetailOf(err); d == nil && !strings.Contains(err.Error(), "veil") {
		t.Errorf("error = %v, want what is in the way", err)
	}
	w.is(`out.textContent`, "")
	w.js(`setTimeout(() => veil.remove(), 500)`)
	w.do("web_click", args{"ref": `button "Save"`}) // waits until the veil is gone
	w.is(`out.textContent`, "clicked")
}

func TestLateEffectOnAPage(t *testing.T) {
	t.Parallel()
	w := open(t, `<button onclick="setTimeout(() => { out.textContent = 'late' }, 250)">Slow</button><button>Dead</button><p id=out></p>`)
	w.js(`document.querySelectorAll('button')[0].focus()`) // or the focus is an effect already
	w.do("web_click", args{"ref": `button "Slow"`})
	if e := w.last.Evidence.Effect; !e.Changes.Any() {
		t.Errorf("effect = %+v, want the late change seen", e)
	}
	w.is(`out.textContent`, "late")
	w.js(`document.querySelectorAll('button')[1].focus()`)
	w.saw(w.do("web_click", args{"ref": `button "Dead"`}), "Nothing observable changed.")
	if e := w.last.Evidence.Effect; e.Changes.Any() {
		t.Errorf("effect of a dead button = %+v", e)
	}
}

// Two tools that mean one thing agree on what a person sees.
func TestAssertionsAndQueriesAgree(t *testing.T) {
	t.Parallel()
	w := open(t, sightPage, map[string]http.HandlerFunc{})
	for _, text := range []string{"Orders", "Ghost", "Folded", "Beneath", "Clipped", "Offpage", "Nobody", "Bottom"} {
		has := w.do("hasText", args{"text": text}) == "true"
		_, visible := w.call("web_verifyTextVisible", args{"text": text, "timeoutMs": 50})
		_, absent := w.call("assertNotVisibleWithText", args{"text": text, "timeoutMs": 50})
		if has != (visible == nil) || has == (absent == nil) {
			t.Errorf("%q: hasText %t, verify %v, not visible %v", text, has, visible, absent)
		}
	}
}

// TestThrowingHandlerIsNoEffect proves that a reply says of a click whose handler throws that nothing changed, also
// when the page reports the error to a server, and that what the handler did before is an effect.
func TestThrowingHandlerIsNoEffect(t *testing.T) {
	t.Parallel()
	w := open(t, `<button onclick="throw new Error('no basket')">Export</button><button onclick="out.textContent='sent';throw new Error('no basket')">Send</button>
	<p id=out></p><script>onerror = () => { fetch('/report', {method: 'POST'}) }</script>`)
	w.saw(w.do("web_click", args{"ref": `button "Export"`}), "Nothing observable changed but the focus, and the page reported an error.")
	if e := w.last.Evidence.Effect; e.Changes.Any() || len(e.Errors) != 1 || !strings.Contains(e.Errors[0], "no basket") {
		t.Errorf("effect = %+v, want none and the error", e)
	}
	w.do("web_click", args{"ref": `button "Send"`})
	if e := w.last.Evidence.Effect; !e.Changes.Any() || len(e.Errors) > 0 {
		t.Errorf("effect = %+v, want the text and no word of the error", e)
	}
}
