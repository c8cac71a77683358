package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const sightPage = `
<h1>Orders</h1><p>Unpaid</p><p>Total: 5 €</p>
<label>Name <input id=n value=Ada></label><label>Password <input id=p type=password value=pw></label><input type=hidden id=h value=x>
<p id=transparent style="opacity:0">Ghost</p><p hidden>Nobody</p>
<details><summary>More</summary><p>Folded</p></details>
<div style="position:relative;height:30px"><p style="margin:0">Beneath</p><div style="position:absolute;inset:0;background:#fff"></div></div>
<div style="height:10px;width:100px;overflow:hidden"><p style="margin-top:50px">Clipped</p></div>
<p style="position:absolute;left:-9999px">Offpage</p>
<ul aria-label=Fruit><li>Apple<li>Pear</ul>
<a id=l href="/x" title=Tip>Link</a>
<div style="height:3000px"></div><p>Bottom</p>`

func TestVerifyTextVisible(t *testing.T) {
	t.Parallel()
	w := open(t, sightPage)
	for _, text := range []string{"Orders", "Unpaid", "Total", "5 €", "Total: 5", "Bottom"} {
		t.Run(text, func(t *testing.T) { w.do("web_verifyTextVisible", args{"text": text}) })
	}
	for _, text := range []string{"paid", "Paid", "Ghost", "Nobody", "Folded", "Beneath", "Clipped", "Offpage", "Order", "Nowhere"} {
		t.Run("not "+text, func(t *testing.T) {
			err := w.refuse(fault.Assertion, "web_verifyTextVisible", args{"text": text, "timeoutMs": 100})
			if d := fault.DetailOf(err); d == nil || !strings.Contains(d.Looked, text) {
				t.Errorf("detail = %+v, want what was looked for", d)
			}
		})
	}
}

func TestVerifyElementAndValue(t *testing.T) {
	t.Parallel()
	w := open(t, sightPage)
	w.do("web_verifyElementVisible", args{"ref": `heading "Orders"`})
	w.refuse(fault.Assertion, "web_verifyElementVisible", args{"ref": "css=#transparent", "timeoutMs": 100})
	pass := []args{
		{"ref": `heading "Orders"`, "expected": "Orders"},
		{"ref": `textbox "Name"`, "expected": "Ada"},
		{"type": "VALUE", "ref": `textbox "Name"`, "expected": "Ada"},
		{"type": "value", "ref": `textbox "Password"`, "expected": "pw"},
		{"type": "ATTRIBUTE", "attribute": "title", "ref": `link "Link"`, "expected": "Tip"},
	}
	for _, a := range pass {
		w.do("web_verifyValue", a)
	}
	fail := []args{
		{"ref": `heading "Orders"`, "expected": "Order"},
		{"type": "VALUE", "ref": `textbox "Name"`, "expected": "Ad"},
		{"type": "VALUE", "ref": `textbox "Password"`, "expected": "other"},
		{"type": "ATTRIBUTE", "attribute": "title", "ref": `link "Link"`, "expected": "T"},
		{"type": "ATTRIBUTE", "attribute": "none", "ref": `link "Link"`, "expected": "T"},
	}
	for _, a := range fail {
		a["timeoutMs"] = 100
		w.refuse(fault.Assertion, "web_verifyValue", a)
	}
	w.refuse(fault.Invalid, "web_verifyValue", args{"type": "ATTRIBUTE", "ref": `link "Link"`, "expected": "x"})

	w.js(`setTimeout(() => { n.value = 'Grace' }, 300)`)
	w.do("web_verifyValue", args{"type": "VALUE", "ref": `textbox "Name"`, "expected": "Grace"})
}

func TestVerifyList(t *testing.T) {
	t.Parallel()
	w := open(t, sightPage)
	w.do("web_verifyListVisible", args{"items": []string{"Pear", "Apple"}, "ref": `list "Fruit"`})
	w.do("web_verifyListVisible", args{"items": []string{"Orders", "Apple"}})
	w.refuse(fault.Assertion, "web_verifyListVisible", args{"items": []string{"Apple", "Orders"}, "ref": `list "Fruit"`, "timeoutMs": 100})
	w.refuse(fault.Assertion, "web_verifyListVisible", args{"items": []string{"Apple"}, "ref": `list "Nope"`, "timeoutMs": 100})
}

