package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/fault"
)

func TestSelectOption(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<select id=s><option value=de>Germany</option><option value=ca> Canada </option><option value=x
disabled>Nowhere</option><optgroup label=g disabled><option>Deep</option></optgroup></select>
		<select id=m multiple><option>a</option><option>b</option><option>c</option></select><select id=late></select><select
id=back><option>one</option><option>two</option></select>
		<script>window.ev=[];s.oninput=()=>ev.push('input');s.onchange=()=>ev.push('change');back.onchange=()=>back.value='one';
setTimeout(()=>late.add(new Option('Later','l')),300)</script>`)
	tests := []struct {
		name, css string
		options   []string
		read      string
		fails     string
	}{
		{"label", "#s", []string{"Canada"}, "ca", ""},
		{"value", "#s", []string{"de"}, "de", ""},
		{"index", "#s", []string{"1"}, "ca", ""},
		{"same again", "#s", []string{"Canada"}, "ca", ""},
		{"disabled", "#s", []string{"Nowhere"}, "", "disabled"},
		{"disabled group", "#s", []string{"Deep"}, "", "disabled"},
		{"missing", "#s", []string{"Atlantis"}, "", `it has "Germany", "Canada"`},
		{"several in single", "#s", []string{"de", "ca"}, "", "one option only"},
		{"later", "#late", []string{"Later"}, "l", ""},
		{"changed back", "#back", []string{"two"}, "", `now holds "one"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx := deadline(t)
			if test.fails != "" {
				ctx = within(t, 3000)
			}
			e, err := d.Perform(ctx, driver.SelectOption{Target: at(node(t, d, test.css)), Options: test.options})
			if test.fails != "" {
				if fault.KindOf(err) != fault.NotActed || !strings.Contains(err.Error(), test.fails) {
					t.Fatalf("err = %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want(t, "value", js(t, d, "document.querySelector('"+test.css+"').value"), `"`+test.read+`"`)
			if !e.Changes.Verified {
				t.Errorf("effect %+v", e.Changes)
			}
		})
	}
	want(t, "events", js(t, d, "ev"), `["input","change","input","change","input","change"]`)
	perform(t, d, driver.SelectOption{Target: at(node(t, d, "#m")), Options: []string{"a", "c"}})
	want(t, "several", js(t, d, "[...m.selectedOptions].map(o=>o.text)"), `["a","c"]`)
	perform(t, d, driver.Tap{Target: at(node(t, d, "#s option"))})
	want(t, "clicked option", js(t, d, "s.value"), `"de"`)
}

func TestSetChecked(t *testing.T) {
	t.Parallel()
	d := actPage(t, `<input type=checkbox id=c><input type=radio name=r id=r1 checked><input type=radio name=r id=r2>
		<div role=switch id=s aria-checked=false tabindex=0 onclick="this.setAttribute('aria-checked',this.getAttribute('aria-checked')!=='true')">Wifi</div>
		<input type=checkbox id=stuck onclick="return false">`)
	set := func(css string, on bool) (*driver.Effect, error) {
		return d.Perform(within(t, 2000), driver.SetChecked{Target: at(node(t, d, css)), Checked: on})
	}
	for _, test := range []struct {
		css  string
		on   bool
		read string
	}{{"#c", true, "c.checked"}, {"#c", true, "c.checked"}, {"#r2", true, "r2.checked"},
		{"#s", true, "s.getAttribute('aria-checked')==='true'"}, {"#c", false, "!c.checked"}} {
		e, err := set(test.css, test.on)
		if err != nil || !e.Changes.Verified {
			t.Fatalf("%s: %v %+v", test.css, err, e)
		}
		want(t, test.read, js(t, d, test.read), "true")
	}
	if e, err := set("#c", false); err != nil || e.Changes.Received || !e.Changes.Verified {
		t.Errorf("no-op: %v %+v", err, e)
	}
	for _, css := range []string{"#stuck", "#r2"} {
		if _, err := set(css, css == "#stuck"); fault.KindOf(err) != fault.NotActed {
			t.Errorf("%s: err = %v", css, err)
		}
	}
}

func TestUpload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt")
	for _, p := range []string{one, two} {
		if err := os.WriteFile(p, []byte("hello"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := actPage(t, `<input type=file id=f><label id=l>Pick<input type=file id=f2 multiple hidden></label><button id=b
onclick="const i=document.createElement('input');i.type='file';i.multiple=true;
		i.onchange=()=>out.textContent=[...i.files].map(f=>f.name).join();i.click()">Choose</button><p id=out></p><button id=none>x</button>
		<script>f.onchange=()=>{const x=new XMLHttpRequest;x.open('GET',URL.createObjectURL(f.files[0]),false);x.send();window.text=x.responseText}</script>`)
	e := perform(t, d, driver.Upload{Target: at(node(t, d, "#f")), Paths: []string{one}})
	want(t, "text", js(t, d, "window.text"), `"hello"`)
	if !e.Changes.Verified || !e.Changes.Value {
		t.Errorf("effect %+v", e.Changes)
	}
	perform(t, d, driver.Upload{Target: at(node(t, d, "#l")), Paths: []string{one, two}})
	want(t, "files", js(t, d, "f2.files.length"), "2")
	e = perform(t, d, driver.Upload{Target: at(node(t, d, "#b")), Paths: []string{one, two}})
	want(t, "chosen", js(t, d, "out.textContent"), `"one.txt,two.txt"`)
	want(t, "method", e.Method, "chooser")
	if _, err := d.Perform(within(t, 2000), driver.Upload{Target: at(node(t, d, "#f")), Paths: []string{one, two}}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("err = %v", err)
	}
	if _, err := d.Perform(within(t, 2000), driver.Upload{Target: at(node(t, d, "#f")), Paths: []string{dir + "/missing"}}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("err = %v", err)
	}
	if _, err := d.Perform(within(t, 8000), driver.Upload{Target: at(node(t, d, "#none")), Paths: []string{one}}); fault.KindOf(err) != fault.NotActed {
		t.Errorf("err = %v", err)
	}
}
