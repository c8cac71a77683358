package page_test

import (
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/screen"
)

// TestListenersMakeClickable proves that an element which a listener alone makes interactive counts
// as clickable, and that one which listens for what is inside it does not.
func TestListenersMakeClickable(t *testing.T) {
	l := newLab(t)
	const on = `<script>const on=(el,t)=>el.addEventListener(t,()=>{})</script>`
	for _, tc := range []struct {
		name, html string
		want       bool
	}{
		{"a span with a click listener", `<span id=x>Next</span><script>on(x,'click')</script>`, true},
		{"an empty cell with a listener", `<table><tr><td id=x></td><td>1</td></tr></table><script>on(x,'mousedown')</script>`, true},
		{"a header cell with a listener", `<table><tr><th id=x>Name</th><th>B</th></tr></table><script>on(x,'click')</script>`, true},
		{"a shape with a listener", `<svg width=50 height=50><circle id=x cx=20 cy=20 r=10 /></svg><script>on(x,'pointerdown')</script>`, true},
		{"a list item with a listener and a button", `<ul><li id=x>Todo <button>Delete</button></li></ul><script>on(x,'dblclick')</script>`, true},
		{"a handler set as a property", `<div id=x>Go</div><script>x.onclick=()=>{}</script>`, true},
		{"an arrow without text", `<i id=x style="display:inline-block;width:9px;height:9px"></i><script>on(x,'click')</script>`, true},
		{"a React component", `<div id=x>Go</div><script>x['__reactProps$k3']={onMouseDown(){},children:'Go'}</script>`, true},
		{"a Solid component", `<div id=x>Go</div><script>x.$$click=()=>{}</script>`, true},
		{"a Svelte component", `<div id=x>Go</div><script>x.__click=()=>{}</script>`, true},
		{"a handle to drag", `<li><b id=x style="cursor:grab">::</b> Row</li>`, true},
		{"a splitter", `<div id=x style="width:5px;height:90px;cursor:url(x.png), col-resize"></div>`, true},
		{"a tile with a picture and a button", `<div id=x><img width=50 height=50><button>Like</button></div><script>on(x,'click')</script>`, true},
		{"a wrapper of one control", `<div id=x><p><input></p></div><script>on(x,'mousedown')</script>`, false},
		{"a layer of a tab", `<div role=tab tabindex=0><span id=x role=presentation>Go</span></div><script>on(x,'pointerdown')</script>`, false},
		{"the cross of a tab", `<div role=tab tabindex=0>Go <span id=x>x</span></div><script>on(x,'click')</script>`, true},
		{"a listener in a button counts for the button", `<button><span id=x>Go</span></button><script>on(x,'click')</script>`, false},
		{"no listener", `<span id=x>Next</span>`, false},
		{"a listener for another event", `<span id=x>Next</span><script>on(x,'mouseover')</script>`, false},
		{"a list that listens for its items", `<ul id=x><li>a<li>b</ul><script>on(x,'click')</script>`, false},
		{"an application that listens for all of it",
			`<div id=x><a href=#>1</a><button>2</button><input><button>4</button></div><script>on(x,'click')</script>`, false},
		{"the root of a React application", `<div id=x><p>Hello</p></div><script>on(x,'click');x._reactListening7=true</script>`, false},
		{"React props without a handler", `<div id=x>Go</div><script>x['__reactProps$k3']={onClick:undefined,children:'Go'}</script>`, false},
		{"jQuery listening for what is inside",
			`<div id=x><i>1</i></div><script>on(x,'click');const h=[{}];h.delegateCount=1;x.jQuery371={events:{click:h}}</script>`, false},
		{"jQuery listening for the element",
			`<div id=x><i>1</i></div><script>on(x,'click');const h=[{}];h.delegateCount=0;x.jQuery371={events:{click:h}}</script>`, true},
		{"getters of the page are left alone", `<div id=x>Go</div><script>Object.defineProperty(x,'__reactProps$k',{get(){x.remove()}})</script>`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l.TB = t
			n := find(t, l.show(on+tc.html), "x")
			if got := n.State.Has(screen.Clickable); got != tc.want {
				t.Errorf("clickable = %v, want %v", got, tc.want)
			}
		})
	}
}

// TestListenersLater proves that listeners are noticed on elements that come later, in shadow
// trees, and that come later than their element.
func TestListenersLater(t *testing.T) {
	l := newLab(t)
	l.show(`<div id=h></div><p id=late>Late</p>`)
	l.js(`{const s=document.createElement('span');s.id='x';s.textContent='New';s.addEventListener('click',()=>{});h.append(s);
	const y=document.createElement('x-y');h.append(y);const r=y.attachShadow({mode:'open'});r.innerHTML='<b id=in>In</b>';
r.firstChild.addEventListener('click',()=>{})}`)
	root := l.capture()
	for _, id := range []string{"x", "in"} {
		if !find(t, root, id).State.Has(screen.Clickable) {
			t.Errorf("#%s is not clickable", id)
		}
	}
	l.js(`late.addEventListener('click',()=>{});document.querySelector('x-y').shadowRoot.append(document.createElement('hr'))`)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if find(t, l.capture(), "late").State.Has(screen.Clickable) {
			return
		}
	}
	t.Error("a listener that came later is not noticed")
}