func TestAssertVisible(t *testing.T) {
	t.Parallel()
	w := open(t, sightPage)
	w.do("assertVisible", args{"ref": w.ref(`link "Link"`), "expectedText": "Link"})
	if rec := w.last.Record; rec.Name != "assertVisibleBySelector" || strings.Contains(string(rec.Args), `"ref"`) {
		t.Errorf("recorded %s %s, want assertVisibleBySelector without ref", rec.Name, rec.Args)
	}
	var a args
	if err := json.Unmarshal(w.last.Record.Args, &a); err != nil {
		t.Fatal(err)
	}
	w.do("assertVisibleBySelector", a)
	w.do("assertVisible", args{"text": "Total"}) // R30
	w.do("assertVisible", args{"id": "l"})
	w.do("assertVisible", args{"ref": `heading "Orders"`, "expectedText": "Ord", "textMatchMode": "PREFIX"})
	w.do("assertVisible", args{"ref": `heading "Orders"`, "expectedText": "O.*s", "textMatchMode": "REGEX"})
	w.refuse(fault.Assertion, "assertVisible", args{"ref": `heading "Orders"`, "expectedText": "orders", "timeoutMs": 100})
	w.refuse(fault.Assertion, "assertVisible", args{"text": "Ghost", "timeoutMs": 100})
	w.do("assertVisibleWithText", args{"text": "Orders"})
	w.do("assertVisibleWithAccessibilityText", args{"accessibilityText": "Fruit"})
	w.do("assertVisibleWithResourceId", args{"resourceId": "l"})
	w.refuse(fault.Assertion, "assertVisibleWithResourceId", args{"resourceId": "transparent", "timeoutMs": 100})
}

func TestAssertNotVisible(t *testing.T) {
	t.Parallel()
	w := open(t, sightPage)
	heading := args{"web": args{"ariaRole": "heading", "ariaNameRegex": "Orders"}}
	w.do("assertNotVisibleWithText", args{"text": "Paid"})
	w.do("assertNotVisibleWithText", args{"text": "Ghost"})
	w.refuse(fault.Assertion, "assertNotVisibleWithText", args{"text": "Orders", "timeoutMs": 100})
	w.refuse(fault.Assertion, "assertNotVisibleBySelector", args{"nodeSelector": heading, "timeoutMs": 100})
	w.refuse(fault.Assertion, "assertNotVisibleWithText", args{"text": "Bottom", "timeoutMs": 100}) // scrolling shows it
	w.js(`setTimeout(() => document.querySelector('h1').remove(), 300)`)
	w.do("waitUntilNotVisible", args{"nodeSelector": heading})
	w.do("assertNotVisibleBySelector", args{"nodeSelector": heading})
}

func TestWaits(t *testing.T) {
	t.Parallel()
	w := open(t, `<p id=p>Start</p>`)
	w.js(`setTimeout(() => { p.textContent = 'Ready' }, 300)`)
	w.do("waitUntilVisible", args{"text": "Ready"}) // R31
	w.refuse(fault.Assertion, "waitUntilVisible", args{"text": "Never", "timeoutMs": 100})
	w.js(`setTimeout(() => { p.innerHTML = '<b id=b>Bold</b>' }, 300)`)
	w.do("waitForSelector", args{"selector": "#b"}) // R35
	w.refuse(fault.Assertion, "waitForSelector", args{"selector": "#nope", "timeoutMs": 100})
	// Many changes may come before the wait, and what changes one node again and again is a clock, which is no news.
	w.js(`window.ticks = setInterval(() => { document.body.append(document.createElement('i')) }, 400)`)
	w.do("waitForChange", args{"quietWindowMs": 100})
	w.js(`clearInterval(ticks)`)
	w.refuse(fault.Assertion, "waitForChange", args{"timeoutMs": 300})
	w.do("waitForChange", args{"timeoutMs": 1000, "requireChange": false, "quietWindowMs": 50})

	began := time.Now()
	w.do("wait", args{"timeToWaitInSeconds": 1})
	w.do("web_wait", args{"seconds": 0}) // clamped to 1, as upstream does
	if took := time.Since(began); took < 2*time.Second {
		t.Errorf("two waits of a second took %s", took)
	}
	if w.last.Evidence == nil || w.last.Evidence.None == "" {
		t.Error("a wait declares no reason for having no effect")
	}
}
