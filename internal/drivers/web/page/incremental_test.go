package page_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trailblaze-dev/trailblaze/internal/drivers/web/page"
)

// mutator changes the page at random; op(seed) makes one change and says what it did.
const mutator = `
(() => {
let s = 1;
const rnd = (n) => { s ^= s << 13; s ^= s >>> 17; s ^= s << 5; return (s >>> 0) % n; };
const pick = (a) => a[rnd(a.length)];
const words = 'Save Cancel Order Name Total Price Help Open Close Region'.split(' ');
const tags = 'div span p a button input label h2 ul li section header table tr td th select option details summary ' +
 'fieldset legend img svg textarea form nav article q b slot dialog figure figcaption'.split(' ');
const sheet = document.createElement('style');
sheet.textContent = '.none{display:none}.inv{visibility:hidden}.vis{visibility:visible}.block{display:block}.flex{display:flex}' +
 '.ptr{cursor:pointer}.clear{opacity:0}' +
 '.clip{overflow:hidden;height:20px;width:40px}.scroll{overflow:auto;height:30px;width:90px}' +
 '.abs{position:absolute;left:300px;top:40px}.fix{position:fixed;right:0;bottom:0;background:#fff}.off{position:absolute;left:-9000px}' +
 '.pre::before{content:"pre "}.post::after{content:" post";display:inline-block}.a .x{display:none}' +
 '.a + .b{visibility:hidden}[data-k="1"]{cursor:pointer}.ghost{pointer-events:none}' +
 'input:checked + *{opacity:0}:focus{position:relative}li:nth-child(3){visibility:hidden}' +
 '.cover{position:absolute;left:0;top:0;width:600px;height:200px;background:#000;z-index:3}';
document.head.append(sheet);
const classes = 'none inv vis block flex ptr clear clip scroll abs fix off pre post a x b ghost cover'.split(' ');
const all = () => { const out = []; const w = (r) => { for (const e of r.querySelectorAll('*')) { out.push(e);
if (e.shadowRoot) w(e.shadowRoot); } }; w(document.body); return out; };
const any = () => pick(all().length ? all() : [document.body]);
let n = 0;
const make = () => {
  const e = document.createElement(pick(tags));
  if (rnd(2)) e.textContent = pick(words) + ' ' + (n++);
  if (rnd(3) === 0) e.id = 'i' + rnd(12);
  if (rnd(3) === 0) e.className = pick(classes);
  if (e.localName === 'a') e.href = '#';
  return e;
};
const attrs = {
  class: () => pick(classes) + ' ' + pick(classes), id: () => 'i' + rnd(12), style: () => pick(['display:none', 'visibility:hidden',
'opacity:0', 'cursor:pointer', 'display:inline-block', '', 'position:fixed;top:0', 'overflow:hidden;height:5px']),
  role: () => pick(['button', 'none', 'list', 'heading', 'presentation', 'link', 'region', 'grid', 'row', 'textbox', '']),
'aria-label': () => pick(['', pick(words)]), 'aria-labelledby': () => 'i' + rnd(12) + ' i' + rnd(12),
  'aria-describedby': () => 'i' + rnd(12), 'aria-hidden': () => pick(['true', 'false']), for: () => 'i' + rnd(12), hidden: () => '',
disabled: () => '', title: () => pick(words), open: () => '', tabindex: () => '0',
  alt: () => pick(['', 'Alt']), href: () => '#x', 'data-k': () => String(rnd(2)), slot: () => pick(['', 's1']),
'aria-expanded': () => pick(['true', 'false']), contenteditable: () => 'true', 'aria-owns': () => 'i' + rnd(12),
  type: () => pick(['text', 'checkbox', 'password', 'range', 'submit']), placeholder: () => pick(words), value: () => pick(words),
scope: () => 'col', 'aria-disabled': () => 'true', draggable: () => 'true', name: () => 's1', 'data-testid': () => 't' + rnd(5),
};
const ops = {
  add: () => { const p = any(), e = make(); p.insertBefore(e, p.childNodes[rnd(p.childNodes.length + 1)] || null);
return 'add ' + e.localName + ' to ' + p.localName; },
  addDeep: () => { const e = make(), f = make(), g = make(); e.append(f, pick(words), g); any().append(e); return 'add 3'; },
  remove: () => { if (all().length > 25) { const e = any(); e.remove(); return 'remove ' + e.localName; } return ops.add(); },
  move: () => { const e = any(), p = any(); if (!e.contains(p)) p.append(e); return 'move ' + e.localName + ' into ' + p.localName; },
  attr: () => { const e = any(), a = pick(Object.keys(attrs)); e.setAttribute(a, attrs[a]());
return 'set ' + e.localName + ' ' + a + '=' + e.getAttribute(a); },
  attr2: () => ops.attr(), attr3: () => ops.attr(),
  unattr: () => { const e = pick(all().filter((x) => x.attributes.length)) ?? document.body; const a = e.attributes[0];
if (a) e.removeAttribute(a.name); return 'unset ' + e.localName + ' ' + (a && a.name); },
  text: () => { const t = []; const w = document.createTreeWalker(document.body, 4); while (w.nextNode()) t.push(w.currentNode);
if (!t.length) return ops.add(); const x = pick(t); x.data = pick(['', '  ', pick(words), pick(words) + '\n two']);
return 'text in ' + x.parentNode.localName; },
  addText: () => { any().append(pick(words)); return 'add text'; },
  html: () => { const e = any(); if (all().length < 40)
    e.innerHTML = '<b>x</b> and <i id=i' + rnd(12) + '>y</i><label for=i' + rnd(12) + '>lab</label>'; return 'html in ' + e.localName; },
  value: () => { const e = pick([...document.querySelectorAll('input,textarea')]);
if (e && e.type !== 'file') e.value = pick(words) + rnd(9); return 'value ' + (e && e.type); },
  check: () => { const e = pick([...document.querySelectorAll('input[type=checkbox]')]); if (e) { e.checked = !e.checked; } return 'check'; },
  select: () => { const e = pick([...document.querySelectorAll('select')]); if (e) e.selectedIndex = rnd(e.length + 1) - 1; return 'select'; },
  focus: () => { const e = any(); e.focus({ preventScroll: true }); return 'focus ' + e.localName; },
  scroll: () => { const e = pick([document.scrollingElement, ...document.querySelectorAll('.scroll')]); e.scrollTop += rnd(60); return 'scroll'; },
  shadow: () => { const e = pick([...document.querySelectorAll('div,span,section')].filter((x) => !x.shadowRoot));
    if (e && document.querySelectorAll('*').length > 15) { e.attachShadow({ mode: 'open' }).innerHTML =
    '<p>in <slot name=s1>fallback</slot></p><slot></slot><button>Inner</button><style>.none{display:none}p{cursor:pointer}</style>'; } return 'shadow'; },
  rule: () => { sheet.sheet.insertRule(pick(['h2{display:none}', '.b{cursor:pointer}', 'li{visibility:visible}', 'p::before{content:"r"}',
    'td{opacity:0}']), 0); return 'insertRule'; },
  unrule: () => { if (sheet.sheet.cssRules.length > 15) sheet.sheet.deleteRule(0); return 'deleteRule'; },
  open: () => { const e = pick([...document.querySelectorAll('dialog')]); if (e) { try {
e.open ? e.close() : rnd(2) ? e.showModal() : e.show(); } catch {} } return 'dialog'; },
  title: () => { document.title = pick(words); return 'title'; },
  normalize: () => { any().normalize(); return 'normalize'; },
};
globalThis.op = (seed, k) => { s = seed * 7919 + k * 104729 + 1; rnd(2); rnd(2); const log = []; for (let i = 0, m = 1 + rnd(3); i < m;
i++) { try { log.push(ops[pick(Object.keys(ops))]()); } catch (e) { log.push('failed: ' + e.message); } } const f = document.activeElement;
if (f && f !== document.body && !f.checkVisibility({ visibilityProperty: true })) f.blur(); return log.join('; '); };
})()`

