package web

import (
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

// TestTypeText proves inputText (R22) and fill (R35) on every kind of field: the text is read back.
func TestTypeText(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<input id=i value=old><textarea id=a>one</textarea><input id=e type=email><input id=n type=number><input id=p type=password>
		<div id=c contenteditable><p>old <b>text</b></p></div><label id=l>Name <input id=li></label><input id=d type=date><input id=r type=range min=0 max=10>
		<input id=col type=color><input id=tm type=time><script>window.ev=[];
for(const k of ['keydown','beforeinput','input','change'])document.addEventListener(k,e=>ev.push(k))</script>`)
	tests := []struct {
		name   string
		action driver.TypeText
		css    string
		read   string
		want   string
		method string
	}{
		{"replace", driver.TypeText{Text: "new", Clear: true}, "#i", "i.value", `"new"`, "insertText"},
		{"append", driver.TypeText{Text: " more"}, "#i", "i.value", `"new more"`, "insertText"},
		{"keys", driver.TypeText{Text: "Aß 1!", Clear: true, Keys: true}, "#i", "i.value", `"Aß 1!"`, "keys"},
		{"empty", driver.TypeText{Clear: true}, "#i", "i.value", `""`, "insertText"},
		{"textarea", driver.TypeText{Text: "a\nb\nc", Clear: true}, "#a", "a.value", `"a\nb\nc"`, "insertText"},
		{"email", driver.TypeText{Text: "x@y.example", Clear: true}, "#e", "e.value", `"x@y.example"`, "insertText"},
		{"email append", driver.TypeText{Text: ".org"}, "#e", "e.value", `"x@y.example.org"`, "insertText"},
		{"number", driver.TypeText{Text: "12.50", Clear: true}, "#n", "n.value", `"12.50"`, "insertText"},
		{"password", driver.TypeText{Text: "hunter2", Clear: true}, "#p", "p.value", `"hunter2"`, "insertText"},
		{"rich", driver.TypeText{Text: "rich words", Clear: true}, "#c", "c.innerText.trim()", `"rich words"`, "insertText"},
		{"rich append", driver.TypeText{Text: "!"}, "#c", "c.innerText.trim()", `"rich words!"`, "insertText"},
		{"rich lines", driver.TypeText{Text: "a\nb", Clear: true}, "#c", "c.innerText.replace(/\\n+/g,'|')", `"a|b"`, "keys"},
		{"label", driver.TypeText{Text: "Ada", Clear: true}, "#l", "li.value", `"Ada"`, "insertText"},
		{"date", driver.TypeText{Text: "2026-11-21", Clear: true}, "#d", "d.value", `"2026-11-21"`, "setter"},
		{"time", driver.TypeText{Text: "09:30", Clear: true}, "#tm", "tm.value", `"09:30"`, "setter"},
		{"range", driver.TypeText{Text: "7", Clear: true}, "#r", "r.value", `"7"`, "setter"},
		{"color", driver.TypeText{Text: "#FF0000", Clear: true}, "#col", "col.value", `"#ff0000"`, "setter"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.action.Target = at(node(t, d, test.css))
			e := perform(t, d, test.action)
			want(t, "value", js(t, d, test.read), test.want)
			want(t, "method", e.Method, test.method)
			if test.name == "replace" && !e.Changes.Focus {
				t.Errorf("the focus came, but %+v", e.Changes)
			}
			if !e.Changes.Verified || e.Bounds == nil {
				t.Errorf("effect %+v", e)
			}
			if test.name == "password" && e.Value != "" {
				t.Errorf("password echoed: %q", e.Value)
			}
			if len(e.Retries) > 0 {
				t.Logf("retries %q", e.Retries)
			}
		})
	}
}

// TestTypeIntoFieldsThatReact proves that a field may format what is typed, and that one which
// changes it fails the action (R22, R35).
func TestTypeIntoFieldsThatReact(t *testing.T) {
	tests := []struct {
		name, html, text, want, method string
		fails                          string // part of the error
	}{
		{"phone mask", `<input id=i oninput="const s=this.value.replace(/\D/g,'');` +
			`this.value=s.length>6?'('+s.slice(0,3)+') '+s.slice(3,6)+'-'+s.slice(6):s">`, "5550101234", "(555) 010-1234", "insertText", ""},
		{"card groups", `<input id=i oninput="this.value=this.value.replace(/\D/g,'').replace(/(.{4})(?=.)/g,'$1 ')">`, "4242424242424242",
			"4242 4242 4242 4242", "insertText", ""},
		{"capitals", `<input id=i oninput="this.value=this.value.toUpperCase()">`, "save20", "SAVE20", "insertText", ""},
		{"currency", `<input id=i onchange="1" oninput="this.value='$'+Number(this.value.replace(/[^\d.]/g,'')).toLocaleString('en')">`,
			"1234567", "$1,234,567", "insertText", ""},
		{"rejects inserts", `<input id=i onbeforeinput="if(event.data&&event.data.length>1)event.preventDefault()">`, "abc", "abc", "keys", ""},
		{"rejects all typing", `<input id=i onbeforeinput="event.preventDefault()" onkeydown="event.preventDefault()">`, "abc", "", "", `holds ""`},
		{"controlled as React does", `<input id=i><script>let v='';const d=Object.getOwnPropertyDescriptor(HTMLInputElement.prototype,'value');
			Object.defineProperty(i,'value',{get(){return d.get.call(i)},set(x){tracked=x;d.set.call(i,x)}});let tracked='';
			i.addEventListener('input',()=>{const now=d.get.call(i);if(now!==tracked){v=now;tracked=now}d.set.call(i,v)})</script>`, "Ada", "Ada", "insertText", ""},
		{"maxlength", `<input id=i maxlength=3>`, "abcdef", "", "", `holds "abc`},
		{"digits only", `<input id=i oninput="this.value=this.value.replace(/\D/g,'')">`, "12ab", "", "", `holds "12"`},
		{"wiped later", `<input id=i oninput="setTimeout(()=>{this.value=''})">`, "abc", "", "", `holds ""`},
		{"bad date", `<input id=i type=date>`, "tomorrow", "", "", `holds ""`},
		{"readonly", `<input id=i readonly value=x>`, "abc", "", "", `read-only`},
		{"disabled", `<input id=i disabled>`, "abc", "", "", `disabled`},
		{"readonly until focused", `<input id=i readonly onfocus="this.readOnly=false">`, "abc", "abc", "insertText", ""},
		{"no field", `<button id=i>x</button>`, "abc", "", "", `not a field`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := actPage(t, test.html)
			ctx := deadline(t)
			if test.fails != "" {
				ctx = within(t, 3000)
			}
			e, err := d.Perform(ctx, driver.TypeText{Target: at(node(t, d, "#i")), Text: test.text, Clear: true})
			if test.fails != "" {
				if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), test.fails) {
					t.Fatalf("err = %v, want %q", err, test.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want(t, "value", js(t, d, "document.querySelector('#i').value"), `"`+test.want+`"`)
			want(t, "method", e.Method, test.method)
			want(t, "read", e.Value, test.want)
		})
	}
}