// TestElementInternals proves that roles, states and names which a custom element declares through
// its internals count, that attributes win over them, and that a change of them is noticed though
// nothing in the document changes.
func TestElementInternals(t *testing.T) {
	l := newLab(t)
	root := l.show(`<x-tabs><x-tab id=a>Flights</x-tab><x-tab id=b>Hotels</x-tab></x-tabs><x-box id=c></x-box><x-tab id=d
role=link>Away</x-tab><x-odd id=e>Odd</x-odd>
<script>
const kept=Symbol('internals');
customElements.define('x-tabs',class extends HTMLElement{constructor(){super();this[kept]=this.attachInternals();this[kept].role='tablist'}});
customElements.define('x-tab',class extends HTMLElement{constructor(){super();this[kept]=this.attachInternals();this[kept].role='tab';this.on(this.id==='a')}
on(yes){this[kept].ariaSelected=String(yes)}});
customElements.define('x-box',class extends HTMLElement{constructor(){super();this.internals_=this.attachInternals();
Object.assign(this.internals_,{role:'checkbox',ariaChecked:'true',ariaLabel:'Terms',ariaDisabled:'true'})}});
customElements.define('x-odd',class extends HTMLElement{constructor(){super();this.i=this.attachInternals();this.i.role='nonsense';
this.other={role:'button'}}});
</script>`)
	const can = screen.Clickable
	for _, tc := range []struct {
		id, role, name string
		has, not       screen.State
	}{
		{"a", "tab", "Flights", screen.Selected | can, 0}, {"b", "tab", "Hotels", can, screen.Selected},
		{"c", "checkbox", "Terms", screen.Checked | screen.Disabled, 0}, {"d", "link", "Away", can, 0}, {"e", "generic", "", 0, can},
	} {
		if n := find(t, root, tc.id); n.Role != tc.role || n.Name != tc.name || !n.State.Has(tc.has) || tc.not != 0 && n.State.Has(tc.not) {
			t.Errorf("#%s is %s %q, state %x", tc.id, n.Role, n.Name, n.State)
		}
	}
	l.js(`a.on(false);b.on(true)`)
	root = l.capture()
	if find(t, root, "a").State.Has(screen.Selected) || !find(t, root, "b").State.Has(screen.Selected) {
		t.Errorf("the change is not noticed:\n%s", outline(root, 0))
	}
}

// TestLabelsOfCustomElements proves that labels name custom elements that take part in forms, and
// the field that such an element draws in its shadow tree; that a name of the field's own wins; and
// that a label says nothing where there are several.
func TestLabelsOfCustomElements(t *testing.T) {
	l := newLab(t)
	root := l.show(`<x-radio id=a></x-radio><label for=a>Card</label>
<label><x-box id=b></x-box> Window seat</label><label>Quiet <x-box id=c aria=Silent></x-box></label><label>Both <x-box id=d two></x-box></label>
<label>Plain <x-odd id=e></x-odd></label><label id=l>None</label><x-radio id=f></x-radio>
<script>
customElements.define('x-radio',class extends HTMLElement{static formAssociated=true;constructor(){super();this.i=this.attachInternals();this.i.role='radio'}});
customElements.define('x-box',class extends HTMLElement{static formAssociated=true;constructor(){super();this.i=this.attachInternals();
this.attachShadow({mode:'open'}).innerHTML='<div><input type=checkbox id='+this.id+'1 '+
(this.hasAttribute('aria')?'aria-label='+this.getAttribute('aria'):'')+'>'+(this.hasAttribute('two')?'<input>':'')+'</div>'}});
customElements.define('x-odd',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<input type=checkbox id=e1>'}});
</script>`)
	for id, want := range map[string]string{"a": "Card", "b1": "Window seat", "c1": "Silent", "d1": "", "e1": "", "f": ""} {
		if n := find(t, root, id); n.Name != want {
			t.Errorf("#%s is %s %q, want %q", id, n.Role, n.Name, want)
		}
	}
	l.js(`l.htmlFor='f';document.querySelector('label[for=a]').textContent='Cash'`)
	root = l.capture()
	if a, f := find(t, root, "a").Name, find(t, root, "f").Name; a != "Cash" || f != "None" {
		t.Errorf("the change is not noticed: %q and %q", a, f)
	}
}