// seeds is how many random histories are tried; PAGE_SEEDS asks for more than the few of every run.
func seeds() int {
	if n, err := strconv.Atoi(os.Getenv("PAGE_SEEDS")); err == nil {
		return n
	}
	return 8
}

// TestIncrementalEqualsFull proves that a mirror kept by deltas is what a capture from scratch
// gives, after random changes of every kind: nodes, text, attributes, styles, values, focus,
// scrolling, shadow trees, sheets.
func TestIncrementalEqualsFull(t *testing.T) {
	l := newLab(t)
	for seed := 1; seed <= seeds(); seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			l.TB = t
			spacer := ""
			if seed%3 == 0 { // most of it off screen, where clean parts are passed over
				spacer = `<div style="height:900px"></div>`
			}
			l.load(`<!doctype html><title>R</title><body>` + spacer +
				`<main id=i1><h2>Start</h2><form aria-label=F><label for=i2>Name</label><input id=i2><select><option>A<option>B</select><input
type=checkbox><span>after</span></form>
<ul><li>one<li>two<li>three <a href="#">link</a></ul><table><tr><th>H<th>I<tr><td>c<td>d</table><div
class=scroll><p>tall<br>tall<br>tall<br>tall</p></div></main><details><summary>More</summary><p>inside</p></details>
<section><h2>A</h2><ul><li>x <b>y</b><li>z</ul></section><section><h2>B</h2><p>some <a href=#>text</a></p><div><div><p>deep</p></div></div></section>`)
			l.js(mutator)
			l.capture()
			var log []string
			deltas := 0
			for k := range 40 {
				var what string
				if err := json.Unmarshal(l.js(fmt.Sprintf("op(%d,%d)", seed, k)), &what); err != nil {
					t.Fatal(err)
				}
				log = append(log, what)
				raw := l.raw(false)
				if f := strings.SplitN(raw, "\t", 4); f[2] != "0" {
					deltas++
				}
				if err := l.doc.Apply(raw); err != nil {
					t.Fatalf("apply: %v\n%s", err, strings.Join(log, "\n"))
				}
				if seed%2 == 0 && k%4 != 3 {
					continue // let several deltas pile up
				}
				got := l.doc.Tree()
				var fresh page.Document
				full := l.raw(true)
				if err := fresh.Apply(full); err != nil {
					t.Fatal(err)
				}
				want := fresh.Tree()
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("after %d steps (%s) a delta differs from a fresh capture (-fresh +delta):\n%s\nhistory:\n%s\ndelta:\n%s", k+1, what, d,
						strings.Join(log, "\n"), raw)
				}
				if err := l.doc.Apply(full); err != nil { // so that the next one is a delta against this
					t.Fatal(err)
				}
			}
			if deltas < 40 {
				t.Errorf("only %d of 40 captures were deltas", deltas)
			}
		})
	}
	l.TB = t
}