func TestTypeSecretIsNeverEchoed(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<input id=i maxlength=4>`)
	_, err := d.Perform(within(t, 2000), driver.TypeText{Target: at(node(t, d, "#i")), Text: "hunter2secret", Clear: true, Secret: true})
	if err == nil {
		t.Fatal("no error")
	}
	all := err.Error() + fault.HintOf(err)
	if det := fault.DetailOf(err); det != nil {
		all += strings.Join(det.Log, ";")
	}
	if strings.Contains(all, "hunt") {
		t.Errorf("secret in %q", all)
	}
}

func TestSecretStaysSecretInItsField(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<label id=l>Code <input id=i></label>`)
	perform(t, d, driver.TypeText{Target: at(node(t, d, "#l")), Text: "hunter2", Secret: true})
	for _, a := range []driver.Action{
		driver.TypeText{Target: at(node(t, d, "#i")), Text: "x"}, driver.EraseText{Target: at(node(t, d, "#i")), Count: 1},
	} {
		if e := perform(t, d, a); e.Value != "" {
			t.Errorf("%T echoes %q", a, e.Value)
		}
	}
}

func TestTypeSurvivesFocusThief(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script string }{
		{"once on focus", `i.addEventListener('focus',()=>{ if(!window.k){window.k=1;thief.focus()} })`},
		{"a moment later", `i.addEventListener('focus',()=>{ if(!window.k){window.k=1;queueMicrotask(()=>thief.focus())} })`},
		{"before the text", `i.addEventListener('beforeinput',()=>{ if(!window.k){window.k=1;thief.focus()} },{once:true})`},
		{"for a while", `const t=setInterval(()=>thief.focus(),1);setTimeout(()=>clearInterval(t),400)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := actPage(t, `<input id=i><input id=thief><script>`+test.script+`</script>`)
			e := perform(t, d, driver.TypeText{Target: at(node(t, d, "#i")), Text: "secret words", Clear: true})
			want(t, "fields", js(t, d, "[i.value,thief.value]"), `["secret words",""]`)
			t.Log(e.Retries, e.Method)
		})
	}
}

func TestTypeInFrames(t *testing.T) {
	t.Parallel()
	d := actPages(t, map[string]string{
		"/":     `<iframe src="SELF/same"></iframe><iframe src="OTHER/far"></iframe><iframe src="/editor"></iframe><input id=top>`,
		"/same": `<input id=i>`, "/far": `<input id=i>`, "/editor": `<body contenteditable id=i></body>`,
	}, DeviceOptions{})
	for _, path := range []string{"/same", "/far", "/editor", "/same"} {
		perform(t, d, driver.TypeText{Target: at(node(t, d, "#i", path)), Text: "to " + path, Clear: true})
		want(t, path, js(t, d, "document.querySelector('#i').value??document.querySelector('#i').innerText", path), `"to `+path+`"`)
		e := perform(t, d, driver.PressKey{Key: "Backspace"})
		want(t, path, js(t, d, "document.querySelector('#i').value??document.querySelector('#i').innerText", path), `"to `+path[:len(path)-1]+`"`)
		if !e.Changes.Value && e.Changes.Tree == 0 {
			t.Errorf("effect %+v", e.Changes)
		}
	}
	perform(t, d, driver.TypeText{Target: at(node(t, d, "#top")), Text: "back", Clear: true})
	want(t, "top", js(t, d, "document.querySelector('#top').value"), `"back"`)
}

func TestEraseText(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<input id=i value=abcdef><div id=c contenteditable>hello</div>`)
	perform(t, d, driver.EraseText{Target: at(node(t, d, "#i")), Count: 2})
	want(t, "value", js(t, d, "i.value"), `"abcd"`)
	e := perform(t, d, driver.EraseText{Target: at(node(t, d, "#i"))})
	want(t, "value", js(t, d, "i.value"), `""`)
	if !e.Changes.Verified || !e.Changes.Value {
		t.Errorf("effect %+v", e.Changes)
	}
	perform(t, d, driver.EraseText{Target: at(node(t, d, "#c"))})
	want(t, "text", js(t, d, "c.innerText.trim()"), `""`)
}

func TestPressKey(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<form onsubmit="window.sent=1;return false"><input id=i value="abc"><input id=j><button tabindex=-1>s</button></form><script>window.log=[];
		addEventListener('keydown',e=>log.push([e.key,e.code,e.keyCode,e.shiftKey,e.ctrlKey].join()))</script>`)
	press := func(key string) { perform(t, d, driver.PressKey{Target: at(node(t, d, "#i")), Key: key}) }
	press("Control+a")
	press("x")
	want(t, "value", js(t, d, "i.value"), `"x"`)
	press("Shift+b")
	press("C")
	want(t, "value", js(t, d, "i.value"), `"xBC"`)
	press("Enter")
	want(t, "sent", js(t, d, "window.sent"), "1")
	e := perform(t, d, driver.PressKey{Target: at(node(t, d, "#i")), Key: "Tab"})
	want(t, "focus", js(t, d, "document.activeElement.id"), `"j"`)
	if !e.Changes.Focus {
		t.Errorf("effect %+v", e.Changes)
	}
	perform(t, d, driver.PressKey{Key: "Shift+Tab"})
	want(t, "focus", js(t, d, "document.activeElement.id"), `"i"`)
	js(t, d, "(log.length=0)")
	press("Control+Shift+ArrowLeft")
	want(t, "log", js(t, d, "log"), `["Control,ControlLeft,17,false,true","Shift,ShiftLeft,16,true,true","ArrowLeft,ArrowLeft,37,true,true"]`)
	if _, err := d.Perform(within(t, 1000), driver.PressKey{Key: "Hyper+q"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("err = %v", err)
	}
}
